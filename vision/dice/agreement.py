"""Several looks at one still, in other sizes and mirrored, made one: what one look misses or imagines, few share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dice.detections import Detections, chosen
from vision.dice.nms import INSIDE, TOO_NEAR, areas, intersection_area
from vision.dice.print_filter import printed
from vision.dice.tiling import Float

FEW = 5  # dice: where no more were found, one that was missed matters most, and a second look costs least
SURELY_DIE = 0.97  # the least chance of a picture's dice with which nobody need look again. A face that is hard to
# tell is no reason: of more dice than a few a smaller look reads as many wrong as it mends.
UNLIKE = 2.0  # times as large as the other: boxes in two looks that are not of the same thing
SHARE = 3  # one look in so many must have seen a die for it to count


def doubtful(seen: Detections) -> bool:
    """Whether a second look is worth its time."""
    return len(seen) <= FEW or bool(seen.scores.min() < SURELY_DIE)


def agree(looks: Sequence[Detections]) -> bool:
    """Whether all saw the same dice with the same faces."""
    groups = _groups(looks)
    return all(len(group) == len(looks) and len({looks[i].faces[row] for i, row in group}) == 1 for group in groups)


def lone(looks: Sequence[Detections]) -> bool:
    """Whether the first look alone saw something: whether it counts, another one of its size says."""
    return any(len(group) == 1 and group[0][0] == 0 for group in _groups(looks))


def fused(looks: Sequence[Detections]) -> Detections:
    """One row for each die that a third of the looks saw: the logarithms of its chances averaged, less sure where looks
    contradict each other than the surest of them. What is printed, by what all of them say, is left out; of a die and
    what lies within it one remains.

    looks: boxes in pixels of the same picture.
    """
    groups = [group for group in _groups(looks) if SHARE * len(group) >= len(looks)]
    if not groups:
        return Detections.none()
    rows = [[looks[look] for look, _ in group] for group in groups]

    def mean(column: str) -> Float:
        return np.array(
            [
                np.mean([getattr(seen, column)[row] for seen, (_, row) in zip(some, group, strict=True)], axis=0)
                for some, group in zip(rows, groups, strict=True)
            ],
            np.float32,
        )

    chances = np.exp(
        [
            np.mean([np.log(np.maximum(looks[look].probabilities[row], 1e-4)) for look, row in group], axis=0)
            for group in groups
        ]
    )
    votes = np.array([len(group) for group in groups])
    fused = Detections(
        mean("xyxy"), chances / chances.sum(axis=1, keepdims=True), mean("scores"), mean("looks") * votes, mean("ink")
    )
    there = ~printed(fused.xyxy, fused.ink, still=True)
    fused = chosen(fused, there)
    return chosen(fused, ~_nested(fused.xyxy, votes[there]))


def _groups(looks: Sequence[Detections]) -> list[list[tuple[int, int]]]:
    """Which rows are one die, as (look, row), at most one of each look: nearest middles first, and no farther from each
    other than the middles of two dice can be."""
    groups: list[list[tuple[int, int]]] = []
    for number, seen in enumerate(looks):
        known = np.array(
            [np.mean([looks[look].xyxy[row] for look, row in group], axis=0) for group in groups], np.float32
        ).reshape(-1, 4)
        away = _apart(known, seen.xyxy)
        free = np.ones(len(seen), np.bool_)
        while away.size and away.min() < TOO_NEAR:
            group, row = np.unravel_index(int(away.argmin()), away.shape)
            groups[group].append((number, int(row)))
            away[group], away[:, row], free[row] = np.inf, np.inf, False
        groups += [[(number, int(row))] for row in np.flatnonzero(free)]
    return groups


def _apart(these: Float, those: Float) -> Float:
    """(k, n) How far the middles lie from each other, in mean longer sides; of a die and one of its pips infinitely."""
    sides = [np.maximum((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0), 1e-6) for boxes in (these, those)]
    middles = [(boxes[:, :2] + boxes[:, 2:]) / 2 for boxes in (these, those)]
    away = np.linalg.norm(middles[0][:, None] - middles[1], axis=2) / ((sides[0][:, None] + sides[1]) / 2)
    return np.where(abs(np.log(sides[0][:, None] / sides[1])) < np.log(UNLIKE), away, np.inf).astype(np.float32)


def _nested(xyxy: Float, votes: np.ndarray) -> np.ndarray:
    """(n,) True for rows that lie in another, or hold another, that more looks saw; of equals the larger remains: a pip
    may look like a die, and a die is no pip."""
    area = areas(xyxy)
    within = (intersection_area(xyxy, xyxy) > INSIDE * np.minimum(area[:, None], area)) & ~np.eye(len(area), dtype=bool)
    rank = np.lexsort((area, votes)).argsort()
    return np.asarray((within & (rank > rank[:, None])).any(axis=1))
