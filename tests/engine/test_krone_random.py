"""Random games: invariants of every reachable position."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.krone.cards import CARDS, copies
from engine.krone.consistency import check_position
from engine.krone.events import Buy, Roll, event_text, read_event
from engine.krone.position import position_text, read_position
from engine.krone.rules import play
from engine.krone.state import RULESETS, State, new_turn
from engine.record import Entry
from engine.record_header import new_record
from engine.replay import event_count, read_game, replay_record
from tests.engine.krone_players import random_game

games = st.builds(
    lambda seed, players, ruleset, box: random_game(
        Random(seed), players, replace(RULESETS[ruleset], dice=box), limit=700
    ),
    st.integers(0, 2**32),
    st.integers(2, 5),
    st.sampled_from(sorted(RULESETS)),
    st.sampled_from([12, 12, 12, 6, None]),
)


@settings(max_examples=25)
@given(games)
@pytest.mark.slow
def test_every_position_of_a_random_game_is_possible_on_a_table(line: list[tuple[State, str, object]]) -> None:
    for state, seat, event in line:
        check_position(state)
        dice_conserved(state)
        cards_conserved(state)
        following = play(state, seat, event)  # type: ignore[arg-type]
        if isinstance(event, Buy):  # one purchase, and the turn is over
            assert not following.turn.rolled
            assert cards_held(following) - cards_held(state) == {"king": 2, "charlatan": 0}.get(event.card, 1)
        else:
            assert cards_held(following) == cards_held(state)
        assert read_event(event_text(event)) == event  # type: ignore[arg-type]
    state, seat, event = line[-1]
    state = play(state, seat, event)  # type: ignore[arg-type]
    assert state.finished == (state.winner is not None)
    assert len(line) < 700 or not state.finished
    if state.finished:
        assert "king" in state.tableau(state.winner or "")


def cards_held(state: State) -> int:
    return sum(map(len, state.tableaux))


def dice_conserved(state: State) -> None:
    turn, rules = state.turn, state.rules
    if state.finished:
        return
    added = sum(CARDS[card].ability == "add" for card in turn.used)
    assert turn.dice == new_turn(rules, state.tableau(state.seat)).hand + added
    assert rules.dice is None or turn.dice <= rules.dice


def cards_conserved(state: State) -> None:
    held = [card for tableau in state.tableaux for card in tableau]
    for card, left in state.display.items():
        assert left is None or left >= 0
        if card not in ("fool", "charlatan"):
            assert left == copies(card, state.players) - held.count(card)
    fools = held.count("fool") + held.count("charlatan")
    if not state.rules.endless_fools:
        assert state.display["fool"] == state.players - fools


@pytest.mark.slow
@settings(max_examples=25)
@given(games)
def test_records_and_positions_of_random_games_read_back(line: list[tuple[State, str, object]]) -> None:
    first = line[0][0]
    supply = (
        {} if first.rules.dice == 12 else {"DiceSupply": "none" if first.rules.dice is None else str(first.rules.dice)}
    )
    names = ["Anna", 'Bert "the \\ hammer"', "Ćećilia", "大輔", "E"][: first.players]
    record = new_record("krone", names, first.rules.id, **supply)
    replay = replay_record(replace(record, entries=tuple(Entry(seat, event) for _, seat, event in line)))
    assert replay.broken is None
    text = replay.text()
    again = read_game(text)
    assert again.text() == text
    assert again.state == replay.state
    assert event_count(again) == len(again.record.entries) <= len(line)
    for state in replay.states[:: max(1, len(line) // 20)]:
        assert read_position(position_text(state)) == state


def test_most_random_games_come_to_an_end() -> None:
    ends = 0
    for seed in range(20):
        line = random_game(Random(seed), 2 + seed % 4, RULESETS["amigo2006"], limit=1500)
        ends += play(*line[-1]).finished
        assert sum(isinstance(event, Roll) for _, _, event in line) > 5
    assert ends >= 15
