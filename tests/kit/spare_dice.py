"""Idle dice that rest beside the played ones from start to end, as a detector would see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from companion.game.referee.distances import covers
from tests.kit.detected import SimulatedPass
from tests.kit.truth import FrameTruth
from vision.dice.detections import Detections
from vision.table.layout import Layout, TableZone
from vision.types import Box

APART = 1.3  # minimum distance to anything else at any time, die widths
JITTER, MISSED, MISREAD = 0.02, 0.01, 0.01  # as in `DetectorErrors`
TRIES = 4000


def with_spare(
    passes: Iterable[tuple[SimulatedPass, FrameTruth]], layout: Layout, count: int, seed: int
) -> Iterator[tuple[SimulatedPass, FrameTruth]]:
    """The passes with `count` more dice in places of the rolling area where no other die ever rests; fewer if there is
    no room."""
    kept, rng = list(passes), np.random.default_rng((seed, 77))
    boxes = np.array([die.xyxy for _, truth in kept for die in truth.dice if die.xyxy is not None])
    width = float(np.median(boxes[:, 2] - boxes[:, 0]))
    taken = [*((boxes[:, :2] + boxes[:, 2:]) / 2)]
    size = kept[0][0].size
    spare: list[tuple[Box, int]] = []
    for x, y in rng.uniform(width, np.array(size) - width, (TRIES, 2)):
        box = (x - width / 2, y - width / 2, x + width / 2, y + width / 2)
        far = np.abs(np.array(taken) - (x, y)).max(axis=1).min() >= APART * width
        if len(spare) < count and far and layout.place(box, size) is TableZone.ROLLING:
            spare.append((box, int(rng.integers(1, 7))))
            taken.append(np.array((x, y)))
    for one_pass, truth in kept:
        yield replace(one_pass, detections=_more(one_pass, spare, width, rng)), truth


def _more(
    one_pass: SimulatedPass, spare: Iterable[tuple[Box, int]], width: float, rng: np.random.Generator
) -> Detections:
    """The detections of this pass, with those idle dice that no hand covers."""
    there = [one for one in spare if not covers(one_pass.motions.hands, one[0]) and rng.uniform() >= MISSED]
    if not there:
        return one_pass.detections
    found = one_pass.detections
    boxes = [np.array(box) + rng.normal(0, JITTER * width, 4) for box, _ in there]
    chances = np.full((len(there), 6), 0.006)
    for row, (_, value) in zip(chances, there, strict=True):
        row[int(rng.integers(6)) if rng.uniform() < MISREAD else value - 1] = 0.97
    return Detections(
        np.concatenate((found.xyxy, np.array(boxes))),
        np.concatenate((found.probabilities, chances)),
        np.concatenate((found.scores, np.full(len(there), 0.95))),
    )
