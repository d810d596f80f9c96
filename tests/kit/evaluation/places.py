"""Results by position in the photo, because a wide-angle camera sees different sides of dice at different positions.

Seen obliquely, the face nearest to the upper edge of the photo is the top. Seen from straight above, a die low in the
photo shows the side that faces the middle above its top face, and that side may be read instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.bench.vision import Measured, share
from vision.dice.scoring import ASK

THIRDS = ("upper third", "middle third", "lower third")


def places_table(measured: Sequence[Measured], heights: Sequence[int]) -> str:
    """One line for each third of the photos, in Markdown. heights: of the photos, pixels."""
    counts = np.zeros((len(THIRDS), 4), np.int64)  # dice, right, misread, undetected
    for one, height in zip(measured, heights, strict=True):
        outcome = one.outcome
        middles = outcome.truth.xyxy[:, [1, 3]].mean(axis=1) / height
        third = np.minimum((middles * len(THIRDS)).astype(int), len(THIRDS) - 1)
        np.add.at(counts[:, 0], third, 1)
        wrong = set(outcome.wrong)
        for pair in outcome.pairs:
            row = counts[third[pair[0]]]
            row[1] += pair not in wrong
            row[2] += pair in wrong
            row[3] += pair in wrong and outcome.seen.confidences[pair[1]] >= ASK
    lines = ["| place | dice | read right | misread | undetected |", "|---|---:|---|---:|---|"]
    for name, (dice, right, misread, undetected) in zip(THIRDS, counts.tolist(), strict=True):
        lines.append(f"| {name} | {dice} | {share(right, dice)} | {misread} | {share(undetected, dice)} |")
    return "\n".join(lines)
