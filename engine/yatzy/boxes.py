"""The boxes of the scoresheet and what five dice score in each, in both rulesets.

Scandinavian: pairs and more count their own dice, straights score 15 and 20, the upper half earns a bonus of 50 from 63
points. American: three and four of a kind count all dice, a small straight is four in a row, the upper half earns 35
from 63 points, further fives of a kind earn 100 each and are jokers.

The joker rule is the one of the published optimum (Verhoeff 1999). Once the Yatzy box is filled, with 50 or with 0, and
the box of the face too, five of a kind count as a full house and as both straights. The player may choose any open box.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.dice import Faces, rolls

DICE = 5
ROLLS = 3  # maximum number of rolls in a turn
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
BONUS_FROM = 63  # points in the upper half that earn its bonus: three of each face
YATZY = "yatzy"
YATZY_POINTS = 50
FURTHER = 100  # american rules: for each further five of a kind once the box holds 50


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset.

    Attributes:
        id: Its name in records.
        boxes: Ids of the boxes in the order of the sheet, the six of the upper half first.
        bonus: Points for an upper half of at least 63.
        jokers: Whether further fives of a kind earn 100 and count as jokers.
    """

    id: str
    boxes: tuple[str, ...]
    bonus: int
    jokers: bool

    def place(self, box: str) -> int:
        """Index of this box on the sheet."""
        return self.boxes.index(box)


_KINDS = ("pair", "two-pairs", "three", "four", "small-straight", "large-straight", "full-house", "chance", YATZY)
_AMERICAN = ("three", "four", "full-house", "small-straight", "large-straight", YATZY, "chance")
RULESETS: dict[str, Rules] = {
    "scandinavian": Rules("scandinavian", UPPER + _KINDS, bonus=50, jokers=False),
    "american": Rules("american", UPPER + _AMERICAN, bonus=35, jokers=True),
}


def points(rules: Rules, box: str, dice: Faces, joker: bool = False) -> int:
    """The score of five dice in a box, without the 100 for a further five of a kind.

    Raises:
        KeyError: Unknown box.
    """
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * dice.count(face)
    if box == "chance":
        return sum(dice)
    if box == YATZY:
        return YATZY_POINTS if five_alike(dice) else 0
    return _american(box, dice, joker) if rules.jokers else _scandinavian(box, dice)


def five_alike(dice: Faces) -> bool:
    """Whether all five dice show the same face."""
    return len(dice) == DICE and dice[0] == dice[-1]


@cache
def possible(rules: Rules, box: str) -> frozenset[int]:
    """The scores that a box can have."""
    jokers = (False, True) if rules.jokers else (False,)
    return frozenset(points(rules, box, dice, joker) for dice in rolls(DICE) for joker in jokers)


def _alike(dice: Faces, count: int) -> list[int]:
    """The faces that at least this many dice show, highest first."""
    return [face for face in range(6, 0, -1) if dice.count(face) >= count]


def _scandinavian(box: str, dice: Faces) -> int:
    pairs, triples, fours = (_alike(dice, count) for count in (2, 3, 4))
    return {
        "pair": 2 * max(pairs, default=0),
        "two-pairs": 2 * sum(pairs) if len(pairs) == 2 else 0,
        "three": 3 * sum(triples),
        "four": 4 * sum(fours),
        "small-straight": 15 if dice == (1, 2, 3, 4, 5) else 0,
        "large-straight": 20 if dice == (2, 3, 4, 5, 6) else 0,
        "full-house": sum(dice) if triples and len(pairs) == 2 else 0,
    }[box]


def _american(box: str, dice: Faces, joker: bool) -> int:
    pairs, triples, fours = (_alike(dice, count) for count in (2, 3, 4))
    four_in_a_row = any({low, low + 1, low + 2, low + 3} <= set(dice) for low in (1, 2, 3))
    return {
        "three": sum(dice) if triples else 0,
        "four": sum(dice) if fours else 0,
        "full-house": 25 if joker or (triples and len(pairs) == 2) else 0,
        "small-straight": 30 if joker or four_in_a_row else 0,
        "large-straight": 40 if joker or dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else 0,
    }[box]
