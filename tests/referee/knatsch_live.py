"""A running Knatsch game before a camera."""

from __future__ import annotations

from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from vision.types import Motion, Reading, SeenDie


def reading(throw: int, active: str, kept: str = "", sure: float = 0.97, seconds: float = 1.0) -> Reading:
    """A settled reading `seconds` after the roll: dice in play where the roll left them, dice set aside in the kept
    row."""
    dice: list[SeenDie] = []
    for value, aside in [*((v, False) for v in active), *((v, True) for v in kept)]:
        chances = [(1 - sure) / 5] * 6
        chances[int(value) - 1] = sure
        track = (0 if aside else 100 * throw) + 10 * int(value)
        track += sum(die.track // 10 == track // 10 for die in dice)  # alike dice have their own places
        box = (60.0 * track, 600.0 * aside, 60.0 * track + 50, 600.0 * aside + 50)
        dice.append(SeenDie(track, box, tuple(chances), aside, rolled=0.05 if aside else 0.97))  # type: ignore[arg-type]
    motion = Motion.STABLE if dice else Motion.EMPTY
    seconds += 4.0 * throw
    return Reading(tuple(dice), True, throw, motion, int(seconds * 30), seconds)


def sitting(*lines: str, players: int = 3) -> Table:
    """A game after the deal and these typed lines."""
    header = new_record("knatsch", ["Anna", "Bert", "Carl"][:players])
    table = Table(header, referee_for(header))
    castles = ("red", "blue", "green")[:players]
    for seat, castle in zip("ABC", castles, strict=False):
        table.enter(f"{seat} deal castle-{castle} 3-3-3+{1 + 'ABC'.index(seat)}")
    for line in lines:
        table.enter(line)
    return table


BEGUN = ("A reveal left castle-white 4-4-4+1", "A reveal right tournament", "A target left")


def last(table: Table, count: int) -> list[str]:
    return [line.event for line in table.lines[-count:]]
