"""The cost of each card: a condition on the result, independent of the order of the dice.

Pairs, triples and straights must be contained in the result; extra dice do no harm. "All odd", "all even" and sums
apply to every die. Groups of k count the sum over the values of ⌊count / k⌋, so 2 2 2 2 2 is a full house and 5 5 5 5 5
5 is two triples.

A condition takes the known dice and a number of unknown dice (unread, or still to be set aside). It is true if the cost
is met *whatever the unknown dice show*. Tests compare it with trying all outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engine.dice import UNREAD, Faces

Condition = Callable[[Faces, int], bool]

KING_NEEDS = 7
_FACES = range(1, 7)


def alike(size: int) -> Condition:
    """Condition that at least `size` dice are equal. Unknown dice can be spread until every value has `size` − 1."""

    def certain(dice: Faces, unknown: int) -> bool:
        counts = [dice.count(face) for face in _FACES]
        return max(counts) >= size or unknown > sum(size - 1 - n for n in counts)

    return certain


def groups(number: int, size: int) -> Condition:
    """Condition that there are `number` groups of `size` equal dice each; one value may give several.

    In the worst case unknown dice fill incomplete groups to `size` − 1 without completing any. Of those left over, the
    first, and every `size`-th after it, completes one.
    """

    def certain(dice: Faces, unknown: int) -> bool:
        counts = [dice.count(face) for face in _FACES]
        harmless = sum(size - 1 - n % size for n in counts)
        completed = -(-max(0, unknown - harmless) // size)
        return sum(n // size for n in counts) + completed >= number

    return certain


def full_house(dice: Faces, unknown: int) -> bool:
    """Whether the result has three equal and two equal dice; five equal dice count as both.

    There is none with at most two of each value, and none with up to four of one value and at most one of every other.
    It is certain if the unknown dice fit into neither shape.
    """
    counts = [dice.count(face) for face in _FACES]
    if max(counts) <= 2 and unknown <= sum(2 - n for n in counts):
        return False
    most = max(counts)
    others = sorted(counts)[:-1]
    return most > 4 or others[-1] > 1 or unknown > (4 - most) + sum(1 - n for n in others)


def total(least: int) -> Condition:
    """Condition that the sum of all dice is at least `least`; an unknown die counts 1."""
    return lambda dice, unknown: sum(dice) + unknown >= least


def parity(odd: int) -> Condition:
    """Condition that every die is odd (1) or even (0)."""
    return lambda dice, unknown: not unknown and bool(dice) and all(face % 2 == odd for face in dice)


def straight(*runs: frozenset[int]) -> Condition:
    """Condition that the dice contain one of the runs."""
    return lambda dice, unknown: any(run <= set(dice) for run in runs)


def anything(dice: Faces, unknown: int) -> bool:
    """True: every result pays."""
    return True


# Card id → (condition, the same in words). The Queen has no cost because she comes with the King.
COSTS: dict[str, tuple[Condition, str]] = {
    "fool": (anything, "any result"),
    "charlatan": (anything, "any result, plus an unused Fool"),
    "farmer": (alike(2), "two alike"),
    "maid": (parity(1), "only odd dice"),
    "philosopher": (parity(0), "only even dice"),
    "laborer": (total(15), "a sum of 15 or more"),
    "guard": (alike(3), "three alike"),
    "hunter": (alike(4), "four alike"),
    "astronomer": (groups(2, 2), "two pairs"),
    "merchant": (total(20), "a sum of 20 or more"),
    "noblewoman": (full_house, "three alike and two alike"),
    "pawnbroker": (total(30), "a sum of 30 or more"),
    "knight": (alike(5), "five alike"),
    "magician": (straight(frozenset({1, 2, 3, 4, 5}), frozenset({2, 3, 4, 5, 6})), "1-2-3-4-5 or 2-3-4-5-6"),
    "alchemist": (straight(frozenset({1, 2, 3, 4, 5, 6})), "1-2-3-4-5-6"),
    "bishop": (groups(3, 2), "three pairs"),
    "nobleman": (groups(2, 3), "two triples"),
    "general": (alike(6), "six alike"),
    "king": (alike(KING_NEEDS), "seven alike"),
}


@lru_cache(maxsize=65536)
def payable_cards(result: Faces, unknown: int = 0) -> frozenset[str]:
    """The cards that `result` certainly pays for, whatever its unread dice and `unknown` more dice show."""
    unread = result.count(UNREAD)
    known, unknown = result[unread:], unknown + unread
    return frozenset(card for card, (certain, _) in COSTS.items() if certain(known, unknown))
