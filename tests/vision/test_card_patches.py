"""Colour patches propose places of cards; a card that two kinds explain equally stays unnamed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.editions import face
from vision.cards.agreement import Agreement
from vision.cards.candidates import Candidate, Chooser
from vision.cards.card_reader import LARGE, CardReader
from vision.cards.faces import Face, Index
from vision.cards.patches import PatchVotes, similarity

FACES = [Face(str(kind), face(3, kind)) for kind in range(4)]


@pytest.mark.parametrize(("tall", "degrees"), [(44.0, 0.0), (60.0, 90.0), (44.0, 180.0), (60.0, 270.0)])
def test_patches_propose_an_upright_or_sideways_card_first(tall: float, degrees: float) -> None:
    aspect = FACES[1].aspect
    card = LaidCard("1", FACES[1].image, (150.0, 100.0), tall * aspect, degrees)
    picture, _ = photograph_cards([card], 1, (300, 200), ground=2)
    best = PatchVotes(Index(FACES)).proposals(picture, tall)[0]
    middle = best.to_picture @ np.array([aspect / 2, 0.5, 1])
    assert best.face == 1
    assert np.abs(middle[:2] - (150, 100)).max() < tall / 10


def candidate(number: int, share: float) -> Candidate:
    """A candidate for a face at one place, with this share of matching windows."""
    rows = np.full((10, 6), -1.0, np.float32)
    rows.ravel()[: round(60 * share)] = 1.0
    place = similarity(0, 60, np.array([100.0, 100.0]), FACES[number].aspect)
    return Candidate(number, Agreement(place, rows, np.ones((10, 6), np.float32), 56), 0.21)


def test_a_card_that_two_kinds_explain_nearly_alike_has_no_name() -> None:
    chooser = Chooser(Index(FACES))
    assert [one.face for one in chooser.accepted([candidate(0, 0.7), candidate(1, 0.3)])] == [0]
    assert chooser.accepted([candidate(0, 0.7), candidate(1, 0.6)]) == []


def test_the_visible_half_of_a_card_counts_by_itself() -> None:
    covered = candidate(0, 0.5).found
    assert covered.share == pytest.approx(0.5)
    assert covered.half == pytest.approx(1.0)


def test_the_height_of_cards_is_estimated_only_in_large_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """In small images the estimate took longer than local features, so a card under a hand took twice as long."""
    asked: list[int] = []
    monkeypatch.setattr(PatchVotes, "likeliest_height", lambda _, image: asked.append(image.shape[1]) or 60.0)
    for width in (LARGE - 1, LARGE):
        CardReader(Index(FACES)).read(np.full((60, width, 3), 90, np.uint8))
    assert asked == [LARGE]
