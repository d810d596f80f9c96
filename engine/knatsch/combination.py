"""Combinations: what a card shows, what a throw is worth, and which beats which.

A combination is (group, value, reserve): the number of equal dice, their value, and the highest other value. Tuples
compare in the order of the rules: group size, then value, then reserve; equal is not enough (K1). Sixes do not count.
Text: `3-3-3+2`, without a reserve `5-5-5`, and `nothing` for six sixes (K13).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import Unreadable

_TEXT = re.compile(r"([0-9](?:-[0-9])*)(?:\+([0-9]))?")


class Combination(NamedTuple):
    """The strength of a throw or a card.

    Attributes:
        group: Number of equal dice; 0 for nothing at all.
        value: Their value, 0 or 1..5.
        reserve: The highest other value; 0 for none.
    """

    group: int
    value: int
    reserve: int

    def beats(self, other: Combination) -> bool:
        """Strictly better (K1)."""
        return self > other

    def __str__(self) -> str:
        if not self.group:
            return "nothing"
        alike = "-".join([str(self.value)] * self.group)
        return f"{alike}+{self.reserve}" if self.reserve else alike

    @property
    def printable(self) -> bool:
        """Whether a card can show it: three equal dice and a reserve die, no sixes."""
        return self.group == 3 and 1 <= self.value <= 5 and 1 <= self.reserve <= 5


NOTHING = Combination(0, 0, 0)
BETRAYED = Combination(3, 2, 4)  # what every castle on a stack counts for the owner of the Betrayal


def best(dice: Iterable[int]) -> Combination:
    """The combination of rolled dice and dice cards: the largest group, of equal ones the higher (K3, K14), and the
    reserve (K2).

    Sixes are ignored. All dice cards count, because one more die never makes a result worse.
    """
    counts = [0] * 7
    for face in dice:
        counts[face] += 1
    group, value = max((counts[value], value) for value in range(1, 6))
    if not group:
        return NOTHING
    return Combination(
        group, value, max((other for other in range(1, 6) if counts[other] and other != value), default=0)
    )


def read(text: str) -> Combination:
    """Parses `4-4-4+2`, with any group size and an optional reserve.

    Raises:
        Unreadable: It is not a combination.
    """
    if text.strip().lower() in ("nothing", "0"):
        return NOTHING
    match = _TEXT.fullmatch(text.strip())
    if not match:
        raise Unreadable("“{text}” is not a combination. Write it like 3-3-3+2", text=text)
    alike = match[1].split("-")
    if len(set(alike)) > 1:
        raise Unreadable("“{text}” is not a combination: the dice before the + must be the same", text=text)
    value, reserve = int(alike[0]), int(match[2] or 0)
    if not 1 <= value <= 5 or (match[2] and not 1 <= reserve <= 5):
        raise Unreadable("“{text}” is not a combination: only 1 to 5 count, sixes are worth nothing", text=text)
    return Combination(len(alike), value, reserve)


def read_printed(text: str) -> Combination:
    """Like `read`, but only what a card can show: three equal dice and a reserve die."""
    found = read(text)
    if not found.printable:
        raise Unreadable(
            "“{text}” is not on any card. Cards show three equal dice and one reserve die, like 3-3-3+2", text=text
        )
    return found


EVERY_PRINTED = tuple(
    Combination(3, value, reserve) for value in range(1, 6) for reserve in range(1, 6)
)  # 25, in rising order
