"""Solves Yatzy for one player by backward induction, from the full scoresheet to the empty one.

T. Verhoeff, "Optimal solitaire Yahtzee strategies", 1999: 254.5896 points for the American rules; M. Larsson and
A. Sjöberg, 2012: 248.63 for the Scandinavian ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

import numpy as np

from engine.yatzy.advice.table import KEPT, Numbers, Sheets, Values, box_values, kept_values
from engine.yatzy.boxes import BONUS_FROM, DICE, ROLLS, UPPER, YATZY, Rules

SUMS = BONUS_FROM + 1
CHUNK = 1024  # sheets solved together: their values for all multisets fit into the processor's cache


def turn_values(rules: Rules, values: Values, sheets: Sheets) -> Numbers:
    """The value of each of these sheets before its turn."""
    final = box_values(rules, values, sheets)
    for _ in range(ROLLS - 1):
        final = KEPT.best(kept_values(final))
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
        for part in _chunks(rules, list(masks)):
            values[part] = turn_values(rules, values, part)
    return values


def _chunks(rules: Rules, masks: list[int]) -> Iterator[Sheets]:
    """These sets with every possible sum of the upper half, in chunks of about CHUNK sheets."""
    for held in (0, 1) if rules.jokers else (0,):
        possible = [mask for mask in masks if not held or mask & 1 << rules.place(YATZY)]
        sheets = [(mask, total) for mask in possible for total in upper_sums(mask & 63)]
        for start in range(0, len(sheets), CHUNK):
            part = np.array(sheets[start : start + CHUNK])
            yield Sheets(held, part[:, 0], part[:, 1])


@cache
def upper_sums(filled: int) -> tuple[int, ...]:
    """The possible points of the upper half with these boxes filled (bits), capped at 63."""
    sums = {0}
    for place in range(len(UPPER)):
        if filled & 1 << place:
            sums = {min(BONUS_FROM, total + count * (place + 1)) for total in sums for count in range(DICE + 1)}
    return tuple(sorted(sums))
