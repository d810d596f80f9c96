"""A brute-force solver: the odds of a turn directly from the rules, slow and exact. The oracle for engine/krone/advice.

It shares no code with the fast solver: dice are sorted tuples, probabilities are Fractions, and every legal choice is
tried, with memoisation only. Good for about six dice, or four dice and four cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

Dice = tuple[int, ...]
CardSet = tuple[str, ...]

START_DICE = {"farmer": 1, "charlatan": 1, "general": 2}
ADDED_FACE = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}


def groups(dice: Dice, size: int) -> int:
    """Number of groups of `size` equal dice."""
    return sum(n // size for n in Counter(dice).values())


COSTS: dict[str, Callable[[Dice], bool]] = {
    "farmer": lambda d: groups(d, 2) >= 1,
    "maid": lambda d: all(x % 2 for x in d),
    "philosopher": lambda d: not any(x % 2 for x in d),
    "laborer": lambda d: sum(d) >= 15,
    "guard": lambda d: groups(d, 3) >= 1,
    "hunter": lambda d: groups(d, 4) >= 1,
    "astronomer": lambda d: groups(d, 2) >= 2,
    "merchant": lambda d: sum(d) >= 20,
    "noblewoman": lambda d: (
        any(x != y and d.count(x) >= 3 and d.count(y) >= 2 for x in d for y in d) or groups(d, 5) >= 1
    ),
    "pawnbroker": lambda d: sum(d) >= 30,
    "knight": lambda d: groups(d, 5) >= 1,
    "magician": lambda d: set(d) >= {1, 2, 3, 4, 5} or set(d) >= {2, 3, 4, 5, 6},
    "alchemist": lambda d: set(d) == {1, 2, 3, 4, 5, 6},
    "bishop": lambda d: groups(d, 2) >= 3,
    "nobleman": lambda d: groups(d, 3) >= 2,
    "general": lambda d: groups(d, 6) >= 1,
    "king": lambda d: groups(d, 7) >= 1,
}


def beats(count: int, face: int, equal: bool) -> Callable[[Dice], bool]:
    """Whether a result's best group is above the threshold (or equals it)."""

    def test(dice: Dice) -> bool:
        best = max(((n, f) for f, n in Counter(dice).items()), default=(0, 0))
        return best > (count, face) or (equal and best == (count, face))

    return test


@cache
def throws(n: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Every multiset that n dice can show, with its probability."""
    found = []
    for dice in combinations_with_replacement(range(1, 7), n):
        ways = factorial(n) // prod(factorial(k) for k in Counter(dice).values())
        found.append((dice, Fraction(ways, 6**n)))
    return tuple(found)


def parts(dice: Dice) -> set[Dice]:
    """Every non-empty part of the dice."""
    return {part for k in range(1, len(dice) + 1) for part in combinations(dice, k)}


def without(dice: Dice, part: Dice) -> Dice:
    """The dice without these."""
    rest = list(dice)
    for x in part:
        rest.remove(x)
    return tuple(rest)


def plus(dice: Dice, more: Dice) -> Dice:
    """All these dice in ascending order."""
    return tuple(sorted(dice + more))


def changes(card: str, active: Dice, kept: Dice) -> Iterator[tuple[Dice, Dice]]:
    """(dice named, what they show afterwards) for every use of a card that turns active dice, uses without effect
    included."""
    if card == "maid":
        yield from (((x,), (x + n,)) for x in set(active) for n in (1, 2, 3) if x + n <= 6)
    elif card == "magician":
        yield from (((x,), (y,)) for x in set(active) for y in range(1, 7))
    elif card == "astronomer":
        yield from (((x,), (y,)) for x in set(active) for y in set(kept))
    elif card == "philosopher":
        for x, y in set(combinations(active, 2)):
            yield from (((x, y), (x + n, y - n)) for n in range(-5, 6) if 1 <= x + n <= 6 and 1 <= y - n <= 6)
    elif card == "alchemist":
        for named in {part for k in (2, 3) for part in combinations(active, k)}:
            yield from ((named, new) for new in product(range(1, 7), repeat=len(named)) if sum(new) == sum(named))
    elif card in ("noblewoman", "nobleman"):
        step = 1 if card == "noblewoman" else 2
        yield from ((part, tuple(x + step for x in part)) for part in parts(active) if max(part, default=0) + step <= 6)


CardOutcomes = list[tuple[Fraction, Dice]]  # chance, active dice


def added_faces(card: str) -> tuple[int, ...]:
    """The faces that the die added by this card may show."""
    return tuple(range(1, 7)) if card == "queen" else (ADDED_FACE[card],) if card in ADDED_FACE else ()


def uses(card: str, active: Dice, kept: Dice, room: bool) -> Iterator[CardOutcomes]:
    """The active dice after each use of a card. room: a die may be added."""
    if room:
        yield from ([(Fraction(1), plus(active, (face,)))] for face in added_faces(card))
    for named, new in changes(card, active, kept):
        if sorted(named) != sorted(new):
            yield [(Fraction(1), plus(without(active, named), new))]
    if card in ("fool", "merchant"):
        for part in parts(active):
            if card == "merchant" or len(part) == 1:
                yield [(p, plus(without(active, part), new)) for new, p in throws(len(part))]


class _Solver:
    """Solves one goal under one ruleset, with memoisation."""

    def __init__(self, goal: Callable[[Dice], bool], ruleset: str, supply: int | None) -> None:
        self._goal, self._early, self._supply = goal, ruleset == "amigo2006", supply
        self.chance, self._roll, self._first_roll = cache(self._chance), cache(self._rolled), cache(self._first_rolled)

    def begin(self, cards: CardSet, used: CardSet = (), hand: int = 3) -> Fraction:
        """The probability before the first roll, with `hand` dice in addition to those of the cards."""
        return self._first_roll(hand + dice_of(cards, used), unused_of(cards, used))

    def _chance(self, active: Dice, kept: Dice, unused: CardSet, duty: bool) -> Fraction:
        """The probability under best play between rolls. `duty`: a die was set aside since the last normal roll."""
        options = [Fraction(0)]
        if not active:
            options.append(Fraction(self._goal(kept)))
        elif duty:
            options.append(self._roll(len(active), kept, unused))
        for part in parts(active):
            options.append(self.chance(without(active, part), plus(kept, part), unused, True))
        for i, card in enumerate(unused):
            left = unused[:i] + unused[i + 1 :]
            for outcomes in uses(card, active, kept, self._room(active, kept)):
                options.append(sum((p * self.chance(dice, kept, left, duty) for p, dice in outcomes), Fraction(0)))
        return max(options)

    def _rolled(self, n: int, kept: Dice, unused: CardSet) -> Fraction:
        return sum((p * self.chance(dice, kept, unused, False) for dice, p in throws(n)), Fraction(0))

    def _first_rolled(self, n: int, unused: CardSet) -> Fraction:
        """The probability before the first roll of n dice."""
        options = [self._roll(n, (), unused)]
        if self._early and self._room((0,) * n, ()):
            for i, card in enumerate(unused):
                if added_faces(card):
                    options.append(self._first_roll(n + 1, unused[:i] + unused[i + 1 :]))
        return max(options)

    def _room(self, active: Dice, kept: Dice) -> bool:
        return self._supply is None or len(active) + len(kept) < self._supply


def solver(
    goal: Callable[[Dice], bool], ruleset: str = "amigo2006", supply: int | None = 12
) -> tuple[Callable[..., Fraction], Callable[..., Fraction]]:
    """`chance(active, kept, unused, duty)` and `begin(cards, used)` for one goal, with a common memory."""
    found = _Solver(goal, ruleset, supply)
    return found.chance, found.begin


def dice_of(cards: CardSet, used: CardSet) -> int:
    """The number of dice that the cards add to the first roll."""
    return sum(START_DICE.get(c, 0) for c in cards) + sum(c in ADDED_FACE or c == "queen" for c in used)


def unused_of(cards: CardSet, used: CardSet = ()) -> CardSet:
    """The cards that can still be used this turn, in a fixed order."""
    rest = list(cards)
    for card in used:
        rest.remove(card)
    return tuple(sorted(c for c in rest if c not in START_DICE and c != "king"))
