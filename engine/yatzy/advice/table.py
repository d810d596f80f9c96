"""The exact value of every scoresheet for one player who maximises points.

A sheet is the set of filled boxes, the points of the upper half (capped at 63) and, in the American rules, whether the
Yatzy box holds 50. Its value is the expected number of points still to come under optimal play. It is found by backward
induction from the full sheet to the empty one (T. Verhoeff, "Optimal solitaire Yahtzee strategies", 1999: 254.5896 for
the American rules; M. Larsson and A. Sjöberg, 2012: 248.63 for the Scandinavian ones).

Within a turn, the 252 results of five dice and the 210 smaller multisets form a lattice. The value of kept dice is the
mean over the next die, size by size; the best choice of kept dice is the maximum over one die less, size by size. So no
transition matrix is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dice import Faces, rolls, together, without
from engine.yatzy.boxes import BONUS_FROM, DICE, FURTHER, ROLLS, UPPER, YATZY, YATZY_POINTS, Rules, points

Numbers = NDArray[np.float64]
Values = NDArray[np.floating[Any]]
"""Expected points to come, by [whether the Yatzy box holds 50, set of filled boxes, points of the upper half]."""

SUMS = BONUS_FROM + 1
CHUNK = 1024  # sheets solved together: their values for all multisets fit into the processor's cache
MULTISETS: tuple[tuple[Faces, ...], ...] = tuple(rolls(size) for size in range(DICE + 1))
PLACE: tuple[dict[Faces, int], ...] = tuple({dice: i for i, dice in enumerate(sets)} for sets in MULTISETS)

FIVES = tuple((face,) * DICE for face in range(1, 7))


@cache
def one_more(size: int) -> NDArray[np.intp]:
    """[multiset of this size, face] → index among the multisets with one more die."""
    return np.array([[PLACE[size + 1][together(dice, (f,))] for f in range(1, 7)] for dice in MULTISETS[size]])


@cache
def one_less(size: int) -> NDArray[np.intp]:
    """[multiset of this size, one of its dice] → index among the multisets with one die less."""
    return np.array([[PLACE[size - 1][without(dice, (f,)) or ()] for f in dice] for dice in MULTISETS[size]])


def kept_values(values: Numbers) -> list[Numbers]:
    """Values of the five dice → value of each multiset kept before the others are rolled, by its size."""
    levels = [values]
    for size in range(DICE - 1, -1, -1):
        above = one_more(size)
        mean = levels[-1][above[:, 0]]
        for face in range(1, 6):
            mean += levels[-1][above[:, face]]
        mean /= 6
        levels.append(mean)
    return levels[::-1]


def best_kept(levels: list[Numbers]) -> Numbers:
    """The value of five dice from which any may be kept: the maximum of `kept_values` over all subsets.

    Overwrites `levels`.
    """
    best = levels[0]
    for size in range(1, DICE + 1):
        below = one_less(size)
        found = levels[size]
        for die in range(size):
            np.maximum(found, best[below[:, die]], out=found)
        best = found
    return best


def box_values(rules: Rules, values: Values, held: int, filled: NDArray[np.intp], upper: NDArray[np.intp]) -> Numbers:
    """[result of five dice, sheet] → points now and to come with the best box.

    Args:
        values: The table, complete for sheets with one more box filled.
        held: 1 if the Yatzy box of these sheets holds 50.
        filled, upper: The sheets.
    """
    best = np.full((len(MULTISETS[DICE]), len(filled)), -np.inf)
    for box in rules.boxes:
        np.maximum(best, _in_box(rules, values, held, filled, upper, box), out=best)
    if rules.jokers:
        _apply_jokers(rules, values, held, filled, upper, best)
    return best


def _in_box(
    rules: Rules,
    values: Values,
    held: int,
    filled: NDArray[np.intp],
    upper: NDArray[np.intp],
    box: str,
    joker: bool = False,
) -> Numbers:
    """[result, sheet] → points now and to come with this box; minus infinity if it is filled."""
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
    found = [points(rules, box, dice, joker) for dice in (FIVES if joker else MULTISETS[DICE])]
    different, which = np.unique(found, return_inverse=True)
    return different, which


def _apply_jokers(
    rules: Rules, values: Values, held: int, filled: NDArray[np.intp], upper: NDArray[np.intp], best: Numbers
) -> None:
    """Replaces the values of five of a kind: jokers if the Yatzy box and the box of their face are filled, 100 more
    if the Yatzy box holds 50."""
    rows = [PLACE[DICE][dice] for dice in FIVES]
    jokers = np.maximum.reduce([_in_box(rules, values, held, filled, upper, box, joker=True) for box in rules.boxes])
    own = 1 << np.arange(len(UPPER))[:, None]
    allowed = (filled & own != 0) & (filled & 1 << rules.place(YATZY) != 0)
    best[rows] = np.where(allowed, jokers, best[rows]) + FURTHER * held


def turn_values(rules: Rules, values: Values, held: int, filled: NDArray[np.intp], upper: NDArray[np.intp]) -> Numbers:
    """The value of each of these sheets before its turn."""
    final = box_values(rules, values, held, filled, upper)
    for _ in range(ROLLS - 1):
        final = best_kept(kept_values(final))
    before: Numbers = kept_values(final)[0][0]
    return before


def solve(rules: Rules, first: int = 0) -> Numbers:
    """The table of every sheet reachable from one with the boxes `first` filled (a bit set; 0: all sheets).

    Unreachable sheets have the value 0.
    """
    boxes = len(rules.boxes)
    values = np.zeros((2 if rules.jokers else 1, 1 << boxes, SUMS))
    full = (1 << boxes) - 1
    sheets = [mask for mask in range(full) if mask & first == first]
    sheets.sort(key=lambda mask: -mask.bit_count())
    for _, masks in groupby(sheets, key=lambda mask: mask.bit_count()):
        for held, filled, upper in _chunks(rules, list(masks)):
            values[held, filled, upper] = turn_values(rules, values, held, filled, upper)
    return values


def _chunks(rules: Rules, masks: list[int]) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
    """These sets with every possible sum of the upper half, in chunks of about CHUNK sheets."""
    for held in (0, 1) if rules.jokers else (0,):
        possible = [mask for mask in masks if not held or mask & 1 << rules.place(YATZY)]
        sheets = [(mask, total) for mask in possible for total in upper_sums(mask & 63)]
        for start in range(0, len(sheets), CHUNK):
            part = np.array(sheets[start : start + CHUNK])
            yield held, part[:, 0], part[:, 1]


@cache
def upper_sums(filled: int) -> tuple[int, ...]:
    """The possible points of the upper half with these boxes filled (bits), capped at 63."""
    sums = {0}
    for place in range(len(UPPER)):
        if filled & 1 << place:
            sums = {min(BONUS_FROM, total + count * (place + 1)) for total in sums for count in range(DICE + 1)}
    return tuple(sorted(sums))


STEPS = 128  # a packed table counts in steps of 1/128 point


def packed(values: Values) -> NDArray[np.uint16]:
    """The table with 16 bits per number, accurate to 1/256 point. Half precision would leave 1/16 at 200."""
    return np.round(values * STEPS).astype(np.uint16)


def unpacked(numbers: NDArray[np.uint16]) -> NDArray[np.float32]:
    return numbers.astype(np.float32) / np.float32(STEPS)
