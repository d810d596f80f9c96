"""The advice of Yatzy: the published optima, the shipped table, and the value of each choice."""

from __future__ import annotations

import random
from statistics import fmean, stdev

import numpy as np
import pytest

from companion.advice.packed_numbers import from_steps, in_steps
from companion.games.yatzy.advice import yatzy_values
from engine.yatzy.advice.choices import choices, expected_total
from engine.yatzy.boxes import RULESETS
from engine.yatzy.events import Keep, Roll, Score
from engine.yatzy.position import read_position
from engine.yatzy.rules import play
from engine.yatzy.state import State, new_game
from tests.kit.yatzy_solver import solve


def test_the_table_has_the_published_optimum_of_the_american_rules() -> None:
    """Verhoeff 1999: 254.5896; the packed table counts in steps of 1/128."""
    assert yatzy_values("american")[0, 0, 0] == pytest.approx(254.5896, abs=1 / 256)


def test_the_table_has_the_optimum_of_the_scandinavian_rules() -> None:
    """248.4400. The published 248.63 counts one pair in the box of two pairs (scripts/yatzy_table.py shows both)."""
    assert yatzy_values("scandinavian")[0, 0, 0] == pytest.approx(248.43999, abs=1 / 256)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_shipped_table_equals_the_result_of_the_solver(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    last_four = sum(1 << place for place in range(len(rules.boxes)) if place not in (3, 6, 9, 11))
    solved = solve(rules, last_four)
    rows = [mask for mask in range(solved.shape[1]) if mask & last_four == last_four]
    assert np.abs(from_steps(in_steps(solved[:, rows])) - solved[:, rows]).max() <= 1 / 256
    assert (yatzy_values(ruleset)[:, rows] == from_steps(in_steps(solved[:, rows]))).all()


def one_game(chance: random.Random, ruleset: str) -> int:
    state, values = new_game(1, RULESETS[ruleset]), yatzy_values(ruleset)
    while not state.finished:
        dice = tuple(chance.randint(1, 6) for _ in range(state.to_roll))
        state = play(state, "A", Roll(dice) if dice else choices(state, values)[0].event)
    return state.sheet("A").total


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_played_by_the_advice_score_the_expected_points(ruleset: str) -> None:
    totals = [one_game(random.Random(f"{number}"), ruleset) for number in range(15)]
    assert abs(fmean(totals) - yatzy_values(ruleset)[0, 0, 0]) < 3 * stdev(totals) / 15**0.5


def at(text: str, ruleset: str = "scandinavian") -> State:
    return read_position(text, 1, RULESETS[ruleset])


def best(state: State) -> Keep | Score:
    return choices(state, yatzy_values(state.rules.id))[0].event


def test_four_alike_are_kept_for_the_yatzy() -> None:
    assert best(at("A chance 20; rolls 1; dice 6 6 6 6 2")) == Keep((6, 6, 6, 6))


def test_a_large_straight_is_written_at_once() -> None:
    assert best(at("A -; rolls 2; dice 2 3 4 5 6")) == Score("large-straight")


def test_after_the_last_roll_only_boxes_are_offered() -> None:
    found = choices(at("A ones 3; rolls 0; dice 6 6 6 5 2"), yatzy_values("scandinavian"))
    assert len(found) == 14
    assert all(isinstance(choice.event, Score) for choice in found)


def test_while_dice_are_to_be_rolled_there_is_nothing_to_choose() -> None:
    state = at("A -; rolls 2; dice 6 6 6 5 2; kept 6 6 6")
    assert choices(state, yatzy_values("scandinavian")) == ()


def test_the_expected_total_is_a_martingale_over_the_next_roll() -> None:
    values = yatzy_values("american")
    state = at("A yatzy 50 ones 3; rolls 1; dice 6 6 6 6 2; kept 6 6 6 6", "american")
    after = [expected_total(play(state, "A", Roll((face,))), "A", values) for face in range(1, 7)]
    assert expected_total(state, "A", values) == pytest.approx(fmean(after))


def test_the_value_of_the_last_box_is_its_score() -> None:
    filled = " ".join(f"{box} 0" for box in RULESETS["american"].boxes if box != "chance")
    assert [choice.points for choice in choices(at(f"A {filled}; rolls 0; dice 1 2 3 4 6", "american"),
                                                yatzy_values("american"))] == [16.0]  # fmt: skip
