"""Which candidates are dice, by the scores of the networks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections
from vision.dice.tiling import Float

BELIEVED = 2.25  # the finder's and the last reader's logarithmic odds of a die, added, from which it is reported
PERHAPS = 0.5  # chance of a die from which a candidate of a still is reported
LEGIBLE, AT_LEAST = 0.4, 0.3  # chance of the likeliest face from which it is reported, at once and after a close look
SUREST = 1e-4  # scores are clipped to this and to 1 less this


def odds_of_die(seen: Detections, found: Float) -> Float:
    """(n,) The summed logarithmic odds of a die by the reader and by the finder, whose scores `found` holds."""
    chances = np.clip([seen.scores, found], SUREST, 1 - SUREST)
    return np.asarray(np.log(chances / (1 - chances)).sum(axis=0), np.float32)


def chance_of_die(odds: Float) -> Float:
    """(n,) The chance with these logarithmic odds."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def believed(seen: Detections, found: Float) -> npt.NDArray[np.bool_]:
    """(n,) Which candidates of a live picture are dice."""
    return np.asarray((odds_of_die(seen, found) >= BELIEVED) & (seen.confidences >= LEGIBLE))


def reported(read: Detections, chances: Float) -> npt.NDArray[np.bool_]:
    """(n,) Which candidates of a still are dice, by their chances of being one."""
    return np.asarray((chances >= PERHAPS) & (read.confidences >= AT_LEAST))
