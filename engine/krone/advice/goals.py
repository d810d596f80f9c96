"""What a turn can aim at, in the form the kernel understands (kernel/goals.h names the kinds)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """The order of the enum in kernel/goals.h."""

    ALIKE = 0
    GROUPS = 1
    FULL_HOUSE = 2
    SUM = 3
    PARITY = 4
    STRAIGHT = 5
    WORTH = 6
    LADDER = 7


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition on the result. need, six integers: the dice needed of each face (ALIKE); size and number (GROUPS);
    the least sum (SUM); 1 odd or 0 even (PARITY); one or two bit masks of faces (STRAIGHT); the fewest dice of each
    face that are worth anything (LADDER: the worth of the best group); nothing (FULL_HOUSE, WORTH)."""

    kind: Kind
    need: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)


def _alike(size: int) -> Goal:
    return Goal(Kind.ALIKE, (size,) * 6)


def _of(kind: Kind, first: int, second: int = 0) -> Goal:
    return Goal(kind, (first, second, 0, 0, 0, 0))


# Every card that dice can buy and that not every result buys, in the order of the rules' table.
GOALS: dict[str, Goal] = {
    "farmer": _alike(2),
    "maid": _of(Kind.PARITY, 1),
    "philosopher": _of(Kind.PARITY, 0),
    "laborer": _of(Kind.SUM, 15),
    "guard": _alike(3),
    "hunter": _alike(4),
    "astronomer": _of(Kind.GROUPS, 2, 2),
    "merchant": _of(Kind.SUM, 20),
    "noblewoman": Goal(Kind.FULL_HOUSE),
    "pawnbroker": _of(Kind.SUM, 30),
    "knight": _alike(5),
    "magician": _of(Kind.STRAIGHT, 0b011111, 0b111110),
    "alchemist": _of(Kind.STRAIGHT, 0b111111),
    "bishop": _of(Kind.GROUPS, 2, 3),
    "nobleman": _of(Kind.GROUPS, 3, 2),
    "general": _alike(6),
    "king": _alike(7),
}


@dataclass(frozen=True, slots=True)
class Threshold:
    """The best group to beat in the final round: `count` dice showing `face`; `equal`: equalling it is enough."""

    count: int
    face: int
    equal: bool = False

    def goal(self) -> Goal:
        """More dice of any face, or as many of a higher one (of this one too where equal suffices)."""
        least = self.face + (0 if self.equal else 1)
        n = [self.count + (face < least) for face in range(1, 7)]
        return Goal(Kind.ALIKE, (n[0], n[1], n[2], n[3], n[4], n[5]))
