"""A second, plain implementation of Yatzy, written from the rules: lines of a record in, scoresheets out.

Also the plain expectation of a sheet with few open boxes, by recursion over every choice and every single roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product

from tests.referee.plain_table import need

Dice = tuple[int, ...]
TOP = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LISTS = {
    "scandinavian": [
        *(*TOP, "pair", "two-pairs", "three", "four"),
        *("small-straight", "large-straight", "full-house", "chance", "yatzy"),
    ],
    "american": [*TOP, "three", "four", "full-house", "small-straight", "large-straight", "yatzy", "chance"],
}


def scored(american: bool, box: str, dice: Dice, joker: bool) -> int:
    counts = Counter(dice)
    shape = sorted(counts.values(), reverse=True)
    row = "".join(sorted({str(die) for die in dice}))
    if box in TOP:
        return sum(die for die in dice if die == TOP.index(box) + 1)
    if box in ("yatzy", "chance"):
        return sum(dice) if box == "chance" else 50 * (shape == [5])
    if american:
        return {
            "three": sum(dice) * (shape[0] >= 3),
            "four": sum(dice) * (shape[0] >= 4),
            "full-house": 25 * (shape == [3, 2] or joker),
            "small-straight": 30 * (any(run in row for run in ("1234", "2345", "3456")) or joker),
            "large-straight": 40 * (row in ("12345", "23456") or joker),
        }[box]
    pairs = sorted((die for die in counts if counts[die] >= 2), reverse=True)
    return {
        "pair": 2 * pairs[0] if pairs else 0,
        "two-pairs": 2 * pairs[0] + 2 * pairs[1] if len(pairs) == 2 else 0,
        "three": sum(3 * die for die in counts if counts[die] >= 3),
        "four": sum(4 * die for die in counts if counts[die] >= 4),
        "small-straight": 15 * (row == "12345"),
        "large-straight": 20 * (row == "23456"),
        "full-house": sum(dice) * (shape == [3, 2]),
    }[box]


class PlainYatzy:
    """The table: sheets as dictionaries, the turn as lists."""

    def __init__(self, players: int, ruleset: str) -> None:
        self.american = ruleset == "american"
        self.boxes = LISTS[ruleset]
        self.sheets: list[dict[str, int]] = [{} for _ in range(players)]
        self.hundreds = [0] * players
        self.who = 0
        self.thrown = 0
        self.dice: list[int] = []
        self.kept: list[int] | None = None

    @property
    def over(self) -> bool:
        return all(len(sheet) == len(self.boxes) for sheet in self.sheets)

    def total(self, who: int) -> int:
        sheet = self.sheets[who]
        enough = sum(sheet.get(box, 0) for box in TOP) >= 63
        return sum(sheet.values()) + enough * (35 if self.american else 50) + 100 * self.hundreds[who]

    def line(self, text: str) -> None:
        seat, verb, *words = text.split()
        need(not self.over and "ABCDEF".index(seat) == self.who)
        if verb == "roll":
            self._roll([int(word) for word in words])
        elif verb == "keep":
            kept = [] if words == ["none"] else [int(word) for word in words]
            need(0 < self.thrown < 3 and self.kept is None and len(kept) < 5)
            need(not Counter(kept) - Counter(self.dice))
            self.kept = kept
        else:
            self._score(words[0])

    def _roll(self, dice: list[int]) -> None:
        need(self.thrown < 3 and (self.thrown == 0 or self.kept is not None))
        need(len(dice) == 5 - len(self.kept or []) and all(1 <= die <= 6 for die in dice))
        self.dice, self.kept, self.thrown = dice + (self.kept or []), None, self.thrown + 1

    def _score(self, box: str) -> None:
        sheet = self.sheets[self.who]
        need(self.thrown and box in self.boxes and box not in sheet)
        five = len(set(self.dice)) == 1
        joker = self.american and five and "yatzy" in sheet and TOP[self.dice[0] - 1] in sheet
        self.hundreds[self.who] += self.american and five and sheet.get("yatzy") == 50
        sheet[box] = scored(self.american, box, tuple(self.dice), joker)
        self.who = (self.who + 1) % len(self.sheets)
        self.thrown, self.dice, self.kept = 0, [], None


def expectation(ruleset: str, sheet: dict[str, int]) -> float:
    """Expected points still to come, bonuses included, under best play."""
    return _expectation(ruleset, tuple(sorted(sheet.items())))


@cache
def _expectation(ruleset: str, scores: tuple[tuple[str, int], ...]) -> float:
    sheet = dict(scores)
    table = PlainYatzy(1, ruleset)
    table.sheets[0] = sheet
    before, left = table.total(0), [box for box in table.boxes if box not in sheet]

    def finished(dice: Dice) -> float:
        def with_box(box: str) -> float:
            after = PlainYatzy(1, ruleset)
            after.sheets[0], after.dice, after.thrown = dict(sheet), list(dice), 3
            after._score(box)
            return after.total(0) - before + (expectation(ruleset, after.sheets[0]) if len(left) > 1 else 0.0)

        return max(map(with_box, left))

    value = cache(finished)
    for _ in range(2):
        value = cache(_chosen(value))
    return sum(value(tuple(sorted(dice))) for dice in product(range(1, 7), repeat=5)) / 6**5


def _chosen(value: Callable[[Dice], float]) -> Callable[[Dice], float]:
    """The value before the player chooses which of five dice to reroll."""

    @cache
    def rolled(kept: Dice) -> float:
        rolls = list(product(range(1, 7), repeat=5 - len(kept)))
        return sum(value(tuple(sorted(kept + roll))) for roll in rolls) / len(rolls)

    return lambda dice: max(rolled(kept) for size in range(6) for kept in set(combinations(dice, size)))
