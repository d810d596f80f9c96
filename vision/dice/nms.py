"""Non-maximum suppression: which of many boxes are separate dice, by overlap, distance and size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.tiling import Float

OVERLAPPING, INSIDE = 0.26, 0.7  # maximum intersection over union, and maximum share of the smaller box, of two dice
# Minimum legibility (probability of the die times that of its face) of two dice that were also found as one box.
# Intersection over union from which two boxes are near-duplicates, so that one reading serves both.
NEAR_DUPLICATE = 0.6
TOO_NEAR = 0.46  # in mean longer sides: two dice are never nearer, centre to centre
MUCH_LARGER = 2.5  # ratio of areas from which a sure die suppresses boxes inside it
# A box is a heap if one inside it scores FAR_BETTER times as high, or higher with a NO_PIP times smaller area.
FAR_BETTER, NO_PIP = 2.0, 45.0
SURELY_NOT_PRINTED = 0.1  # maximum probability of print for a die that counts for the usual size
# Log ratio of sides up to which dice support the usual size, and weight of evidence from which it is known.
ALIKE_IN_SIZE, SURE_OF_SIZE = 0.3, 6.0
SMALL_SIDE = 48.0  # pixels: if half of the dice are smaller, some may have been missed


def suppress(
    xyxy: Float, scores: Float, surely: npt.NDArray[np.bool_], stands: Float | None = None
) -> npt.NDArray[np.int64]:
    """Class-agnostic non-maximum suppression: a die has one top face.

    A row is removed if a better row

    - has an intersection over union above 0.26 with it,
    - shares more than 0.7 of the smaller box, or
    - is nearer than half a die, centre to centre.

    It is also removed if it is inside a much larger `surely` row, because close up a pip looks like a token. Of the
    4,468 labelled pairs of neighbours in the training and development photos one exceeds these limits, and that is a
    labelling error.

    Args:
        surely: (n,) rows that are a die with some certainty.
        stands: (n,) minimum score a box around this row needs to suppress it, from reading the row. A box that holds a
            row it cannot suppress is a heap and suppresses none. Without `stands`, heaps are recognised by score and
            size alone.

    Returns:
        Rows to keep, best first.
    """
    area = areas(xyxy)
    large = np.flatnonzero(surely & (area > MUCH_LARGER * area.min(initial=np.inf)))
    held = (area[large][:, None] > MUCH_LARGER * area) & (intersection_area(xyxy[large], xyxy) > INSIDE * area)
    if stands is not None:
        less = scores[large][:, None] >= stands
        # It holds a die it cannot suppress, so it is a heap and suppresses nothing.
        held[(held & ~less).any(axis=1)] = False
    else:
        held[_crowds(area, scores, large, held)] = False
    standing = np.asarray(~held.any(axis=0))
    x, y = xyxy[:, 0] + xyxy[:, 2], xyxy[:, 1] + xyxy[:, 3]  # twice the centres
    near = TOO_NEAR * (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    keep: list[int] = []
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:  # few rows remain, so overlaps are computed for these alone
            keep.append(row)
            shared = intersection_area(xyxy[row : row + 1], xyxy)[0]
            standing &= shared <= OVERLAPPING * (area[row] + area - shared)
            standing &= shared <= INSIDE * np.maximum(np.minimum(area[row], area), 1e-6)
            standing &= np.hypot(x - x[row], y - y[row]) >= near[row] + near
    return np.array(keep, dtype=np.int64)


def _crowds(
    area: Float, scores: Float, large: npt.NDArray[np.int64], held: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """(k,) True for boxes around a heap: they hold a much smaller row that scores far better, or better and is too
    small for a pip.

    A finder may box a whole heap of dice as one. In 1,246 boxes around dice of the development photos and degraded
    copies, pips rarely score twice as well as their die, and none has a 75th of its area.

    Args:
        large: The k rows to check.
        held: (k, n) which rows are inside them.
    """
    no_pip = area[large][:, None] > NO_PIP * area
    better = scores > np.where(no_pip, 1, FAR_BETTER) * scores[large][:, None]
    return np.asarray((held & better).any(axis=1))


def merged(xyxy: Float, scores: Float, kept: npt.NDArray[np.int64]) -> Float:
    """The boxes of the kept rows, each averaged with its near-duplicates, weighted by score.

    They jitter half as much as the best box of each die (weighted boxes fusion: Solovyev, Wang and Gabruseva, Image and
    Vision Computing 107, 2021).
    """
    area, shared = areas(xyxy), intersection_area(xyxy[kept], xyxy)
    alike = shared > NEAR_DUPLICATE * (area[kept][:, None] + area[None] - shared)
    alike[np.arange(len(kept)), kept] = True  # true for a box without area as well
    weights = np.where(alike, scores[None], np.float32(0))
    return np.asarray(weights @ xyxy / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def thin(xyxy: Float, scores: Float) -> npt.NDArray[np.int64]:
    """Rows to keep, best first, when only near-duplicates are removed; a refined pass decides the rest."""
    area, shared = areas(xyxy), intersection_area(xyxy, xyxy)
    overlapping = shared > NEAR_DUPLICATE * (area[:, None] + area[None] - shared)
    keep: list[int] = []
    standing = np.ones(len(scores), np.bool_)
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:
            keep.append(row)
            standing &= ~overlapping[row]
    return np.array(keep, dtype=np.int64)


def areas(xyxy: Float) -> Float:
    """(n,) areas in square pixels; 0 for an inverted box."""
    return np.asarray(np.maximum(xyxy[:, 2] - xyxy[:, 0], 0) * np.maximum(xyxy[:, 3] - xyxy[:, 1], 0))


def intersection_area(these: Float, those: Float) -> Float:
    """(k, n) areas that k boxes share with n others."""
    left, top, right, bottom = those.T
    wide = np.minimum(these[:, 2:3], right) - np.maximum(these[:, 0:1], left)
    high = np.minimum(these[:, 3:4], bottom) - np.maximum(these[:, 1:2], top)
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0))


def mostly_small(xyxy: Float, scores: Float, sure: float) -> bool:
    """Whether half of the dice scored at least `sure` are small. False without any."""
    found = scores >= sure
    kept = suppress(xyxy[found], scores[found], found[found])
    sides = (xyxy[found][kept, 2:] - xyxy[found][kept, :2]).max(axis=1, initial=0)
    return bool(len(sides)) and float(np.median(sides)) < SMALL_SIDE


def usual_side(xyxy: Float, ink: Float) -> tuple[float, float]:
    """The usual longer side of the real dice in an image, in pixels, and the weight of the evidence for it.

    It is the weighted median; each row weighs by the probability that it is not printed. Without evidence both are 0.

    Args:
        ink: (n,) probabilities of being printed.
    """
    weight = np.log(SURELY_NOT_PRINTED / np.clip(ink, 1e-4, SURELY_NOT_PRINTED))
    if not weight.any():
        return 0.0, 0.0
    sides = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1)
    order = np.argsort(sides)
    rising = np.cumsum(weight[order])
    usual = float(sides[order][np.searchsorted(rising, rising[-1] / 2)])
    return usual, float(weight[np.abs(np.log(sides / usual)) < ALIKE_IN_SIZE].sum())
