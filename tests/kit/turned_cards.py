"""Simulated players turn the cards they use by a quarter; this module simulates what a camera sees of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from companion.game.referee.card_marks import CardMarks
from tests.kit.truth import FrameTruth
from vision.types import Reading

TURNED = 0.95  # probability that a player turns a used card
AROUND_SECONDS = 1.0  # maximum seconds between turning the card and turning its dice
SEEN_SECONDS = 0.9  # seconds until a turned card is read as turned
MISREAD = 0.003  # probability that an unused card is read as turned
HIDDEN, COVERED = 0.35, 0.15  # probability that a turned card, and an upright one, is hidden under another


def with_cards(
    seen: Iterable[tuple[Reading, FrameTruth]], begun: Any, seed: int
) -> Iterator[tuple[Reading, Sequence[str], CardMarks]]:
    """Readings of a turn, the lines that a person enters, and the positions of the cards of the seat on turn."""
    frames = list(seen)
    rng = np.random.default_rng((seed, 8))
    owned = frozenset(begun.tableau(begun.seat))
    across = [
        (truth.seconds + rng.uniform(-AROUND_SECONDS, AROUND_SECONDS) + SEEN_SECONDS, line.split()[2])
        for _, truth in frames
        for line in truth.done
        if line.split()[1] == "use" and rng.uniform() < TURNED
    ]
    over = frames[-1][1].seconds
    hidden = [one for one in across if rng.uniform() < HIDDEN]
    across = [one for one in across if one not in hidden]
    across += [(rng.uniform(0, over), card) for card in sorted(owned) if rng.uniform() < MISREAD]
    hidden += [(rng.uniform(0, over), card) for card in sorted(owned) if rng.uniform() < COVERED]
    marks = None
    for reading, truth in frames:
        turned, gone = (
            owned & {card for seconds, card in some if seconds <= truth.seconds} for some in (across, hidden)
        )
        if marks is None or (marks.turned, marks.gone) != (turned, gone - turned):
            marks = CardMarks(begun.seat, turned, owned - turned - gone, turn_rate=0.9, gone=gone - turned)
        yield reading, truth.entered, marks
