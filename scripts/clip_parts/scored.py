"""Runs the live pipeline on clips and compares its readings with the ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scripts.clip_parts.clip import Clip
from scripts.clip_parts.kinds import EAGER
from scripts.clip_parts.moving_camera import seen
from scripts.clip_parts.pieces import ClipMoment
from tests.kit.evaluation.scoring import ASK, wilson
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline, readings
from vision.sources.camera import frames

LONG_ENOUGH = 1.2  # seconds at rest and uncovered after which a reading is due
AT_ONCE = 0.3  # the same for EAGER clips, whose resting dice may be read during other motion
LATE = 0.3  # seconds by which a reading of an EAGER clip may lag behind the truth


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """One reading.

    Attributes:
        frame: Number of the frame.
        values: Values of all dice, sorted.
        rolls: Rolls counted so far.
        fault: Kind of the error, "" if there is none.
        doubted: Whether it is marked as uncertain: by a doubt, or by a die or value less likely than ASK.
    """

    frame: int
    values: tuple[int, ...]
    rolls: int
    fault: str
    doubted: bool


@dataclass(frozen=True, slots=True, eq=False)
class ScoredClip:
    """A clip and its readings.

    Attributes:
        clip: The clip.
        readings: Its readings in order.
        due: Windows (first frame, last frame) in which a reading was due, and whether it was correct.
        waits: Seconds from the start of each window to its first correct reading.
        rolls: Number of rolls counted, and true number.
    """

    clip: Clip
    readings: tuple[ScoredReading, ...]
    due: tuple[tuple[int, int, bool], ...]
    waits: tuple[float, ...]
    rolls: tuple[int, int]

    @property
    def good(self) -> bool:
        """Whether every window was read correctly without false readings, and all rolls were counted."""
        return (
            all(right for *_, right in self.due) and not any(one.fault for one in self.readings) and not self.miscounted
        )

    @property
    def miscounted(self) -> int:
        """Absolute error of the number of rolls."""
        return abs(self.rolls[0] - self.rolls[1])


def score_clip(clip: Clip, detector: Detects) -> ScoredClip:
    """Runs the pipeline on a clip as `courtside watch` does, and scores its readings."""
    scored: list[ScoredReading] = []
    for reading in readings(seen(frames(str(clip.path)), clip.turns), Pipeline(detector)):
        moment = clip.moments[min(reading.frame, len(clip.moments) - 1)]
        values = tuple(sorted(reading.active + reading.kept))
        fault = _fault(moment, values)
        if clip.kind in EAGER:
            fault = _impatient_fault(clip.moments[: reading.frame + 1], round(LATE * clip.rate), values)
        unsure = any(min(die.confidence, die.there) < ASK for die in reading.dice)
        scored.append(
            ScoredReading(reading.frame, values, round(reading.rolls), fault, unsure or reading.doubt is not None)
        )
    due, waits = [], []
    for first, last in due_windows(clip.kind, clip.moments, clip.rate):
        truth = clip.moments[first].values
        within = [one for one in scored if one.frame <= last]
        due.append((first, last, (bool(within) and within[-1].values == truth) or (not within and not truth)))
        right = next((one.frame for one in scored if first <= one.frame <= last and one.values == truth), None)
        if right is not None and truth:
            waits.append((right - first) / clip.rate)
    counted = scored[-1].rolls if scored else 0
    return ScoredClip(clip, tuple(scored), tuple(due), tuple(waits), (counted, clip.moments[-1].rolls))


def due_windows(kind: str, moments: Sequence[ClipMoment], rate: float) -> list[tuple[int, int]]:
    """The windows in which a reading is due: first and last frame are at least `AT_ONCE` or `LONG_ENOUGH` apart."""
    least = AT_ONCE if kind in EAGER else LONG_ENOUGH
    return [(first, last) for first, last in windows(moments) if (last - first) / rate >= least]


def windows(moments: Sequence[ClipMoment]) -> list[tuple[int, int]]:
    """First and last frames of the periods in which the same dice rest uncovered."""
    found: list[tuple[int, int]] = []
    first = 0
    for number in range(1, len(moments) + 1):
        if number == len(moments) or moments[number] != moments[first]:
            if moments[first].state == "still":
                found.append((first, number - 1))
            first = number
    return found


def _fault(moment: ClipMoment, values: tuple[int, ...]) -> str:
    if moment.state in ("moving", "hand"):
        return moment.state
    if values == moment.values:
        return ""
    return "covered" if moment.state == "covered" else "wrong"


def _impatient_fault(moments: Sequence[ClipMoment], late: int, values: tuple[int, ...]) -> str:
    """The error of a reading that may come during motion, "" for none; "gone" if it includes dice that were taken.

    late: frames by which a reading may lag.
    """
    recent = [moment.values for moment in moments[-late - 1 :]]
    if values in recent:
        return ""
    before = max((len(moment.values) for moment in moments), default=0)
    return "gone" if max(map(len, recent)) < len(values) <= before else "wrong"


def results_table(scored: Sequence[ScoredClip]) -> list[dict[str, object]]:
    """The result table, one row for each kind of clip."""
    table: list[dict[str, object]] = []
    kinds = list(dict.fromkeys(one.clip.kind for one in scored))
    for kind in [*kinds, "**all**"]:
        rows = [one for one in scored if kind in (one.clip.kind, "**all**")]
        due = [right for one in rows for *_, right in one.due]
        waits = [wait for one in rows for wait in one.waits] or [float("nan")]
        faults = [one.fault for row in rows for one in row.readings]
        undetected = sum(one.fault == "wrong" and not one.doubted for row in rows for one in row.readings)
        good, low, high = sum(one.good for one in rows), *wilson(sum(due), len(due))
        table.append({
            "clips": kind,
            "number": len(rows),
            "settled tables read right": f"{sum(due)} of {len(due)} ({100 * low:.0f}–{100 * high:.0f} %)",
            "seconds until read: half, 95 %": f"{np.median(waits):.2f}, {np.quantile(waits, 0.95):.2f}",
            "readings while dice move": faults.count("moving"),
            "while a hand works": faults.count("hand"),
            "of a part, a hand over dice": faults.count("covered"),
            "wrong": faults.count("wrong"),
            "of these without a doubt": undetected,
            "of dice long taken": faults.count("gone"),
            "rolls counted / true": f"{sum(one.rolls[0] for one in rows)} / {sum(one.rolls[1] for one in rows)}, "
            f"{sum(one.miscounted for one in rows)} wrong",
            "clips without fault": f"{good} of {len(rows)}",
        })  # fmt: skip
    return table
