"""Goals of a turn, in the form of the kernel (kernel/goals.h names the kinds)."""

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
    VALUE = 6
    LADDER = 7


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition on the result.

    Attributes:
        need: Six integers whose meaning depends on the kind: dice needed of each face (ALIKE); size and number
            (GROUPS); the least sum (SUM); 1 for odd, 0 for even (PARITY); one or two bit masks of faces (STRAIGHT); the
            fewest dice of each face with a value (LADDER: the value of the best group); unused (FULL_HOUSE, VALUE).
    """

    kind: Kind
    need: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)


def _alike(size: int) -> Goal:
    return Goal(Kind.ALIKE, (size,) * 6)


def _of(kind: Kind, first: int, second: int = 0) -> Goal:
    return Goal(kind, (first, second, 0, 0, 0, 0))


# Every card with a real cost, in the order of the table in the rules.
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
    """The group to beat in the final round: `count` dice showing `face`; with `equal`, equalling it is enough."""

    count: int
    face: int
    equal: bool = False

    def goal(self) -> Goal:
        """More dice of any face, or as many of a higher one (of the same one too if equalling is enough)."""
        least = self.face + (0 if self.equal else 1)
        n = [self.count + (face < least) for face in range(1, 7)]
        return Goal(Kind.ALIKE, (n[0], n[1], n[2], n[3], n[4], n[5]))
