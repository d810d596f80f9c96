"""Proposes places of cards from matched features: each place is a similarity transform of a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.cards.faces import Index
from vision.cards.types import Features, Matrix

RATIO = 0.9  # distance ratio to the nearest other kind (Lowe 2004: 0.8; higher here, as images are compared next)
NEAR = 0.4  # card heights: bin size for the card's centre
TURN = 30.0  # degrees: bin size for the angle
SCALE = 0.6  # powers of two: bin size for the height
MOST_PROPOSED = 400
FIT = 0.06  # card heights: maximum residual of an inlier
MIN_INLIERS = 2  # features that support a proposal
MOST_ROWS = 2048  # features matched at once, which limits memory
HEIGHTS = (24.0, 4000.0)  # pixels: smallest and largest card that is proposed


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A possible place of a card.

    Attributes:
        face: Number of the face in the index.
        to_picture: (3, 3), card heights → pixels.
        support: Number of inliers.
    """

    face: int
    to_picture: Matrix
    support: int


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Pairs of matching features.

    Attributes:
        picture: (n,) rows of the image's features.
        taught: (n,) rows of the index.
        closeness: (n,) cosine of their descriptors.
    """

    picture: npt.NDArray[np.intp]
    taught: npt.NDArray[np.intp]
    closeness: npt.NDArray[np.float32]


def matches(seen: Features, index: Index) -> Matches:
    """Matches each feature to its nearest neighbour in the index, with a ratio test against the other kinds."""
    rows, columns, closeness = [], [], []
    kinds = index.kind_of_feature
    several = len(index.kinds) > 1
    if not len(kinds):
        return Matches(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32))
    starts = np.flatnonzero(np.diff(kinds, prepend=-1))
    for start in range(0, len(seen.points), MOST_ROWS):
        alike = seen.descriptors[start : start + MOST_ROWS] @ index.table.descriptors.T
        best = alike.argmax(axis=1)
        here = np.arange(len(best))
        nearest = alike[here, best]
        if several:
            by_kind = np.maximum.reduceat(alike, starts, axis=1)
            by_kind[here, np.searchsorted(starts, best, side="right") - 1] = -1
            second = by_kind.max(axis=1)
        else:
            second = np.full(len(best), 0.6, np.float32)  # typical cosine of unrelated features
        clear = np.maximum(0, 2 - 2 * nearest) < RATIO**2 * np.maximum(0, 2 - 2 * second)
        rows.append(start + here[clear])
        columns.append(best[clear])
        closeness.append(nearest[clear])
    if not rows:
        return Matches(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32))
    return Matches(np.concatenate(rows), np.concatenate(columns), np.concatenate(closeness))


def proposals(
    seen: Features, index: Index, found: Matches | None = None, heights: tuple[float, float] = HEIGHTS
) -> list[Proposal]:
    """Places where at least MIN_INLIERS features of a face agree, best supported first; kinds may repeat.

    A Hough transform over poses (Lowe 2004, section 7.3): each match predicts the card's centre, height and angle, and
    votes for this pose's bins and their neighbours. The cost grows linearly with the matches.

    Args:
        seen: Features of the image.
        index: Known cards.
        found: Matches between the two, computed if None.
        heights: Minimum and maximum height of a card, pixels.
    """
    found = matches(seen, index) if found is None else found
    if not len(found.picture):
        return []
    mine, taught = seen.chosen(found.picture), index.table.chosen(found.taught)
    face = index.owner[found.taught]
    height = mine.scales / np.maximum(1e-6, taught.scales)
    turn = mine.angles - taught.angles
    angle = np.radians(turn)
    aspects = np.array([one.aspect for one in index.faces], np.float32)
    away = (np.column_stack([aspects[face] / 2, np.full(len(face), 0.5, np.float32)]) - taught.points) * height[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    centre = mine.points + np.column_stack([cos * away[:, 0] - sin * away[:, 1], sin * away[:, 0] + cos * away[:, 1]])
    sized = np.flatnonzero((height > heights[0] * 0.7) & (height < heights[1] * 1.4))
    bins = _bins(face[sized], centre[sized], height[sized], turn[sized])
    order = np.argsort(bins.ravel(), kind="stable")
    voters = sized[order // bins.shape[1]]
    starts = np.flatnonzero(np.diff(bins.ravel()[order], prepend=-1))
    counts = np.diff(np.append(starts, len(order)))
    free = np.ones(len(face), np.bool_)
    proposed: list[Proposal] = []
    for number in np.lexsort((starts, -counts)):
        if counts[number] < MIN_INLIERS or len(proposed) >= MOST_PROPOSED:
            break
        members = voters[starts[number] : starts[number] + counts[number]]
        members = members[free[members]]
        if len(members) < MIN_INLIERS:
            continue
        fitted = fit(taught.points[members], mine.points[members])
        if fitted is None:
            continue
        matrix, inside = fitted
        distinct = len(np.unique(np.round(taught.points[members[inside]] * 40), axis=0))
        tall = float(np.hypot(matrix[0, 0], matrix[1, 0]))
        if distinct >= MIN_INLIERS and heights[0] <= tall <= heights[1]:
            proposed.append(Proposal(int(face[members[0]]), matrix, distinct))
            free[members[inside]] = False
    return sorted(proposed, key=lambda proposal: -proposal.support)


def _bins(
    face: npt.NDArray[np.intp],
    centre: npt.NDArray[np.floating[Any]],
    height: npt.NDArray[np.floating[Any]],
    turn: npt.NDArray[np.floating[Any]],
) -> npt.NDArray[np.int64]:
    """(n, 16) bin numbers each pose votes for: the two nearest in height, angle, x and y."""
    size = np.log2(np.maximum(1e-6, height)) / SCALE
    turned = (turn % 360) / TURN
    around = round(360 / TURN)
    rows = []
    for a in (0, 1):
        level = np.floor(size - 0.5).astype(np.int64) + a
        wide = NEAR * np.exp2((level + 0.5) * SCALE)
        for b in (0, 1):
            to = (np.floor(turned - 0.5).astype(np.int64) + b) % around
            for c in (0, 1):
                x = np.floor(centre[:, 0] / wide - 0.5).astype(np.int64) + c
                for d in (0, 1):
                    y = np.floor(centre[:, 1] / wide - 0.5).astype(np.int64) + d
                    key = face.astype(np.int64)
                    for value, span in ((level + 16, 64), (to, 64), (x % 8192, 8192), (y % 8192, 8192)):
                        key = key * span + value
                    rows.append(key)
    return np.stack(rows, axis=1)


def fit(taught: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> tuple[Matrix, npt.NDArray[np.bool_]] | None:
    """The similarity transform from reference to image points and the (n,) inliers, or None if there is none.

    Iterated least squares in the complex plane, p = a·q + b, dropping outliers each time. It is deterministic, and
    sufficient after the vote has removed most outliers.

    Args:
        taught: (n, 2) points of the face, card heights.
        seen: (n, 2) points of the image, pixels.
    """
    q = taught[:, 0].astype(np.complex128) + 1j * taught[:, 1]
    p = seen[:, 0].astype(np.complex128) + 1j * seen[:, 1]
    inside = np.ones(len(q), np.bool_)
    for _ in range(10):
        if inside.sum() < 2:
            return None
        dq, dp = q[inside] - q[inside].mean(), p[inside] - p[inside].mean()
        spread = float((np.abs(dq) ** 2).sum())
        if spread < 1e-6:
            return None
        a = (np.conj(dq) * dp).sum() / spread
        b = p[inside].mean() - a * q[inside].mean()
        left = np.abs(a * q + b - p) / max(1e-9, abs(a))
        now = left < max(FIT, 1.5 * float(np.median(left[inside])) if left[inside].max() > FIT else FIT)
        if (now == inside).all():
            break
        inside = now
    inside &= left < FIT
    matrix = np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0, 0, 1]], np.float64)
    return matrix, inside
