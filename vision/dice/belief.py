"""Decides from the scores of the networks which candidates are reported as dice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections
from vision.dice.tiling import Float

MIN_LOG_ODDS = 2.25  # minimum sum of the finder's and the reader's log-odds for reporting a die
MIN_DIE_CHANCE = 0.5  # minimum probability of a die for reporting a candidate of a photo
# Minimum probability of the likeliest face for reporting a die: in a fast pass, in a refined pass.
MIN_FACE_CHANCE_FAST, MIN_FACE_CHANCE_REFINED = 0.4, 0.3
SCORE_CLIP = 1e-4  # scores are clipped to [SCORE_CLIP, 1 − SCORE_CLIP] before taking log-odds


def odds_of_die(seen: Detections, found: Float) -> Float:
    """(n,) sum of the log-odds of a die from the reader and from the finder.

    Args:
        seen: What the reader says of the candidates.
        found: (n,) the finder's scores.
    """
    chances = np.clip([seen.scores, found], SCORE_CLIP, 1 - SCORE_CLIP)
    return np.asarray(np.log(chances / (1 - chances)).sum(axis=0), np.float32)


def chance_of_die(odds: Float) -> Float:
    """(n,) probabilities for these log-odds."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def believed(seen: Detections, found: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for the candidates of a live frame that are reported."""
    return np.asarray((odds_of_die(seen, found) >= MIN_LOG_ODDS) & (seen.confidences >= MIN_FACE_CHANCE_FAST))


def reported(read: Detections, chances: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for the candidates of a photo that are reported, given their probabilities of being a die."""
    return np.asarray((chances >= MIN_DIE_CHANCE) & (read.confidences >= MIN_FACE_CHANCE_REFINED))
