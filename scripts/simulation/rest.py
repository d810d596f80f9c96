"""What becomes of every roll at the simulated table: how soon it is read, and stands in the record."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.krone.state import State
from scripts.simulation.detected import Noise
from scripts.simulation.hurry import Hurry
from scripts.simulation.played_turns import table_for, watched
from scripts.simulation.scene import Place
from scripts.simulation.truth import Truth
from vision.types import Reading

LATE = 0.3  # seconds that a reading may come after a hand has taken the first of them
LYING = (Place.ACTIVE, Place.KEPT)


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll and what became of it. lay: seconds for which all its dice lay still; read, recorded: seconds from then to
    the first settled reading that showed them and to its line in the record, None if never; whole: all its dice lay
    still at the same time."""

    lay: float
    read: float | None
    recorded: float | None


def rolls_of(begun: State, lines: Sequence[str], number: int, fps: float, hurry: Hurry | None) -> list[Roll]:
    """The rolls of one turn."""
    table = table_for(begun)
    seen: list[tuple[Reading, Truth]] = []
    stood: list[Counter[str]] = []  # what the record held after each frame
    for reading, truth in watched(begun, lines, number, Noise(), fps, hurry):
        table.see(reading)
        for line in truth.entered:
            with contextlib.suppress(ValueError):  # refused where the turn was recorded wrongly
                table.enter(line, late=True)
        seen.append((reading, truth))
        stood.append(Counter(line.event for line in table.lines))
    rolls, before = [], Counter[str]()
    for frame, (_, truth) in enumerate(seen):
        for line in truth.done:
            before[line] += 1
            if " roll " in f" {line} ":
                rolls.append(_roll(seen, stood, frame, line, before[line]))
    return rolls


def _roll(
    seen: Sequence[tuple[Reading, Truth]], stood: Sequence[Counter[str]], frame: int, line: str, times: int
) -> Roll:
    """A roll that came true in a frame, the record's line for the so-manieth time."""
    first = last = frame
    while first and _lying(seen[first - 1][1]) == _lying(seen[frame][1]):
        first -= 1
    while last + 1 < len(seen) and _lying(seen[last + 1][1]) == _lying(seen[frame][1]):
        last += 1
    began, ended = (seen[at][1].seconds for at in (first, last))
    truth = seen[frame][1]
    rolled, kept = truth.values(Place.ACTIVE), truth.values(Place.KEPT)
    shown = (
        reading.seconds
        for reading, _ in seen[first:]
        if reading.settled and reading.seconds <= ended + LATE and _shows(reading, rolled, kept)
    )
    noted = (seen[at][1].seconds for at in range(first, len(seen)) if stood[at][line] >= times)
    read, recorded = next(shown, None), next(noted, None)
    return Roll(ended - began, None if read is None else read - began, None if recorded is None else recorded - began)


def _shows(reading: Reading, rolled: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether it shows the dice in play; those set aside may be covered where it is known which they are."""
    if reading.knows_kept and tuple(sorted(reading.active)) == rolled:
        return True
    return sorted(reading.active + reading.kept) == sorted(rolled + kept)


def _lying(truth: Truth) -> list[tuple[int, int | None, tuple[float, ...] | None]]:
    """The dice on the table: number, value, box."""
    return [(die.number, die.value, die.xyxy) for die in truth.dice if die.place in LYING]
