"""Combines the face probabilities of several passes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.tracking.constants import CLOSE_SHARE, INDEPENDENT, MOVING_SECONDS, RESTING_PASSES

Probabilities = tuple[float, float, float, float, float, float]


def worth(apart: float) -> float:
    """Weight of a pass that comes `apart` seconds after the one before, in fast-camera passes. Errors of frames farther
    apart are less correlated."""
    return min(max(apart / MOVING_SECONDS, 1.0), RESTING_PASSES)


def elected(looks: Sequence[Sequence[float]], close: Sequence[float] | None, before: Sequence[float]) -> Probabilities:
    """Combines readings to probabilities of the six faces.

    Args:
        looks: Log chances of each face by each fast pass; at least one. Their total weight is at most INDEPENDENT,
            because their errors are correlated.
        close: Mean log chances of the refined passes; their weight is CLOSE_SHARE.
        before: Log chances known before.
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
