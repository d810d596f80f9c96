"""What several looks at one die say together that it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.tracking.constants import CLOSE_SHARE, INDEPENDENT, MOST_APART, MOVING_SECONDS

Probabilities = tuple[float, float, float, float, float, float]


def worth(apart: float) -> float:
    """So many looks of a fast camera one tells as much as that comes so many seconds after the one before: pictures
    that lie farther apart err less alike."""
    return min(max(apart / MOVING_SECONDS, 1.0), MOST_APART)


def elected(looks: Sequence[Sequence[float]], close: Sequence[float] | None, before: Sequence[float]) -> Probabilities:
    """The chances of the six faces.

    looks: the log chances of each face by each quick look, one at least; close: by close looks; before: what was known
    before. Many alike looks count no more than INDEPENDENT ones, close looks for CLOSE_SHARE of all.
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
