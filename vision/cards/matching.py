"""Where taught cards may lie: places that many features agree on, each a similarity of the face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.cards.faces import Index
from vision.cards.types import Features, Matrix

RATIO = 0.9  # to the nearest feature of another kind (Lowe 2004: 0.8, but no comparison of the pictures follows there)
NEAR = 0.25  # card heights: features that agree on the card's middle
TURN = 25.0  # degrees
SCALE = 0.4  # powers of two
FIT = 0.06  # card heights: what a fitted place leaves over
LEAST = 2  # features
MOST_ROWS = 2048
HEIGHTS = (24.0, 4000.0)  # pixels: lower cards are not read


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A face may lie there. face: its number; to_picture: 3×3, card heights → pixels; support: features that agree."""

    face: int
    to_picture: Matrix
    support: int


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Rows of the picture's features and of the index that are each other's likeness."""

    picture: npt.NDArray[np.intp]
    taught: npt.NDArray[np.intp]
    closeness: npt.NDArray[np.float32]


def matches(seen: Features, index: Index) -> Matches:
    """Each feature's nearest taught one, where none of another kind is about as near."""
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
            second = np.full(len(best), 0.6, np.float32)  # cosine of unlike features, about
        clear = np.maximum(0, 2 - 2 * nearest) < RATIO**2 * np.maximum(0, 2 - 2 * second)
        rows.append(start + here[clear])
        columns.append(best[clear])
        closeness.append(nearest[clear])
    if not rows:
        return Matches(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32))
    return Matches(np.concatenate(rows), np.concatenate(columns), np.concatenate(closeness))


def proposals(seen: Features, index: Index, found: Matches | None = None) -> list[Proposal]:
    """Every place where at least LEAST features of a face agree; several of one kind may lie there."""
    found = matches(seen, index) if found is None else found
    proposed: list[Proposal] = []
    for face in np.unique(index.owner[found.taught]):
        mine = index.owner[found.taught] == face
        proposed += _of_one_face(
            int(face), seen.chosen(found.picture[mine]), index.table.chosen(found.taught[mine]), index
        )
    return sorted(proposed, key=lambda proposal: -proposal.support)


def _of_one_face(face: int, seen: Features, taught: Features, index: Index) -> list[Proposal]:
    """Greedy: the pose most features vote for, then the next among those left."""
    if len(seen.points) < LEAST:
        return []
    height = seen.scales / np.maximum(1e-6, taught.scales)
    turn = seen.angles - taught.angles
    angle = np.radians(turn)
    middle = np.array([index.faces[face].aspect / 2, 0.5], np.float32)
    to_middle = (middle - taught.points) * height[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    centre = seen.points + np.column_stack(
        [cos * to_middle[:, 0] - sin * to_middle[:, 1], sin * to_middle[:, 0] + cos * to_middle[:, 1]]
    )
    sized = (height > HEIGHTS[0] * 0.7) & (height < HEIGHTS[1] * 1.4)
    left = np.flatnonzero(sized)
    proposed = []
    while len(left) >= LEAST:
        apart = np.hypot(*(centre[left, None] - centre[None, left]).transpose(2, 0, 1))
        scale = np.abs(np.log2(height[left, None] / height[None, left]))
        turned = np.abs((turn[left, None] - turn[None, left] + 180) % 360 - 180)
        agree = (apart < NEAR * height[left, None]) & (scale < SCALE) & (turned < TURN)
        votes = agree.sum(axis=1)
        if votes.max() < LEAST:
            break
        members = left[agree[votes.argmax()]]
        fitted = fit(taught.points[members], seen.points[members])
        if fitted is not None:
            matrix, inside = fitted
            distinct = len(np.unique(np.round(taught.points[members[inside]] * 40), axis=0))
            tall = float(np.hypot(matrix[0, 0], matrix[1, 0]))
            if distinct >= LEAST and HEIGHTS[0] <= tall <= HEIGHTS[1]:
                proposed.append(Proposal(face, matrix, distinct))
        left = left[~np.isin(left, members)]
    return proposed


def fit(taught: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> tuple[Matrix, npt.NDArray[np.bool_]] | None:
    """The similarity that takes the taught points to the seen ones, and which points it fits; None where none does.

    Least squares in the complex plane, p = a·q + b, again and again without the worst; deterministic, and enough
    after the vote.
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
