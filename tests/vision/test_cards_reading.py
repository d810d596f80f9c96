"""Cards taught from one image are recognised on other tables; unknown ones are never named."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.kit.card_table import Conditions, LaidCard, PlacedCard, photograph_cards
from tests.kit.editions import face
from vision.cards.card_reader import CardReader
from vision.cards.faces import Face, Index
from vision.cards.outlines import outlines
from vision.cards.quads import overlap
from vision.cards.teaching import alike
from vision.cards.types import SeenCard

pytestmark = pytest.mark.slow

SIZE = (480, 320)
MORE = pytest.mark.stress  # learning the faces of an edition takes a second


@lru_cache(maxsize=8)
def reader(edition: int, kinds: int = 8) -> CardReader:
    return CardReader(Index([Face(str(kind), face(edition, kind)) for kind in range(kinds)]))


def laid(edition: int, kind: int, middle: tuple[float, float], degrees: float = 0.0, width: float = 60.0) -> LaidCard:
    return LaidCard(str(kind), face(edition, kind), middle, width, degrees)


def table(cards: list[LaidCard], seed: int = 1, **how: object) -> tuple[list[PlacedCard], np.ndarray]:
    conditions = Conditions(**how)  # type: ignore[arg-type]
    picture, lying = photograph_cards(cards, seed, SIZE, conditions, ground=2)
    return lying, picture


def kinds(seen: list[SeenCard]) -> list[str | None]:
    return sorted((card.kind for card in seen), key=str)


@pytest.mark.parametrize("edition", [3, *(pytest.param(edition, marks=MORE) for edition in (0, 1, 2, 4, 5))])
def test_taught_cards_are_read_in_any_place_and_orientation(edition: int) -> None:
    lying, picture = table(
        [laid(edition, 1, (90, 110), 3), laid(edition, 2, (230, 170), 92), laid(edition, 5, (370, 150), 183)]
    )
    seen = reader(edition).read(picture)
    assert [(card.kind, card.turned) for card in seen] == [("1", 0), ("2", 90), ("5", 180)]
    for card, true in zip(seen, lying, strict=True):
        assert_allclose(card.quad, true.quad, atol=3.5)


def square(edition: int, kind: int) -> np.ndarray:
    image = face(edition, kind)
    return np.asarray(cv2.resize(image, (image.shape[1], image.shape[1]), interpolation=cv2.INTER_AREA))


def square_cards(edition: int) -> tuple[list[PlacedCard], np.ndarray]:
    """An image with a square card in each quarter of its width, from left to right."""
    return table([LaidCard(str(n), square(edition, n), (70.0 + 112 * n, 160.0), 84.0, 90.0 * n + 3) for n in range(4)])


@pytest.mark.parametrize("edition", [3, pytest.param(0, marks=MORE), pytest.param(4, marks=MORE)])
def test_square_cards_are_read_in_each_quarter(edition: int) -> None:
    known = CardReader(Index([Face(str(kind), square(edition, kind)) for kind in range(8)]))
    seen = known.read(square_cards(edition)[1])
    assert [(card.kind, card.turned) for card in seen] == [("0", 0), ("1", 90), ("2", 180), ("3", 270)]


def test_the_first_square_cards_are_outlined_at_their_edge() -> None:
    lying, picture = square_cards(0)
    found = outlines(picture)
    assert all(any(overlap(quad, true.quad) > 0.9 for quad in found) for true in lying)


@pytest.mark.parametrize("edition", [3, *(pytest.param(edition, marks=MORE) for edition in (0, 2, 4))])
def test_an_untaught_card_gets_no_name(edition: int) -> None:
    _, picture = table([laid(edition, 12, (120, 120), 3), laid(edition, 13, (330, 170), 60)])
    assert set(kinds(reader(edition).read(picture))) <= {None}


@pytest.mark.parametrize("edition", [3, pytest.param(0, marks=MORE), pytest.param(7, marks=MORE)])
def test_touching_untaught_cards_are_each_a_card_without_a_name(edition: int) -> None:
    row = [laid(edition, 12 + n, (90 + 60 * n, 90), width=60.0) for n in range(3)]
    _, picture = table([*row, laid(edition, 1, (330, 230), 4)])
    assert kinds(reader(edition).read(picture)) == ["1", None, None, None]


def test_an_untaught_card_is_seen_as_a_card() -> None:
    _, picture = table([laid(3, 12, (120, 120), 3), laid(3, 1, (330, 170), 60)])
    assert kinds(reader(3).read(picture)) == ["1", None]


def test_overlapping_cards_and_copies_of_one_kind_are_each_read() -> None:
    cards = [laid(3, 1, (100, 150)), laid(3, 2, (140, 150)), laid(3, 1, (180, 150)), laid(3, 4, (220, 150))]
    _, picture = table(cards)
    assert [card.kind for card in reader(3).read(picture)] == ["1", "2", "1", "4"]


def test_a_card_under_a_hand_is_read() -> None:
    _, picture = table([laid(3, 2, (220, 150))], hands=[((470, 310), (235, 165), 50.0)])
    assert "2" in kinds(reader(3).read(picture))


@pytest.mark.parametrize("ground", [0, 4, pytest.param(10, marks=MORE)])
def test_nothing_is_named_where_no_card_is(ground: int) -> None:
    picture, _ = photograph_cards([], 1, SIZE, ground=ground)
    assert not [card for card in reader(3).read(picture) if card.kind]


def test_another_edition_is_not_named() -> None:
    _, picture = table([laid(6, kind, (70 + 90 * kind, 150)) for kind in range(4)])
    assert set(kinds(reader(3).read(picture))) <= {None}


def test_two_kinds_with_one_picture_are_reported_as_too_similar() -> None:
    faces = [Face("fool", face(1, 0)), Face("jester", face(1, 0)), Face("maid", face(1, 1))]
    assert alike(Index(faces)) == [("fool", "jester")]
    assert alike(reader(3).index) == []
