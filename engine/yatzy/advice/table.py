"""The exact value of every scoresheet for one player who maximises points.

A sheet is the set of filled boxes, the points of the upper half (capped at 63) and, in the American rules, whether the
Yatzy box holds 50. Its value is the expected number of points still to come under optimal play.
`scripts/yatzy_table.py` makes the table by backward induction from the full sheet to the empty one.

Within a turn, the 252 results of five dice and the 210 smaller multisets form a lattice. The value of kept dice is the
mean over the next die, size by size; the best choice of kept dice is the maximum over one die less, size by size. So no
transition matrix is needed.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.advice.kept_dice import KeptDice
from engine.yatzy.boxes import BONUS_FROM, DICE, FURTHER, UPPER, YATZY, YATZY_POINTS, Rules, points

Numbers = NDArray[np.float64]
Values = NDArray[np.floating[Any]]
"""Expected points to come, by [whether the Yatzy box holds 50, set of filled boxes, points of the upper half]."""


class Sheets(NamedTuple):
    """Scoresheets that are alike in their Yatzy box.

    Attributes:
        held: 1 if that box holds 50.
        filled: Sets of filled boxes, as bits.
        upper: Points of the upper half, capped at 63.
    """

    held: int
    filled: NDArray[np.intp]
    upper: NDArray[np.intp]


KEPT = KeptDice(DICE)
RESULTS = KEPT.sets[DICE]
FIVES = tuple((face,) * DICE for face in range(1, 7))


def kept_values(values: Numbers) -> list[Numbers]:
    """Values of the five dice → value of each kept multiset before the others are rolled, by its size."""
    levels = KEPT.rolled(values)
    return [*(level / 6 ** (DICE - size) for size, level in enumerate(levels[:-1])), values]


def box_values(rules: Rules, values: Values, sheets: Sheets) -> Numbers:
    """[result of five dice, sheet] → points now and to come with the best box.

    values: The table, complete for sheets with one more box filled.
    """
    best = np.full((len(RESULTS), len(sheets.filled)), -np.inf)
    for box in rules.boxes:
        np.maximum(best, _in_box(rules, values, sheets, box), out=best)
    if rules.jokers:
        _apply_jokers(rules, values, sheets, best)
    return best


def _in_box(rules: Rules, values: Values, sheets: Sheets, box: str, joker: bool = False) -> Numbers:
    """[result, sheet] → points now and to come with this box; minus infinity if it is filled."""
    held, filled, upper = sheets
    bit = 1 << rules.place(box)
    possible, which = scores(rules, box, joker)
    found = np.empty((len(possible), len(filled)))
    for row, score in enumerate(possible):
        now_held = 1 if box == YATZY and rules.jokers and score == YATZY_POINTS else held
        total = np.minimum(upper + score, BONUS_FROM) if box in UPPER else upper
        reached = (total == BONUS_FROM) & (upper < BONUS_FROM)
        found[row] = score + values[now_held, filled | bit, total] + rules.bonus * reached
    found[:, filled & bit != 0] = -np.inf
    result: Numbers = found[which]
    return result


@cache
def scores(rules: Rules, box: str, joker: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The scores that a box can have, and which of them each result of five dice scores. For a joker, five of a kind
    only."""
    found = [points(rules, box, dice, joker) for dice in (FIVES if joker else RESULTS)]
    different, which = np.unique(found, return_inverse=True)
    return different, which


def _apply_jokers(rules: Rules, values: Values, sheets: Sheets, best: Numbers) -> None:
    """Replaces the values of five of a kind: jokers if the Yatzy box and the box of their face are filled, 100 more
    if the Yatzy box holds 50."""
    rows = [KEPT.place[DICE][dice] for dice in FIVES]
    jokers = np.maximum.reduce([_in_box(rules, values, sheets, box, joker=True) for box in rules.boxes])
    own = 1 << np.arange(len(UPPER))[:, None]
    allowed = (sheets.filled & own != 0) & (sheets.filled & 1 << rules.place(YATZY) != 0)
    best[rows] = np.where(allowed, jokers, best[rows]) + FURTHER * sheets.held
