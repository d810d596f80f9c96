"""Cards: what each allows and refuses, copies, names in five languages, and who may buy what."""

from __future__ import annotations

import re
import unicodedata

import pytest

from engine.krone.cards import CARDS, copies
from engine.krone.names import NAMES, card_named
from engine.krone.names import called as name
from engine.registry import LANGUAGES
from tests.engine.krone_refusals import why_not_use
from tests.engine.krone_table import TWO, after, at, refusal

ACTIVE = "; B -; active 5 4 1; kept 2"


def turned(card: str, use: str) -> tuple[int, ...]:
    return after(f"A farmer {card}{ACTIVE}", f"A use {card} {use}").turn.active


@pytest.mark.parametrize(
    ("card", "use", "active"),
    [
        ("fool", "4 > 6", (1, 5, 6)),
        ("maid", "1 > 2", (2, 4, 5)),
        ("maid", "1 > 4", (4, 4, 5)),
        ("maid", "5 > 6", (1, 4, 6)),
        ("philosopher", "5 1 > 4 2", (2, 4, 4)),
        ("philosopher", "4 1 > 3 2", (2, 3, 5)),
        ("astronomer", "5 > 2", (1, 2, 4)),
        ("merchant", "5 4 1 > 1 1 1", (1, 1, 1)),
        ("merchant", "4 > 2", (1, 2, 5)),
        ("noblewoman", "5 > 6", (1, 4, 6)),
        ("noblewoman", "5 4 > 6 5", (1, 5, 6)),
        ("magician", "5 > 1", (1, 1, 4)),
        ("alchemist", "4 1 > 3 2", (2, 3, 5)),
        ("alchemist", "5 4 1 > 6 2 2", (2, 2, 6)),
        ("nobleman", "4 1 > 6 3", (3, 5, 6)),
    ],
)
def test_what_each_card_does_to_active_dice(card: str, use: str, active: tuple[int, ...]) -> None:
    assert turned(card, use) == active


@pytest.mark.parametrize(
    ("card", "use", "sentence"),
    [
        ("fool", "5 4 > 1 1", "rerolls exactly one active die, not 2"),
        ("maid", "1 > 5", "adds 1, 2 or 3: a 1 cannot become 5"),
        ("maid", "5 > 4", "adds 1, 2 or 3"),
        ("maid", "5 4 > 6 5", "exactly one active die, not 2"),
        ("philosopher", "5 4 1 > 6 3 1", "between two active dice, not 3"),
        ("philosopher", "5 1 > 4 1", "5 1 is 6, but 4 1 is 5"),
        ("philosopher", "5 1 > 3", "5 1 cannot become 3"),
        ("astronomer", "5 > 4", "no 4 among 2"),
        ("astronomer", "2 > 5", "only active dice can change: 2 is not among 5 4 1"),
        ("merchant", "2 > 5", "only active dice can change"),
        ("merchant", "5 5 > 1 1", "only active dice can change"),
        ("noblewoman", "5 > 4", "exactly 1"),
        ("magician", "5 4 > 1 1", "exactly one active die, not 2"),
        ("alchemist", "5 4 > 6 2", "does not change the sum"),
        ("nobleman", "5 > 1", "a 5 cannot become 7"),
        ("magician", "? > 6", "only active dice"),
    ],
)
def test_what_each_card_refuses(card: str, use: str, sentence: str) -> None:
    assert sentence in refusal(f"A farmer {card}{ACTIVE}", f"A use {card} {use}")


ADDERS = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}


@pytest.mark.parametrize("card", ADDERS)
def test_adders_add_a_die_showing_their_value(card: str) -> None:
    state = after(f"A farmer {card}{ACTIVE}", f"A use {card}")
    assert state.turn.active == tuple(sorted((1, 4, 5, ADDERS[card])))
    assert "Do not choose any dice" in refusal(f"A farmer {card}{ACTIVE}", f"A use {card} {ADDERS[card]}")


def test_the_queen_adds_a_die_of_any_value() -> None:
    claimed = "A farmer king queen; B -; threshold 7x2; active 5 4 1; kept 2"
    for value in range(1, 7):
        assert after(claimed, f"A use queen {value}").turn.active == tuple(sorted((1, 4, 5, value)))
    assert "Choose its value" in refusal(claimed, "A use queen")
    assert "Choose its value" in refusal(claimed, "A use queen 1 2")
    assert "no ability" in refusal(claimed, "A use king")


def test_a_card_is_used_once_a_turn_and_refreshed_for_the_next() -> None:
    state = after("A guard fool; B -; turn A", "A roll 6 5 4", "A use guard", "A use fool 4 > 3")
    assert refusal(state, "A use guard") == "the Guard was already used this turn"
    assert refusal(state, "A use fool 3 > 4") == "the Fool was already used this turn"
    state = after(state, "A keep 6 5 3 2", "A pass", "B roll 1 2 3", "B keep 1 2 3", "B pass")
    state = after(state, "B roll 1 2 3", "B keep 1 2 3", "B pass")
    assert state.seat == "A"
    assert after(state, "A roll 6 5 4", "A use guard", "A use fool 6 > 1").turn.used == {"guard", "fool"}


def test_only_ones_own_cards_are_used() -> None:
    assert refusal("A -; B guard; active 5 4; kept 1", "A use guard") == "A does not have the Guard"
    assert refusal(TWO, "B use guard") == "it is A’s turn, not B’s"


def test_nobody_buys_a_card_twice() -> None:
    state = at("A guard; B -; active 3; kept 3 3")
    assert refusal(after(state, "A keep 3"), "A buy guard") == "A already has the Guard"


def test_cards_sold_out_are_gone() -> None:
    state = after("A hunter; B -; turn B; active 3; kept 3 3", "B keep 3")
    assert state.display["hunter"] == 0
    state = after("A hunter; B farmer; turn B; active 3; kept 3 3 3", "B keep 3")
    assert refusal(state, "B buy hunter") == "no Hunter is left for sale"
    assert "hunter" not in state.purchases()


def test_charlatan_is_an_own_fool_turned_over_and_touches_no_display() -> None:
    state = after("A fool; B fool; active 3; kept 2 6", "A keep 3")
    assert state.display["fool"] == 0
    bought = after(state, "A buy charlatan")
    assert bought.tableau("A") == ("charlatan",)
    assert bought.display["fool"] == 0
    assert bought.display["charlatan"] == 0
    assert "no unused Fool" in refusal(after(TWO, "A roll 1 2 3", "A keep 1 2 3"), "A buy charlatan")


def test_another_fool_once_all_own_fools_are_turned() -> None:
    state = after("A fool; B -; active 3; kept 2 6", "A keep 3")
    assert refusal(state, "A buy fool") == "A has an unused Fool. Turn over all of them before taking another"
    state = after("A charlatan; B -; active 3 1; kept 2 6", "A keep 3 1", "A buy fool")
    assert state.tableau("A") == ("fool", "charlatan")
    state = after("A fool charlatan; B -; active 3 1; kept 2 6", "A keep 3 1", "A buy charlatan")
    assert state.tableau("A") == ("charlatan", "charlatan")


def test_the_queen_is_not_bought() -> None:
    assert "comes with the King" in refusal(after(TWO, "A roll 1 2 3", "A keep 1 2 3"), "A buy queen")


def test_buying_and_passing_need_all_dice_set_aside() -> None:
    state = after(TWO, "A roll 6 6 3", "A keep 6 6")
    assert refusal(state, "A buy farmer") == "set aside all dice first: 3 still active"
    assert refusal(state, "A pass") == "set aside all dice first: 3 still active"
    assert refusal(TWO, "A pass") == "you can only pass before rolling in the final round"
    assert "cannot buy a card" in refusal(TWO, "A buy fool")
    assert "you have not rolled yet" in refusal(TWO, "A keep 1")


def test_copies_by_number_of_players() -> None:
    table = {
        "fool": (2, 3, 4, 5),
        "charlatan": (0, 0, 0, 0),
        **dict.fromkeys(("farmer", "maid", "philosopher", "laborer", "guard"), (2, 2, 3, 4)),
        **dict.fromkeys(("hunter", "astronomer", "merchant"), (1, 2, 3, 3)),
        **dict.fromkeys(("noblewoman", "pawnbroker", "knight", "magician"), (1, 2, 2, 3)),
        **dict.fromkeys(("alchemist", "bishop", "nobleman", "general"), (1, 2, 2, 3)),
        **dict.fromkeys(("king", "queen"), (1, 1, 1, 1)),
    }
    for players, column in zip((2, 3, 4, 5), range(4), strict=True):
        assert {card: copies(card, players) for card in CARDS} == {card: row[column] for card, row in table.items()}
    assert sum(copies(card, 5) for card in CARDS) == 60


def test_names_in_five_languages_are_found_again_whatever_the_case() -> None:
    assert set(NAMES) == set(CARDS)
    for card in NAMES:
        for language in LANGUAGES:
            word = name(card, language)
            for spelt in (word, word.upper(), word.lower(), unicodedata.normalize("NFD", word)):
                assert card_named(spelt) == card, spelt
    assert card_named("Jager") == "hunter"
    assert card_named("serving  maid") == card_named("Maid") == "maid"
    assert card_named("jester") is None


def test_names_are_those_of_the_rules() -> None:
    assert [name("laborer", language) for language in LANGUAGES] == [
        "Laborer", "Handwerker", "werkman", "Käsityöläinen", "職人",
    ]  # fmt: skip
    assert all(re.fullmatch(r"[a-z]+", card) for card in CARDS)


def test_why_a_card_cannot_be_used_at_all_now() -> None:
    state = at("A farmer nobleman astronomer guard; B -; active 6 5; kept 2 2")
    assert (
        str(why_not_use(state, "nobleman"))
        == "the Nobleman (adds exactly 2 to any number of active dice) fits no active die"
    )
    assert why_not_use(state, "astronomer") is None
    assert why_not_use(state, "guard") is None
    assert "at the start" in str(why_not_use(state, "farmer"))
    assert str(why_not_use(state, "hunter")) == "A does not have the Hunter"
