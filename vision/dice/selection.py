"""Selects weak candidates of a photo that are worth keeping, by the readers' outputs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.belief import MIN_FACE_CHANCE_REFINED
from vision.dice.detections import Detections
from vision.dice.nms import suppress
from vision.dice.tiling import Float

FAINT = 0.15  # minimum finder score for a candidate of a photo, unless the reader is certain
HARDLY = 0.01  # minimum finder score for reading a candidate of a photo at all
FINDER_CERTAIN = 0.5  # finder score from which the fast reader's doubts are ignored
# Below FAINT, a candidate counts if the reader gives its die and its face these probabilities.
SURELY_DIE, SURELY_FACE = 0.995, 0.97
# Or if the fast reader gives the die the first probability and the larger reader gives die and face the other two.
NEARLY_DIE, CLOSELY_DIE, CLOSELY_FACE = 0.9, 0.99, 0.95
# Legibility (probability of the die times that of its face) from which a candidate suppresses smaller ones inside it.
LEGIBLE_AT_ONCE = 0.85
SURELY_LEGIBLE = 0.98  # A candidate with this legibility is suppressed only by one with a better score
# If the probability of a one exceeds the first, the candidate may be a pip: the score of a box around it then only has
# to exceed the second times its own.
PERHAPS_ONE, A_PIP = 0.05, 0.4


def needs_closer_reading(scores: Float, seen: Detections) -> npt.NDArray[np.bool_]:
    """(n,) True for candidates that only the larger reader can decide: the finder hardly sees them, but the fast reader
    nearly takes them for dice.

    Args:
        scores: (n,) the finder's scores.
        seen: What the fast reader sees in each.
    """
    return _legible(scores, seen) & (scores < FAINT) & ~_certain(seen) & (seen.scores >= NEARLY_DIE)


def legible_candidates(
    boxes: Float, scores: Float, seen: Detections, unsure: npt.NDArray[np.bool_], closely: Detections
) -> npt.NDArray[np.intp]:
    """The indices of the candidates to keep; those inside others are suppressed by how well each can be read.

    Args:
        boxes: (n, 4) pixels.
        scores: (n,) the finder's scores.
        seen: What the fast reader sees in each.
        unsure: (n,) True for candidates that the larger reader has read too.
        closely: What the larger reader sees in these candidates.
    """
    # A large or touching die may score low with the finder although the reader is certain.
    certain = _certain(seen)
    certain[unsure] = (closely.scores >= CLOSELY_DIE) & (closely.confidences >= CLOSELY_FACE)
    kept = np.flatnonzero(_legible(scores, seen) & ((scores >= FAINT) | certain))
    plain, worth = seen.legible[kept], scores[kept] * seen.legible[kept]
    # Cards with pips and heaps of dice are also read as one large die; the dice on them must survive it.
    worse = np.where(seen.probabilities[kept, 0] >= PERHAPS_ONE, A_PIP, 1) * worth
    stands = np.where(plain >= SURELY_LEGIBLE, worse, 0)
    return kept[suppress(boxes[kept], worth, plain >= LEGIBLE_AT_ONCE, stands)]


def _legible(scores: Float, seen: Detections) -> npt.NDArray[np.bool_]:
    """(n,) True for candidates in which a die can be read. The fast reader may doubt a die out of focus that the finder
    is sure of; the larger reader decides later."""
    read = (seen.scores >= 0.5) & (seen.confidences >= 0.75 * MIN_FACE_CHANCE_REFINED)
    return np.asarray((scores >= FINDER_CERTAIN) | read, np.bool_)


def _certain(seen: Detections) -> npt.NDArray[np.bool_]:
    """(n,) True for candidates of which the fast reader is certain."""
    return np.asarray((seen.scores >= SURELY_DIE) & (seen.confidences >= SURELY_FACE), np.bool_)
