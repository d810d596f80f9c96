"""Measures the reader on real clips: `python -m scripts.measure_clips --clips DIR`.

DIR holds the videos and `truth.csv` (video, first_frame, last_frame, top_values): windows of frames in which the dice
rest, with their values. For each window the script prints the frame and the seconds after which it was first read
right. It also prints every wrong reading and every reading outside the windows, except of an empty table, because the
labels do not say when the last die was taken away. `--changed` reads every clip as other cameras would have taken it
(`scripts/clip_parts/variants.py`). `--recorded` watches every clip as a game instead. Nobody plays it in the public
clips, so each line on record is one too many.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from companion.commands.print_readings import load_detector
from companion.game.changes import Line
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from scripts.clip_parts.variants import CHANGES
from tests.kit.options import PHOTOS, run
from tests.kit.problem_report import read_report
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline, readings
from vision.sources.camera import frames
from vision.sources.jpeg import decode
from vision.types import Frame, Reading

NEAR = 2  # frames by which the windows may be off, as their labels say
DUE_SECONDS = 0.25  # visible rest after which a table must have been read
SURE_LINE = 0.8  # confidence below which no line should be on record
GAP_SECONDS = 0.2  # between two frames: after a longer gap resting dice may have been touched


@dataclass(frozen=True, slots=True)
class Window:
    """A range of frames, both ends included, in which dice rest, and their sorted values."""

    first: int
    last: int
    values: tuple[int, ...]


CLIPS = PHOTOS / "clips" if isinstance(PHOTOS, Path) else PHOTOS


class ClipResult(NamedTuple):
    """Windows read right, windows that count, and false readings."""

    read: int
    due: int
    false: int


def main(
    clips: Path = CLIPS,
    reports: tuple[Path, ...] = (),
    only: str = "",
    changed: bool = False,
    recorded: bool = False,
    seed: int = 0,
) -> None:
    """Watches every clip and prints the readings.

    Args:
        reports: Players' problem reports instead of the clips.
        only: Clips whose name contains this.
        changed: Each clip in several ways, as other cameras see it.
        recorded: Watch each clip as a game and print what is recorded.
        seed: For the frames that `--changed` loses.
    """
    if reports:
        try:
            for file in reports:
                print(f"{file}: the true dice were{'' if as_said(file, load_detector()) else ' NOT'} read")
        except (OSError, ValueError) as error:
            raise SystemExit(str(error)) from error
        return
    detector, results = load_detector(), dict[str, ClipResult]()
    labelled = {name: windows for name, windows in windows_of(clips / "truth.csv").items() if only in name}
    if recorded:
        print_lines((clips / name for name in labelled), detector)
        return
    for name, windows in labelled.items():
        pictures = [frame for frame in frames(str(clips / name)) if isinstance(frame, Frame)]
        for change in CHANGES if changed else CHANGES[:1]:
            seen = list(change.frames(pictures, seed))
            rate = (len(seen) - 1) / max(seen[-1].seconds - seen[0].seconds, 1e-6)
            print(f"{name}, {change.name}, {rate:.0f} frames a second")
            one = judged(seen, windows, list(readings(seen, Pipeline(detector))))
            results[change.name] = ClipResult(
                *map(sum, zip(results.get(change.name, ClipResult(0, 0, 0)), one, strict=True))
            )
    if changed:
        print("\n| the clips | settled tables read | false readings |\n|---|---|---|")
        for name, so_far in results.items():
            print(f"| {name} | {so_far.read} of {so_far.due} | {so_far.false} |")
    read, due, false = map(sum, zip(ClipResult(0, 0, 0), *results.values(), strict=True))
    print(f"{read} of {due} settled tables read, {false} false readings")


def print_lines(clips: Iterable[Path], detector: Detects) -> None:
    """Watches each clip as a game of two players, and prints what is recorded and how many questions are asked."""
    lines: list[Line] = []
    for clip in clips:
        header = new_record("krone", ("Anna", "Bert"))
        table, pipeline = Table(header, referee_for(header)), Pipeline(detector)
        for frame in frames(str(clip)):
            table.see(pipeline.step(frame))
        table.finish()
        lines += table.lines
        recorded = ", ".join(f"{line.event} ({line.confidence or 0.0:.2f})" for line in table.lines)
        print(f"{clip.name}: {recorded or 'nothing'}; questions: {sum(len(one.questions) for one in table.changes)}")
    unlikely = sum((line.confidence or 0.0) < SURE_LINE for line in lines)
    print(f"{len(lines)} lines recorded, {unlikely} of them below {SURE_LINE}")


def judged(seen: Sequence[Frame], windows: Sequence[Window], found: Sequence[Reading]) -> ClipResult:
    """The result for these frames, printed by window. A window counts if it is visible for long enough: first and
    last frame of a sequence without a gap are `DUE_SECONDS` apart."""
    read = due = false = 0
    near = NEAR * median(after.number - one.number for one, after in pairwise(seen))
    for window in windows:
        right = next((one for one in found if shows(one, window, near)), None)
        seconds = longest([frame.seconds for frame in seen if window.first <= frame.number <= window.last])
        counts = seconds >= DUE_SECONDS or right is not None
        due += counts
        read += right is not None
        begun = next((frame.seconds for frame in seen if frame.number >= window.first), 0.0)
        when = "not read" if right is None else f"frame {right.frame}, after {max(0.0, right.seconds - begun):.2f} s"
        shown = " ".join(map(str, window.values))
        print(f"  frames {window.first}–{window.last}, {shown}: {when if counts else f'seen for {seconds:.2f} s'}")
    for one in found:
        if one.dice and not any(shows(one, window, near) for window in windows):
            false += 1
            print(f"  FALSE: frame {one.frame}, {' '.join(map(str, sorted(one.active + one.kept)))}")
    return ClipResult(read, due, false)


def longest(seconds: Sequence[float]) -> float:
    """The longest duration without a gap of more than `GAP_SECONDS`."""
    found, begun = 0.0, 0
    for place in range(1, len(seconds)):
        if seconds[place] - seconds[place - 1] > GAP_SECONDS:
            begun = place
        found = max(found, seconds[place] - seconds[begun])
    return found


def as_said(file: Path, detector: Detects) -> bool:
    """Whether the last reading of a report's film has the values that the user gave.

    Only the report's images are available, about four a second. Without the user's values: whether any dice are read.
    """
    report = read_report(file)
    pictures = [
        Frame(decode(jpeg, f"{file}: {number}"), float(str(report.readings[number].get("seconds", 0.0))), number)
        for number, jpeg in report.pictures.items()
    ]
    shown = [tuple(sorted(one.active + one.kept)) for one in readings(pictures, Pipeline(detector)) if one.dice]
    wanted = report.truth.get(max(report.pictures, default=0))
    return bool(shown) and wanted in (None, shown[-1])


def windows_of(truth: Path) -> dict[str, list[Window]]:
    """The windows of each video of a `truth.csv`."""
    found: dict[str, list[Window]] = defaultdict(list)
    with truth.open(newline="") as file:
        for row in csv.DictReader(file):
            values = tuple(sorted(int(value) for value in row["top_values"].split()))
            found[row["video"]].append(Window(int(row["first_frame"]), int(row["last_frame"]), values))
    return found


def shows(reading: Reading, window: Window, near: float) -> bool:
    """Whether a reading is right and inside this window, with a tolerance of `near` frames."""
    there = window.first - near <= reading.frame <= window.last + near
    return there and tuple(sorted(reading.active + reading.kept)) == window.values


if __name__ == "__main__":
    run(main)
