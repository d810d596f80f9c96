"""Combines the face probabilities of several passes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.tracking.constants import INDEPENDENT, MOVING_SECONDS, REFINED_SHARE, RESTING_PASSES

Probabilities = tuple[float, float, float, float, float, float]


def pass_weight(interval: float) -> float:
    """Weight of a pass that comes `interval` seconds after the one before, in fast-camera passes. The longer the
    interval, the less correlated are the errors."""
    return min(max(interval / MOVING_SECONDS, 1.0), RESTING_PASSES)


def elected(
    fast_logs: Sequence[Sequence[float]], refined_logs: Sequence[float] | None, prior_logs: Sequence[float]
) -> Probabilities:
    """Combines readings to probabilities of the six faces.

    Args:
        fast_logs: Log chances of each face by each fast pass; at least one. Their total weight is at most INDEPENDENT,
            because their errors are correlated.
        refined_logs: Mean log chances of the refined passes; their weight is REFINED_SHARE.
        prior_logs: Log chances of each face that were known before these passes.
    """
    weight = min(len(fast_logs), INDEPENDENT) / len(fast_logs)
    logs = [weight * sum(face) for face in zip(*fast_logs, strict=True)]
    if refined_logs:
        logs = [REFINED_SHARE * c + (1 - REFINED_SHARE) * q for c, q in zip(refined_logs, logs, strict=True)]
    logs = [log + known for log, known in zip(logs, prior_logs, strict=True)]
    best = max(logs)
    shares = [math.exp(log - best) for log in logs]
    total = sum(shares)
    a, b, c, d, e, f = (share / total for share in shares)
    return a, b, c, d, e, f


def likeliest(chances: Probabilities) -> int:
    """The likeliest face, 1..6."""
    return max(range(6), key=chances.__getitem__) + 1
