"""Yatzy against a second, plain implementation: same moves allowed, same scoresheets, same expectations."""

from __future__ import annotations

import random

import pytest

from engine.dice import rolls
from engine.registry import SEATS
from engine.yatzy.boxes import RULESETS
from engine.yatzy.events import Event, Keep, Roll, Score, event_text
from engine.yatzy.names import NAMES
from engine.yatzy.rules import can, legal, play
from engine.yatzy.state import State, new_game
from tests.engine.plain_yatzy import TOP, PlainYatzy, expectation
from tests.kit.yatzy_solver import solve
from tests.referee.plain_table import tried


def same(state: State, table: PlainYatzy) -> None:
    for place, sheet in enumerate(state.sheets):
        scored = zip(sheet.rules.boxes, sheet.scored, strict=True)
        assert {box: score for box, score in scored if score is not None} == table.sheets[place]
        assert sheet.total == table.total(place)
    assert state.finished == table.over
    if not state.finished:
        assert state.seat == SEATS[table.who]
        assert (state.dice or ()) == tuple(sorted(table.dice))
        assert state.kept == (None if table.kept is None else tuple(sorted(table.kept)))


def anything(chance: random.Random, state: State) -> tuple[str, Event]:
    """A random event, mostly of the seat on turn."""
    seat = state.seat if chance.random() < 0.9 else chance.choice(state.seats)
    dice = state.dice or (1, 2, 3, 4, 5)
    tries: list[Event] = [Keep(tuple(chance.sample(dice, chance.randint(0, 5)))), Score(chance.choice(list(NAMES)))]
    tries += [Roll(chance.choice(rolls(count))) for count in (state.to_roll, chance.randint(1, 5)) if count]
    return seat, chance.choice(tries)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", range(2))
def test_the_engine_agrees_with_a_plain_second_implementation(ruleset: str, seed: int) -> None:
    chance = random.Random(f"{seed} {ruleset}")
    players = chance.randint(1, 6)
    state, table = new_game(players, RULESETS[ruleset]), PlainYatzy(players, ruleset)
    while not state.finished:
        for _ in range(2):
            seat, event = anything(chance, state)
            after = tried(table, f"{seat} {event_text(event)}")
            assert can(state, seat, event) == (after is not None), (seat, event)
            if after is not None:
                same(play(state, seat, event), after)
        moves = legal(state)
        rolled = [(s, e) for s, e in moves if isinstance(e, Roll)]
        fives = [(s, e) for s, e in rolled if len(set(e.dice)) == 1 and e.dice[0] in (3, 6)]
        seat, event = chance.choice(fives if fives and chance.random() < 0.5 else rolled or moves)
        state = play(state, seat, event)
        table.line(f"{seat} {event_text(event)}")
        same(state, table)


OPEN = [(("sixes", "chance"), 50), (("yatzy", "fours"), 0), (("full-house", "large-straight"), 50)]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("left", "yatzy"), OPEN, ids=str)
def test_expectations_of_two_open_boxes_agree_with_every_choice_and_roll_tried(
    ruleset: str, left: tuple[str, str], yatzy: int
) -> None:
    rules = RULESETS[ruleset]
    sheet = {box: 0 for box in rules.boxes if box not in left}
    sheet |= {box: 3 * (TOP.index(box) + 1) for box in TOP if box not in left}
    if "yatzy" in sheet:
        sheet["yatzy"] = yatzy
    filled = sum(1 << rules.place(box) for box in sheet)
    held = int(rules.jokers and sheet.get("yatzy") == 50)
    upper = sum(sheet.get(box, 0) for box in TOP)
    assert solve(rules, filled)[held, filled, upper] == pytest.approx(expectation(ruleset, sheet), abs=1e-9)
