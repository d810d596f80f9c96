"""Training images of printed dice have the die in the centre; elsewhere they would teach that the surroundings are
print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.kit import cards
from tests.kit.cards import PrintedCard, game_card
from tests.kit.drawn.others import slanted
from tests.kit.drawn.photos import Photo
from tests.kit.drawn.places import SHEET, SIDE, WIDE, _paste, draw_place

pytestmark = pytest.mark.slow

MAGENTA = (255, 0, 255)


def test_a_card_says_where_its_dice_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    with_dice = [game_card(number) for number in range(12)]
    monkeypatch.setattr(cards, "print_die", lambda *_: None)
    for number, card in enumerate(with_dice):
        differs = (card.face != game_card(number).face).any(axis=2)
        explained = np.zeros_like(differs)
        for x, y, side in card.dice:
            near = slice(max(0, round(y - side)), round(y + side)), slice(max(0, round(x - side)), round(x + side))
            assert differs[near].any() or x > card.face.shape[1], number
            explained[near] = True
        assert card.dice
        assert not (differs & ~explained).any(), number


@pytest.mark.parametrize("number", range(8))
def test_the_printed_die_that_was_chosen_comes_to_the_middle_as_large_as_a_die(number: int) -> None:
    rng = np.random.default_rng(number)
    face = np.full((300, 220, 3), 200, np.uint8)
    x, y, side = 60.0, 240.0, 30.0
    cv2.rectangle(face, (45, 225), (75, 255), MAGENTA, -1)
    table = np.full((SHEET, SHEET, 3), 90, np.uint8)
    turn = float(rng.uniform(0, 360))
    _paste(table, PrintedCard(face, 55.0, 75.0, [(x, y, side)]), (x, y), np.zeros(2), SIDE / side, turn, rng)
    place = slanted(table, SIDE, rng, WIDE).astype(int)
    seen = (place[..., 0] > 2 * place[..., 1]) & (place[..., 2] > 2 * place[..., 1])
    rows, columns = np.nonzero(seen)
    assert (rows.mean(), columns.mean()) == pytest.approx((80, 80), abs=4)
    longer = max(np.ptp(rows), np.ptp(columns))
    assert 0.7 * 32 < longer < 1.8 * 32, "a square seen at a slant, turned"


def test_places_are_the_same_every_time_and_never_twice_alike() -> None:
    photo = Photo("own", np.full((400, 600, 3), 120, np.uint8), np.zeros((0, 4), np.float32), np.zeros(0, np.int64))
    again = [draw_place([photo], np.random.default_rng([6, number])) for number in (*range(6), 0)]
    assert (again[0] == again[-1]).all()
    assert len({place.tobytes() for place in again}) == 6
