"""Cards that simulated players turn by a quarter when they use them, as a camera would see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from companion.game.referee.card_marks import CardMarks
from scripts.simulation.truth import Truth
from vision.types import Reading

TURNED = 0.95  # chance that a player turns a card she uses …
AROUND_SECONDS = 1.0  # … so long before its dice have been turned, or after
SEEN_SECONDS = 0.9  # until a card that lies across is read as one
MISREAD = 0.003  # chance that one that was not used is


def with_cards(
    seen: Iterable[tuple[Reading, Truth]], begun: Any, seed: int
) -> Iterator[tuple[Reading, Sequence[str], CardMarks]]:
    """Readings of a turn, what a person enters then, and how the cards of the seat on turn lie."""
    frames = list(seen)
    rng = np.random.default_rng((seed, 8))
    owned = frozenset(begun.tableau(begun.seat))
    across = [
        (truth.seconds + rng.uniform(-AROUND_SECONDS, AROUND_SECONDS) + SEEN_SECONDS, line.split()[2])
        for _, truth in frames
        for line in truth.done
        if line.split()[1] == "use" and rng.uniform() < TURNED
    ]
    across += [(rng.uniform(0, frames[-1][1].seconds), card) for card in sorted(owned) if rng.uniform() < MISREAD]
    marks = None
    for reading, truth in frames:
        turned = owned & {card for seconds, card in across if seconds <= truth.seconds}
        if marks is None or marks.turned != turned:
            marks = CardMarks(begun.seat, turned, owned - turned, habit=0.9)
        yield reading, truth.entered, marks
