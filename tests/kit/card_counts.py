"""Counts how many cards of drawn tables are read correctly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from tests.kit.card_table import Conditions, PlacedCard, photograph_cards, spread
from tests.kit.dice import Picture
from tests.kit.editions import KINDS, face
from vision.cards.card_reader import CardReader
from vision.cards.faces import Face, Index
from vision.cards.types import SeenCard

VISIBLE = 0.4  # share of a card that must be visible for it to count


def reader_of(edition: int, taught: Collection[int]) -> CardReader:
    """A reader that has learned these kinds of a drawn edition from one image each."""
    return CardReader(Index([Face(str(kind), face(edition, kind)) for kind in sorted(taught)]))


def drawn_table(edition: int, taught: Collection[int], seed: int, width: float) -> tuple[Picture, list[PlacedCard]]:
    """A 1280×720 table with all kinds of an edition: overlapping, turned, sleeved, in glare and under a hand.

    Args:
        taught: Kinds that the reader knows; the others are marked as untaught.
        width: Of each card, pixels.
    """
    rng = np.random.default_rng([0x7AB, seed])
    faces = [(str(kind), face(edition, kind), kind in taught) for kind in range(KINDS)]
    hand = ((1280.0, 500.0), (float(rng.uniform(200, 900)), 350.0), 90.0)
    how = Conditions(
        blur=float(rng.uniform(0.4, 0.9)),
        noise=float(rng.uniform(1, 5)),
        quality=int(rng.integers(60, 92)),
        slant=float(rng.uniform(0, 0.4)),
        glare=0.1,
        warmth=float(rng.uniform(-0.1, 0.15)),
        exposure=float(rng.uniform(0.6, 1.1)),
        hands=[hand],
    )
    return photograph_cards(spread(faces, seed, width), seed, conditions=how, ground=1000 + seed)


def counted(seen: Sequence[SeenCard], placed: Sequence[PlacedCard], width: float) -> Counter[str]:
    """Counts the sufficiently visible cards: taught, right, wrong; untaught, named.

    wrong: A taught card got the name of another kind. named: An untaught card or an empty place got a name.
    """
    count: Counter[str] = Counter()
    found: set[int] = set()
    for card in seen:
        if card.kind is None:
            continue
        apart = [float(np.hypot(*(true.quad.mean(axis=0) - np.array(card.quad).mean(axis=0)))) for true in placed]
        near = [int(n) for n in np.argsort(apart) if apart[n] < 0.4 * width]
        same = [n for n in near if placed[n].kind == card.kind]
        found.update(same[:1])
        if not same:
            count["wrong" if near and placed[near[0]].taught else "named"] += 1
    for number, true in enumerate(placed):
        if true.visible > VISIBLE:
            count["taught" if true.taught else "untaught"] += 1
            count["right"] += true.taught and number in found
    return count
