"""How the real clips are read: `python -m scripts.measure_clips --clips DIR`.

DIR holds the videos and `truth.csv` (video, first_frame, last_frame, top_values): windows of frames in which the dice
lie still, with what they show. For each window the script prints the frame and the seconds after which it was first
read right; for each reading that shows something else, or comes while the dice do not lie still, what was read. A
reading of an empty table is no fault outside the windows: nobody has noted when the last die was taken away.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from companion.camera.failure_report import read_report
from companion.commands.print_readings import load_detector
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline, readings
from vision.sources.camera import frames
from vision.sources.jpeg import decode
from vision.types import Frame, Reading

NEAR = 2  # frames that the windows may be off, as their notes say


@dataclass(frozen=True, slots=True)
class Window:
    """Frames, both included, in which dice lie still, and the sorted values they show."""

    first: int
    last: int
    values: tuple[int, ...]


def main() -> None:
    """Watch every clip and print what was read when."""
    parser = argparse.ArgumentParser(description=__doc__)
    photos = os.environ.get("COURTSIDE_PHOTOS")
    parser.add_argument("--clips", type=Path, default=photos and Path(photos, "clips"), metavar="DIR")
    parser.add_argument(
        "--reports", type=Path, nargs="+", metavar="FILE", help="failures that players packed, instead of the clips"
    )
    parser.add_argument("--only", default="", help="clips whose name contains this")
    wanted = parser.parse_args()
    if wanted.reports:
        try:
            for file in wanted.reports:
                print(f"{file}: what lies there was{'' if as_said(file, load_detector()) else ' NOT'} read")
        except (OSError, ValueError) as error:
            parser.exit(1, f"{error}\n")
        return
    if wanted.clips is None:
        parser.error("--clips DIR (or the environment variable COURTSIDE_PHOTOS) must name the clips")
    detector, read, due, false = load_detector(), 0, 0, 0
    for name, windows in windows_of(wanted.clips / "truth.csv").items():
        if wanted.only not in name:
            continue
        found, rate = watched(wanted.clips / name, detector)
        print(f"{name}, {rate:.0f} frames a second")
        for window in windows:
            due += 1
            right = next((one.frame for one in found if shows(one, window)), None)
            read += right is not None
            shown = " ".join(map(str, window.values))
            when = "not read" if right is None else f"frame {right}, after {max(0, right - window.first) / rate:.2f} s"
            print(f"  frames {window.first}–{window.last}, {shown}: {when}")
        for one in found:
            if one.dice and not any(shows(one, window) for window in windows):
                false += 1
                print(f"  FALSE: frame {one.frame}, {' '.join(map(str, sorted(one.active + one.kept)))}")
    print(f"{read} of {due} settled tables read, {false} false readings")


def as_said(file: Path, detector: Detects) -> bool:
    """Whether the film of a report is read as somebody says that it ends, and as nothing else once that was read.

    Its pictures are all there is of the film, some four a second. Without a word on what lies there, whether anything
    is read.
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


def watched(video: Path, detector: Detects) -> tuple[list[Reading], float]:
    """The readings of a video, and its frames a second."""
    pictures = [frame for frame in frames(str(video)) if isinstance(frame, Frame)]
    rate = (len(pictures) - 1) / max(pictures[-1].seconds - pictures[0].seconds, 1e-6)
    return list(readings(pictures, Pipeline(detector))), rate


def shows(reading: Reading, window: Window) -> bool:
    """Whether a reading is one of this window, and right."""
    near = window.first - NEAR <= reading.frame <= window.last + NEAR
    return near and tuple(sorted(reading.active + reading.kept)) == window.values


if __name__ == "__main__":
    main()
