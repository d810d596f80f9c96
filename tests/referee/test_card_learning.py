"""The places of cards are learned from the first minute of a game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.camera.card_learning import TABLE, LearnedPlaces
from companion.game.card_evidence import DISPLAY
from tests.kit.printed_sheet import mat_picture
from vision.cards.display_sheet import display_sheet
from vision.cards.types import SeenCard
from vision.cards.watching import CardsSeen, RestingCard
from vision.table.mat import DISPLAY_SHEETS, MATS

SIZE = (1280, 720)
NOTHING: dict[str, Counter[str]] = {"A": Counter(), "B": Counter()}
FOR_SALE = ("farmer", "maid", "guard", "hunter", "laborer", "merchant", "knight", "bishop")


def resting_card(kind: str, x: float, y: float, zone: str = TABLE) -> RestingCard:
    quad = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
    return RestingCard(zone, SeenCard(kind, 0.99, quad, 0), 1.0, 1.0, 6.0, 0.0)


def display() -> list[RestingCard]:
    return [resting_card(kind, 100 + 75.0 * place, 60) for place, kind in enumerate(FOR_SALE)]


def begun() -> LearnedPlaces:
    places = LearnedPlaces("AB")
    assert places.learn(CardsSeen(1.0, tuple(display())), NOTHING, SIZE)
    return places


def no_one_may(seat: str, kind: str) -> bool:
    return False


def test_the_cards_on_the_table_when_a_game_begins_are_for_sale() -> None:
    places = begun()
    assert set(places.zones) == {DISPLAY, TABLE}
    xs = [x * 1280 for x, _ in places.zones[DISPLAY]]
    ys = [y * 720 for _, y in places.zones[DISPLAY]]
    assert min(xs) < 100 < 685 < max(xs)
    assert min(ys) < 60 < 150 < max(ys) < 250


def test_a_few_cards_are_not_the_display() -> None:
    places = LearnedPlaces("AB")
    assert not places.learn(CardsSeen(1.0, tuple(display()[:4])), NOTHING, SIZE)
    assert set(places.zones) == {TABLE}


def test_a_first_card_belongs_to_the_only_player_who_may_buy_it() -> None:
    places = begun()
    seen = places.with_owners(CardsSeen(9.0, (resting_card("farmer", 100, 500),)), lambda seat, kind: seat == "B", "A")
    assert [one.zone for one in seen.cards] == ["B"]


def test_a_first_card_too_dear_belongs_to_the_current_player_so_that_it_is_reported() -> None:
    places = begun()
    seen = places.with_owners(CardsSeen(9.0, (resting_card("general", 100, 500),)), no_one_may, "A")
    assert [one.zone for one in seen.cards] == ["A"]


def learnt() -> LearnedPlaces:
    places = begun()
    for seat, kind, x, y in (("A", "farmer", 100.0, 500.0), ("B", "maid", 800.0, 500.0)):
        seen = places.with_owners(
            CardsSeen(9.0, (resting_card(kind, x, y),)), lambda who, _, seat=seat: who == seat, seat
        )
        tableaux = NOTHING | {seat: Counter([kind])}
        places.learn(seen, tableaux, SIZE)
    return places


def test_a_card_beside_the_first_one_belongs_to_the_same_player_on_any_turn() -> None:
    places = begun()
    first = places.with_owners(CardsSeen(9.0, (resting_card("farmer", 100, 500),)), lambda seat, kind: seat == "A", "A")
    places.learn(first, NOTHING | {"A": Counter(["farmer"])}, SIZE)
    seen = places.with_owners(CardsSeen(20.0, (resting_card("guard", 170, 505),)), lambda seat, kind: True, "B")
    assert [one.zone for one in seen.cards] == ["A"]


def test_a_first_card_below_another_players_row_belongs_to_the_player_who_may_buy_it() -> None:
    places = begun()
    first = places.with_owners(CardsSeen(9.0, (resting_card("farmer", 100, 400),)), lambda seat, kind: seat == "A", "A")
    places.learn(first, NOTHING | {"A": Counter(["farmer"])}, SIZE)
    row = CardsSeen(20.0, (resting_card("farmer", 100, 400), resting_card("guard", 100, 575)))
    seen = places.with_owners(row, lambda seat, kind: seat == "B", "B")
    assert [one.zone for one in seen.cards] == ["A", "B"]


def test_when_everybody_has_a_card_each_has_a_place_and_none_is_another_s() -> None:
    places = learnt()
    assert set(places.zones) == {DISPLAY, "A", "B"}
    a, b = ([x * 1280 for x, _ in places.zones[seat]] for seat in "AB")
    assert max(a) <= min(b)
    assert max(a) > 300
    assert min(y for _, y in places.zones["A"]) >= max(y for _, y in places.zones[DISPLAY])


def test_a_place_grows_with_its_row() -> None:
    places = learnt()
    before = max(x for x, _ in places.zones["A"])
    row = CardsSeen(30.0, tuple(replace(resting_card("guard", 170.0, 500.0), zone="A") for _ in range(1)))
    assert places.learn(row, NOTHING | {"A": Counter(["guard"])}, SIZE)
    assert max(x for x, _ in places.zones["A"]) > before


def test_a_hand_anywhere_on_the_table_may_be_anybody_s() -> None:
    seen = begun().with_owners(CardsSeen(9.0, (), unread=frozenset({TABLE})), no_one_may, "A")
    assert {"A", "B"} <= seen.unread


def test_on_a_printed_sheet_a_few_cards_are_a_display_and_all_of_the_sheet_is() -> None:
    places = LearnedPlaces("AB")
    places.set_sheet(((0.05, 0.05), (0.7, 0.05), (0.7, 0.5), (0.05, 0.5)), SIZE)
    assert places.learn(CardsSeen(1.0, tuple(display()[:2])), NOTHING, SIZE)
    assert max(x for x, _ in places.zones[DISPLAY]) > 0.7


@pytest.mark.parametrize("covered", [0, 2])
def test_the_sheet_for_the_display_is_found_by_its_marks_although_cards_cover_some(covered: int) -> None:
    sheet = DISPLAY_SHEETS["a3"]
    printed = mat_picture(sheet, 1.5)
    for number in range(covered):
        left, top = sheet.marks[sheet.first_mark + number][0]
        printed[int(1.5 * top) : int(1.5 * top) + 30, int(1.5 * left) : int(1.5 * left) + 30] = 90
    picture = np.full((720, 1280, 3), 120, np.uint8)
    picture[100 : 100 + printed.shape[0], 200 : 200 + printed.shape[1]] = printed[..., None]
    found = display_sheet(picture)
    assert found is not None
    left, top = found[0]
    assert abs(left * 1280 - 200) < 12
    assert abs(top * 720 - 100) < 12


def test_the_mat_for_dice_is_no_sheet_for_the_display_and_the_other_way_round() -> None:
    picture = np.full((720, 1280, 3), 120, np.uint8)
    printed = mat_picture(MATS["a4"], 3.0)
    picture[40 : 40 + printed.shape[0], 100 : 100 + printed.shape[1]] = printed[..., None]
    assert display_sheet(picture) is None
    mats = {number for mat in MATS.values() for number in mat.marks}
    assert not mats & {number for sheet in DISPLAY_SHEETS.values() for number in sheet.marks}
