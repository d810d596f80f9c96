"""Rules of Yatzy: scores, turns, refusals and their sentences, and texts that survive a round trip."""

from __future__ import annotations

import random

import pytest

from engine.dice import faces, rolls
from engine.errors import Illegal, Unreadable
from engine.games import Setup
from engine.yatzy import game, names
from engine.yatzy.boxes import RULESETS, points
from engine.yatzy.events import Event, Keep, Roll, Score, event_text, read_event
from engine.yatzy.position import position_text, read_position
from engine.yatzy.rules import can, implied, legal, play
from engine.yatzy.state import State, new_game


@pytest.mark.parametrize(
    ("ruleset", "box", "dice", "score"),
    [
        ("scandinavian", "pair", (6, 6, 5, 5, 5), 12),
        ("scandinavian", "two-pairs", (6, 6, 5, 5, 5), 22),
        ("scandinavian", "two-pairs", (6, 6, 6, 6, 1), 0),
        ("scandinavian", "three", (2, 2, 2, 6, 6), 6),
        ("scandinavian", "four", (4, 4, 4, 4, 4), 16),
        ("scandinavian", "small-straight", (1, 2, 3, 4, 5), 15),
        ("scandinavian", "small-straight", (2, 3, 4, 5, 6), 0),
        ("scandinavian", "large-straight", (2, 3, 4, 5, 6), 20),
        ("scandinavian", "full-house", (6, 6, 5, 5, 5), 27),
        ("scandinavian", "full-house", (5, 5, 5, 5, 5), 0),
        ("american", "three", (2, 2, 2, 6, 6), 18),
        ("american", "four", (4, 4, 4, 4, 1), 17),
        ("american", "full-house", (6, 6, 5, 5, 5), 25),
        ("american", "full-house", (5, 5, 5, 5, 5), 0),
        ("american", "small-straight", (2, 3, 4, 5, 5), 30),
        ("american", "large-straight", (2, 3, 4, 5, 6), 40),
        ("american", "yatzy", (1, 1, 1, 1, 1), 50),
        ("american", "chance", (1, 2, 3, 4, 6), 16),
        ("american", "fours", (4, 4, 4, 1, 2), 12),
    ],
)
def test_what_dice_score(ruleset: str, box: str, dice: tuple[int, ...], score: int) -> None:
    assert points(RULESETS[ruleset], box, faces(dice)) == score


def at(text: str, players: int = 2, ruleset: str = "american") -> State:
    return read_position(text, players, RULESETS[ruleset])


def test_the_upper_half_earns_its_bonus_from_63_points_on() -> None:
    text = "A ones 3 twos 6 threes 9 fours 12 fives 15; dice 6 6 6 1 2"
    for ruleset, bonus in (("american", 35), ("scandinavian", 50)):
        assert play(at(text, 1, ruleset), "A", Score("sixes")).sheet("A").total == 63 + bonus
    below = at("A ones 2 twos 6 threes 9 fours 12 fives 15; dice 6 6 6 1 2", 1)
    assert play(below, "A", Score("sixes")).sheet("A").total == 62


def test_a_further_five_of_a_kind_earns_100_only_after_50() -> None:
    assert play(at("A yatzy 50; B -; dice 4 4 4 4 4", 1 + 1), "B", Score("fours")).sheet("B").further == 0
    again = at("A yatzy 50; dice 4 4 4 4 4", 1)
    assert play(again, "A", Score("fours")).sheet("A").total == 50 + 20 + 100
    assert play(at("A yatzy 0; dice 4 4 4 4 4", 1), "A", Score("fours")).sheet("A").total == 20
    scandinavian = at("A yatzy 50; dice 4 4 4 4 4", 1, "scandinavian")
    assert play(scandinavian, "A", Score("fours")).sheet("A").total == 70


def test_five_of_a_kind_are_a_joker_once_their_own_box_is_filled() -> None:
    without_own = at("A yatzy 0; dice 4 4 4 4 4", 1)
    assert play(without_own, "A", Score("large-straight")).sheet("A").total == 0
    joker = at("A yatzy 0 fours 8; dice 4 4 4 4 4", 1)
    for box, score in (("full-house", 25), ("small-straight", 30), ("large-straight", 40)):
        assert play(joker, "A", Score(box)).sheet("A")[box] == score


def test_turns_go_round_and_the_most_points_win() -> None:
    state, order = new_game(3, RULESETS["american"]), ""
    for box in RULESETS["american"].boxes:
        for _ in state.seats:
            order += state.seat
            dice = (6, 6, 6, 6, 6) if state.seat == "B" else (1, 2, 2, 4, 6)
            state = play(play(state, state.seat, Roll(dice)), state.seat, Score(box))
    assert order == "ABC" * 13
    assert (state.finished, state.winners, state.seat) == (True, ("B",), "C")


REFUSALS = [
    ("A -; B -", "B", Roll((1, 2, 3, 4, 5)), "it is A’s turn, not B’s"),
    ("A -; B -", "A", Roll((1, 2, 3)), "roll 5 dice, not 3"),
    ("A -; B -", "A", Roll((0, 1, 2, 3, 4)), "every die must be read first"),
    ("A -; B -", "A", Keep((1,)), "you have not rolled yet"),
    ("A -; B -", "A", Score("ones"), "you have not rolled yet"),
    ("A -; B -; dice 6 5 4 3 3", "A", Roll((1, 2, 3)), "choose the dice to keep first"),
    ("A -; B -; dice 6 5 4 3 3", "A", Keep((1,)), "1 is not among 6 5 4 3 3"),
    ("A -; B -; dice 6 5 4 3 3", "A", Keep((3, 3, 4, 5, 6)), "Choose a box instead"),
    ("A -; B -; dice 6 5 4 3 3; kept 3", "A", Keep((3, 3)), "Roll the other 4"),
    ("A -; B -; rolls 0; dice 6 5 4 3 3", "A", Keep((3,)), "you have rolled three times"),
    ("A -; B -; rolls 0; dice 6 5 4 3 3", "A", Roll((3,)), "you have rolled three times"),
    ("A -; B -; dice 6 5 4 3 3", "A", Score("pair"), "this scoresheet has no box"),
    ("A ones 2; B twos 4; dice 6 5 4 3 3", "A", Score("ones"), "is already filled"),
]


@pytest.mark.parametrize(("text", "seat", "event", "words"), REFUSALS, ids=lambda value: str(value))
def test_refusals_name_the_rule(text: str, seat: str, event: Event, words: str) -> None:
    state = at(text)
    with pytest.raises(Illegal, match=words):
        play(state, seat, event)


def test_rolling_all_dice_again_keeps_none() -> None:
    state = at("A -; B -; dice 6 5 4 3 3")
    again = Roll((1, 1, 1, 2, 2))
    assert implied(state, "A", again) == (Keep(()),)
    assert implied(at("A -; B -; rolls 0; dice 6 5 4 3 3"), "A", again) == ()


VOCABULARY: list[Event] = [Roll(dice) for count in range(1, 6) for dice in rolls(count)]
VOCABULARY += [Keep(dice) for count in range(6) for dice in rolls(count)]
VOCABULARY += [Score(box) for box in names.NAMES]


def states(seed: int) -> list[State]:
    chance = random.Random(seed)
    state, met = new_game(2, RULESETS[chance.choice(list(RULESETS))]), []
    while not state.finished:
        met.append(state)
        state = play(state, *chance.choice(legal(state)))
    return [*met, state]


def test_legal_lists_exactly_the_events_that_play_accepts() -> None:
    for state in random.Random(4).sample(states(1) + states(2), 12):
        found = {event for _, event in legal(state)}
        assert found == {event for event in VOCABULARY if can(state, state.seat, event)}


@pytest.mark.parametrize("seed", range(3))
def test_texts_of_events_and_positions_come_back_as_they_were(seed: int) -> None:
    for state in states(seed):
        again = game.start(Setup(2, state.rules.id, position_text(state)))
        assert again == state
        for _, event in legal(state)[:20]:
            assert read_event(event_text(event)) == event


def test_names_of_boxes_are_read_in_every_language() -> None:
    assert read_event("SCORE Große Straße") == Score("large-straight")
    assert read_event("score フルハウス") == Score("full-house")
    assert read_event("keep none") == Keep(())


@pytest.mark.parametrize(
    "text",
    ["", "roll", "roll 7", "keep", "score", "score castle", "dance"],
)
def test_unreadable_events(text: str) -> None:
    with pytest.raises(Unreadable):
        read_event(text)


@pytest.mark.parametrize(
    "text",
    [
        "A -",
        "A -; B -; C -",
        "A ones 3; B ones 3 twos 2",
        "A ones 7; B -",
        "A pair 12; B -",
        "A ones; B -",
        "A further 1; B -",
        "A -; B -; dice 1 2 3",
        "A -; B -; rolls 2",
        "A -; B -; dice 1 2 3 4 5; kept 6",
        "A -; B -; rolls 3; dice 1 2 3 4 5",
        "A -; B -; nonsense 3",
    ],
)
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(Unreadable):
        at(text)


def test_dice_on_the_table_are_those_to_roll_again_and_those_kept() -> None:
    assert game.on_table(at("A -; B -; dice 6 5 4 3 3; kept 3 3")) == ((4, 5, 6), (3, 3))
    assert game.on_table(at("A -; B -")) == ((), ())
