"""Follows each roll at the simulated table: when it was read, and when it was recorded."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.krone.events import Roll, read_event
from engine.krone.state import State
from tests.kit.detected import DetectorErrors
from tests.kit.hurry import Hurry
from tests.kit.played_turns import readings_with_truth, table_for
from tests.kit.scene import Place
from tests.kit.truth import FrameTruth
from vision.types import Reading

LATE = 0.3  # seconds by which a reading may lag after a hand has taken the die that came to rest last
ON_TABLE = (Place.ACTIVE, Place.KEPT)
Seen = Sequence[tuple[Reading, FrameTruth]]


@dataclass(frozen=True, slots=True)
class RollOutcome:
    """A roll and its outcome. A hand may have taken some of its dice before the last one came to rest.

    Attributes:
        line: Its line in the record.
        rested: Seconds when the last die came to rest.
        resting: Seconds for which that die rested.
        read, recorded: Seconds from then to the first settled reading that shows the roll, and to its line in the
            record; None if never.
        shown: Number of frames that show all its dice at rest and uncovered before the next action: the minimum over
            the dice.
    """

    line: str
    rested: float
    resting: float
    read: float | None
    recorded: float | None
    shown: int


def rolls_of(begun: State, lines: Sequence[str], number: int, fps: float, hurry: Hurry | None) -> list[RollOutcome]:
    """The rolls of one turn."""
    table = table_for(begun)
    seen: list[tuple[Reading, FrameTruth]] = []
    stood: list[Counter[str]] = []  # content of the record after each frame
    for reading, truth in readings_with_truth(begun, lines, number, DetectorErrors(), fps, hurry):
        table.see(reading)
        for line in truth.entered:
            with contextlib.suppress(ValueError):  # refused if the turn was recorded wrongly
                table.enter(line, late=True)
        seen.append((reading, truth))
        stood.append(Counter(line.event for line in table.lines))
    return list(_rolls(seen, stood))


def _rolls(seen: Seen, stood: Sequence[Counter[str]]) -> Iterator[RollOutcome]:
    """The rolls of a turn. stood: content of the record after each frame."""
    before = Counter[str]()
    for frame, (_, truth) in enumerate(seen):
        for line in truth.done:
            before[line] += 1
            event = read_event(line[2:])
            if isinstance(event, Roll):
                yield _roll(seen, stood, frame, line, tuple(sorted(event.dice)), before[line])


def _roll(
    seen: Seen, stood: Sequence[Counter[str]], frame: int, line: str, rolled: tuple[int, ...], times: int
) -> RollOutcome:
    """The roll that ended in `frame`; times: the number of equal lines in the record so far."""
    first = last = frame
    while first and _on_table(seen[first - 1][1]) == _on_table(seen[frame][1]):
        first -= 1
    latest = _on_table(seen[first][1]) - (_on_table(seen[first - 1][1]) if first else set())
    while last + 1 < len(seen) and latest <= _on_table(seen[last + 1][1]):
        last += 1
    rolled_at = next(at for at, (_, truth) in enumerate(seen) if truth.rolls == seen[frame][1].rolls)
    kept = seen[rolled_at][1].values(Place.KEPT)
    began, ended = (seen[at][1].seconds for at in (first, last))
    shows = (
        reading.seconds
        for reading, _ in seen[first:]
        if reading.settled and reading.seconds <= ended + LATE and _shows(reading, rolled, kept)
    )
    noted = (seen[at][1].seconds for at in range(first, len(seen)) if stood[at][line] >= times)
    read, recorded = next(shows, None), next(noted, None)
    return RollOutcome(
        line,
        began,
        ended - began,
        None if read is None else read - began,
        None if recorded is None else recorded - began,
        _shown(seen, rolled_at, frame),
    )


def _shows(reading: Reading, rolled: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether the reading shows the roll. Dice set aside may be covered if the reading knows the kept zone."""
    if reading.has_kept_zone and reading.active == rolled:
        return True
    return sorted(reading.active + reading.kept) == sorted(rolled + kept)


def _shown(seen: Seen, rolled_at: int, frame: int) -> int:
    """Minimum number of frames that show a die of the roll that ended in `frame`, until the next action."""
    frames = Counter[int]()
    dice: set[int] = set()
    for at in range(rolled_at, len(seen)):
        truth = seen[at][1]
        if at > frame and any(" keep " not in f" {line} " for line in truth.done):
            break
        if truth.rolls != seen[frame][1].rolls:
            break
        for die in truth.dice:
            if die.place is Place.ACTIVE:
                dice |= {die.number} if at <= frame else set()
                frames[die.number] += die.value is not None and not die.covered
    return min((frames[number] for number in dice), default=0)


def _on_table(truth: FrameTruth) -> set[tuple[int, int | None, tuple[float, ...] | None]]:
    """The dice on the table: number, value, box."""
    return {(die.number, die.value, die.xyxy) for die in truth.dice if die.place in ON_TABLE}
