"""All cards laid out in one picture are found on any surface."""

from __future__ import annotations

import numpy as np
import pytest

from companion.camera.card_teaching import CardTeacher
from tests.kit import card_table
from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.degrade import jpeg
from tests.kit.editions import face
from vision.cards.card_set import CardSet
from vision.cards.quads import overlap
from vision.types import Image

SIZE = 960, 720


def chequered(square: int) -> Image:
    """A chequered cloth, RGB."""
    rows, columns = np.mgrid[0 : SIZE[0], 0 : SIZE[0]] // square
    return np.where(((rows + columns) % 2)[..., None], (110, 60, 30), (60, 150, 90)).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(("square", "edition"), [(37, 201), (55, 202)])
def test_all_cards_on_a_chequered_cloth_are_found_and_nothing_else(
    square: int, edition: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: the squares of the cloth outnumbered the cards, so the cards were dropped for their unusual size."""
    monkeypatch.setattr(card_table, "surface", lambda _: chequered(square))
    rng = np.random.default_rng(square)
    cards = [
        LaidCard(str(n), face(edition, n), (110.0 + 148 * (n % 6), 115.0 + 163 * (n // 6)), 92.0, rng.normal(0, 4))
        for n in range(20)
    ]
    picture, placed = photograph_cards(cards, square, SIZE)
    found = CardTeacher().find_cards(1, jpeg(picture), CardSet("Our own", ())).found
    assert len(found) == 20
    assert all(any(overlap(np.array(one.quad), card.quad) > 0.85 for one in found) for card in placed)
