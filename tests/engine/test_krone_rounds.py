"""Rounds, the start player marker, and the final round for every number of players and every claimant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.krone.cards import CARDS
from engine.krone.events import Buy, Keep, Pass, Roll
from engine.krone.rules import play
from engine.krone.state import RULESETS, State, new_game, new_turn
from engine.registry import SEATS
from tests.engine.krone_table import after, refusal


def passed(state: State, seat: str) -> State:
    dice = tuple([1, 2, 3, 4, 5, 6] * 2)[: state.to_roll]
    for event in (Roll(dice), Keep(dice), Pass()):
        state = play(state, seat, event)
    return state


def test_the_marker_passes_counter_clockwise_and_the_last_player_plays_twice() -> None:
    state = new_game(4, RULESETS["amigo2006"])
    order = ""
    for _ in range(16):
        order += state.seat
        state = passed(state, state.seat)
    assert order == "ABCD" + "DABC" + "CDAB" + "BCDA"
    assert (state.round, state.start) == (5, "A")


@pytest.mark.parametrize("players", range(2, 6))
def test_everybody_has_one_turn_a_round(players: int) -> None:
    state = new_game(players, RULESETS["amigo2006"])
    for round_ in range(1, 8):
        seen = ""
        assert state.round == round_
        for _ in range(players):
            seen += state.seat
            state = passed(state, state.seat)
        assert sorted(seen) == list(SEATS[:players])


def claimed_in(players: int, start: str, claimant: str) -> State:
    """A round with this start player in which `claimant` has just taken the King with seven 2s."""
    seats = SEATS[:players]
    tableaux = tuple(("charlatan", "farmer", "general") if seat == claimant else () for seat in seats)
    state = new_game(players, RULESETS["amigo2006"])
    tableau = tableaux[SEATS.index(start)]
    state = replace(state, tableaux=tableaux, seat=start, start=start, turn=new_turn(state.rules, tableau))
    while state.seat != claimant:
        state = passed(state, state.seat)
    for event in (Roll((2,) * 7), Keep((2,) * 7), Buy("king")):
        state = play(state, claimant, event)
    return state


@pytest.mark.parametrize(
    ("players", "start", "claimant"),
    [(n, start, claimant) for n in range(2, 6) for start in SEATS[:n] for claimant in SEATS[:n]],
)
def test_the_final_round_of_every_table(players: int, start: str, claimant: str) -> None:
    seats = SEATS[:players]
    state = claimed_in(players, start, claimant)
    order = [seats[(seats.index(start) + step) % players] for step in range(players)]
    for seat in order[order.index(claimant) + 1 :]:  # the round is finished
        assert not state.final
        assert state.seat == seat
        state = passed(state, seat)
    marker = seats[seats.index(start) - 1]
    final = [seats[(seats.index(marker) + step) % players] for step in range(players)]
    final.remove(claimant)
    assert state.final
    assert state.round == 2
    unbeaten = state
    for seat in final:
        assert unbeaten.seat == seat
        assert not unbeaten.finished
        unbeaten = play(unbeaten, seat, Pass())
    assert unbeaten.winner == claimant


def test_a_challenger_must_be_strictly_better() -> None:
    final = "A farmer laborer king queen; B farmer laborer general; C -; turn B; start B; threshold 7x3; final"
    equal = after(final, "B use laborer", "B roll 3 3 3 3 3 3 3", "B keep 3 3 3 3 3 3 3", "B pass")
    assert (equal.king, equal.threshold) == ("A", (7, 3))
    better = after(final, "B use laborer", "B roll 4 4 4 4 4 4 4", "B keep 4 4 4 4 4 4 4", "B pass")
    assert (better.king, better.threshold) == ("B", (7, 4))
    assert "king" in better.tableau("B")
    assert "queen" in better.tableau("A")


def test_eight_ones_beat_seven_sixes_and_only_the_best_group_counts() -> None:
    final = "A king queen; B farmer laborer guard general; turn B; start B; threshold 7x6; final"
    state = after(final, "B use laborer", "B use guard", "B roll 1 1 1 1 1 1 1 1", "B keep 1 1 1 1 1 1 1 1", "B pass")
    assert (state.king, state.threshold, state.seat) == ("B", (8, 1), "A")
    mixed = after(final, "B use laborer", "B use guard", "B roll 6 6 6 6 5 5 5 5", "B keep 6 6 6 6 5 5 5 5", "B pass")
    assert mixed.winner == "A"


def test_a_turn_in_the_final_round_is_a_whole_turn_with_cards() -> None:
    final = "A king queen; B fool maid laborer general; turn B; start B; threshold 7x1; final"
    state = after(final, "B roll 1 1 1 6 3", "B use fool 6 > 1", "B keep 1 1 1 1", "B use laborer", "B keep 1")
    state = after(state, "B use maid 3 > 4", "B roll 1", "B keep 1", "B pass")
    assert state.winner == "A"  # six ones do not beat seven


def test_passing_in_the_middle_of_a_throw_is_not_allowed_in_the_final_round_either() -> None:
    final = "A king queen; B farmer; turn B; start B; threshold 7x1; final"
    assert "set aside all dice" in refusal(after(final, "B roll 1 2 3 4"), "B pass")


def test_the_king_is_claimed_once_and_others_may_still_buy_in_that_round() -> None:
    state = claimed_in(3, "A", "A")
    assert state.display["king"] == state.display["queen"] == 0
    state = after(state, "B roll 5 5 5", "B keep 5 5 5", "B buy farmer")
    assert "farmer" in state.tableau("B")


def test_seven_alike_may_buy_another_card_and_the_game_goes_on() -> None:
    ready = "A charlatan farmer general; B -; active 2; kept 2 2 2 2 2 2"
    state = after(ready, "A keep 2", "A buy knight")
    assert (state.king, state.seat, state.display["king"]) == (None, "B", 1)
    assert set(CARDS) >= set(state.tableau("A"))
