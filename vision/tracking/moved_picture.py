"""Recognises that not the dice have moved but the whole picture: the camera was knocked, or the picture rotated."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from itertools import combinations, permutations

from vision.boxes import centre, width
from vision.tracking.constants import ALIKE, GROWN, STEADY, STEADY_SINGLE, TURNED
from vision.types import SeenDie


def moved_with_picture(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> dict[int, int] | None:
    """Track now → track before, if all dice moved alike because the camera was knocked or the frame rotated by
    quarters.

    None otherwise, and for fewer than two dice.
    """
    if len(before) != len(now) or len(now) < 2 or not any(die.new for die in now):
        return None
    side = sum(width(die.xyxy) for die in now) / len(now)
    away = [die for die in now if all(abs(_place(die) - _place(old)) > STEADY * side for old in before)]
    if away and len(now) - len(away) >= max(2, len(away)):
        return None  # the others did not move
    moved = sum(map(_place, now)) / len(now) - sum(map(_place, before)) / len(before)
    if abs(moved) < STEADY_SINGLE * side and sum(die.new for die in now) == 1:
        return None  # several dice do not all return to their places: the camera turned away and back
    tracks = {die.track for die in before}
    quarters = (0, 1, 2, 3) if all(die.track not in tracks for die in now) else (0,)  # rotation loses the tracks
    return next((same for turn in quarters if (same := _same(before, now, turn)) is not None), None)


def _same(before: Sequence[SeenDie], now: Sequence[SeenDie], quarters: int) -> dict[int, int] | None:
    """Matches `now` to `before` after a rotation by `quarters` and a little more; track now → track before, or None.

    Two dice determine the transformation; all others must fit it.
    """
    one, two = max(combinations(now, 2), key=lambda pair: abs(_place(pair[0]) - _place(pair[1])))
    if _place(one) == _place(two):
        return None
    was = sum(width(die.xyxy) for die in before) / len(before)
    for old, other in permutations(before, 2):
        if (old.value, other.value) != (one.value, two.value) or _place(old) == _place(other):
            continue
        turn = (_place(two) - _place(one)) / (_place(other) - _place(old))
        angle = cmath.phase(turn * 1j**quarters)
        grown = abs(math.log(abs(turn))) if not quarters else 0.0  # a picture rotated upright is reduced to fit
        if abs(angle) > math.radians(TURNED) or grown > GROWN:
            continue
        same: dict[int, int] = {}
        for die in now:
            place = _place(old) + (_place(die) - _place(one)) / turn
            matches = [old for old in before if old.value == die.value and abs(place - _place(old)) <= ALIKE * was]
            if matches:
                same[die.track] = min(matches, key=lambda old: abs(place - _place(old))).track
        if len(set(same.values())) == len(now):
            return same
    return None


def _place(die: SeenDie) -> complex:
    """The centre as x + y·i, pixels, so that a similarity transform is a·z + b."""
    return complex(*centre(die.xyxy))
