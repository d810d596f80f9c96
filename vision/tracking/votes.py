"""Combines the face probabilities of several passes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.tracking.constants import CLOSE_SHARE, INDEPENDENT, MOST_APART, MOVING_SECONDS

Probabilities = tuple[float, float, float, float, float, float]


def worth(apart: float) -> float:
    """How many fast-camera passes one pass is worth that comes `apart` seconds after the one before: distant frames err
    less alike."""
    return min(max(apart / MOVING_SECONDS, 1.0), MOST_APART)


def elected(looks: Sequence[Sequence[float]], close: Sequence[float] | None, before: Sequence[float]) -> Probabilities:
    """The combined probabilities of the six faces.

    Args:
        looks: Log chances of each face by each fast pass, at least one. Many similar passes count no more than
            INDEPENDENT.
        close: Mean log chances of refined passes, which count for CLOSE_SHARE of all.
        before: What was known before.
    """
    weight = min(len(looks), INDEPENDENT) / len(looks)
    logs = [weight * sum(face) for face in zip(*looks, strict=True)]
    if close:
        logs = [CLOSE_SHARE * c + (1 - CLOSE_SHARE) * q for c, q in zip(close, logs, strict=True)]
    logs = [log + known for log, known in zip(logs, before, strict=True)]
    best = max(logs)
    shares = [math.exp(log - best) for log in logs]
    total = sum(shares)
    a, b, c, d, e, f = (share / total for share in shares)
    return a, b, c, d, e, f


def likeliest(chances: Probabilities) -> int:
    """The likeliest face, 1..6."""
    return max(range(6), key=chances.__getitem__) + 1
