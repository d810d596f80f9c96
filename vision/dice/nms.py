"""Non-maximum suppression: which of many boxes are dice of their own, by overlap, distance and size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.tiling import Float

OVERLAPPING, INSIDE = 0.26, 0.7  # from which shares of common area two boxes are taken for one die
BEYOND_DOUBT = 0.95  # chance of a die times chance of its face of two that are found as one besides
ALIKE = 0.6  # the same, for boxes so alike that one look serves both
TOO_NEAR = 0.46  # of the mean of their longer sides: nearer than that the middles of two dice never lie
MUCH_LARGER = 2.5  # times the area from which a sure die swallows boxes within it …
FAR_BETTER, NO_PIP = 2.0, 45.0  # … unless one has so many times its score, or a better one and so small a part of it
LYING = 0.1  # chance of being printed below which a die surely lies there; how large such ones are tells the others:
ALIKE_IN_SIZE, SURE_OF_SIZE = 0.3, 6.0  # where logarithmic sizes so near to each other have so much for them …
SMALL = 48.0  # pixels: of dice half of which are smaller, some may have been overlooked


def suppress(
    xyxy: Float, scores: Float, surely: npt.NDArray[np.bool_], stands: Float | None = None
) -> npt.NDArray[np.int64]:
    """Rows to keep, best first, class or not: one die has one top face.

    surely: (n,) rows that are a die with some certainty; stands: (n,) scores below which these cannot swallow a row, by
    how it was read; what holds one that stands is a heap and swallows none. Without it, as nothing has been read, what
    may be a heap found as one die swallows nothing. A row
    falls when a much larger one of the sure rows swallows it, within which it lies (seen from near, a pip looks like a
    token); when it shares more than 0.26 (intersection over union) with a better one; when more than 0.7 of the smaller
    of the two lies in the other; or when their middles are nearer to each other than half a die. Of the 4,468 pairs of
    neighbours labelled in the training and development photos one alone shares more or lies nearer, and that is an
    error of the labels.
    """
    area = areas(xyxy)
    large = np.flatnonzero(surely & (area > MUCH_LARGER * area.min(initial=np.inf)))
    held = (area[large][:, None] > MUCH_LARGER * area) & (intersection_area(xyxy[large], xyxy) > INSIDE * area)
    if stands is not None:
        less = scores[large][:, None] >= stands
        held[(held & ~less).any(axis=1)] = False  # what holds a die that stands is a heap, and swallows none beside it
    else:
        held[_crowds(area, scores, large, held)] = False
    standing = np.asarray(~held.any(axis=0))
    x, y = xyxy[:, 0] + xyxy[:, 2], xyxy[:, 1] + xyxy[:, 3]  # twice the middles
    near = TOO_NEAR * (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    keep: list[int] = []
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:  # few do: what overlaps these alone is looked for, not all
            keep.append(row)
            shared = intersection_area(xyxy[row : row + 1], xyxy)[0]
            standing &= shared <= OVERLAPPING * (area[row] + area - shared)
            standing &= shared <= INSIDE * np.maximum(np.minimum(area[row], area), 1e-6)
            standing &= np.hypot(x - x[row], y - y[row]) >= near[row] + near
    return np.array(keep, dtype=np.int64)


def _crowds(
    area: Float, scores: Float, large: npt.NDArray[np.int64], held: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """(k,) True for rows that hold a much smaller one which is far better, or better and too small for a pip: heaps.

    A whole table of dice may be found as one. Of 1,246 boxes around dice in the development photos and in worse copies
    of them few have pips that are found twice as well, and none has pips of a 75th of its area. large: k rows; held:
    (k, n) which lie in them.
    """
    no_pip = area[large][:, None] > NO_PIP * area
    better = scores > np.where(no_pip, 1, FAR_BETTER) * scores[large][:, None]
    return np.asarray((held & better).any(axis=1))


def of_two(xyxy: Float, legible: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows in which two other rows lie beside each other, both legible beyond doubt, as they are not: two
    dice that touch, found as one. legible: (n,) chances of being a die and of its face."""
    area, shared = areas(xyxy), intersection_area(xyxy, xyxy)
    apart = shared <= OVERLAPPING * (area[:, None] + area - shared)
    within = (shared > INSIDE * area) & (legible > BEYOND_DOUBT) & (area[:, None] > area)  # column: in row
    two = np.einsum("ij,jk,ik->i", within.astype(np.int32), apart.astype(np.int32), within.astype(np.int32)) > 0
    return np.asarray(two & (legible < BEYOND_DOUBT))


def merged(xyxy: Float, scores: Float, kept: npt.NDArray[np.int64]) -> Float:
    """The boxes of the rows kept, each the mean of its near-copies among all rows, weighted by their scores.

    They tremble half as much as the best box of each die does (weighted boxes fusion: Solovyev, Wang and Gabruseva,
    Image and Vision Computing 107, 2021).
    """
    area, shared = areas(xyxy), intersection_area(xyxy[kept], xyxy)
    alike = shared > ALIKE * (area[kept][:, None] + area[None] - shared)
    alike[np.arange(len(kept)), kept] = True  # a box without area too
    weights = np.where(alike, scores[None], np.float32(0))
    return np.asarray(weights @ xyxy / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def thin(xyxy: Float, scores: Float) -> npt.NDArray[np.int64]:
    """Rows to keep, best first, when only near-copies of a better row shall go; a closer look decides the rest."""
    area, shared = areas(xyxy), intersection_area(xyxy, xyxy)
    overlapping = shared > ALIKE * (area[:, None] + area[None] - shared)
    keep: list[int] = []
    standing = np.ones(len(scores), np.bool_)
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:
            keep.append(row)
            standing &= ~overlapping[row]
    return np.array(keep, dtype=np.int64)


def areas(xyxy: Float) -> Float:
    """(n,)."""
    return np.asarray(np.maximum(xyxy[:, 2] - xyxy[:, 0], 0) * np.maximum(xyxy[:, 3] - xyxy[:, 1], 0))


def intersection_area(these: Float, those: Float) -> Float:
    """Common areas of k boxes with n others, (k, n)."""
    left, top, right, bottom = those.T
    wide = np.minimum(these[:, 2:3], right) - np.maximum(these[:, 0:1], left)
    high = np.minimum(these[:, 3:4], bottom) - np.maximum(these[:, 1:2], top)
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0))


def mostly_small(xyxy: Float, scores: Float, sure: float) -> bool:
    """Whether half of the dice found with at least the score `sure` are small; False where none was."""
    found = scores >= sure
    kept = suppress(xyxy[found], scores[found], found[found])
    sides = (xyxy[found][kept, 2:] - xyxy[found][kept, :2]).max(axis=1, initial=0)
    return bool(len(sides)) and float(np.median(sides)) < SMALL


def lonely_specks(xyxy: Float, scores: Float, *, sure: float, share: float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows smaller than `share` of the usual size of the sure rows, unless they are sure themselves.

    Dice on a table differ in size, but a crumb seen at full resolution is no die beside dice twenty times its size.
    sure: the score from which a row is trusted.
    """
    sides = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    trusted = sides[scores >= sure]
    if not len(trusted):
        return np.zeros(len(scores), bool)
    return np.asarray((sides < share * np.median(trusted)) & (scores < sure))


def usual_side(xyxy: Float, ink: Float) -> tuple[float, float]:
    """How long the longer side of a die is that surely lies there, and how much speaks for it: that of their middle,
    each weighed by how surely it is none of the printed ones. Nothing speaks for 0. ink: (n,) as for `printed`."""
    weight = np.log(LYING / np.clip(ink, 1e-4, LYING))
    if not weight.any():
        return 0.0, 0.0
    sides = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1)
    order = np.argsort(sides)
    rising = np.cumsum(weight[order])
    usual = float(sides[order][np.searchsorted(rising, rising[-1] / 2)])
    return usual, float(weight[np.abs(np.log(sides / usual)) < ALIKE_IN_SIZE].sum())
