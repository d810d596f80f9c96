"""The odds of Knatsch: check values of the rules, the brute-force solver on a grid, and the command."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest
from click.testing import CliRunner

from companion.commands.odds import command
from engine.knatsch.advice.odds import (
    Thrower,
    attempt,
    chance_to_hold,
    contestant_payoff,
    organiser_payoff,
    ways_to_beat,
)
from engine.knatsch.advice.odds import beat as fast_beat
from engine.knatsch.combination import NOTHING, Combination, best, read
from tests.engine.reference_knatsch import Solver, beat, throws_of, worth

EVERY_THROW = tuple(combinations_with_replacement(range(1, 7), 6))


@pytest.mark.parametrize(
    ("target", "throws", "chance"),
    [("3-3-3+2", 3, 0.599167), ("4-4-4+5", 3, 0.452995), ("2-2-2+4", 3, 0.643582), ("4-4-4+5", 4, 0.549112)],
)
def test_check_values_of_the_rules(target: str, throws: int, chance: float) -> None:
    assert round(float(fast_beat(read(target), throws)), 6) == chance


@pytest.mark.parametrize("cards", [(), (4,), (1, 2, 5)])
def test_results_are_those_of_counting_again(cards: tuple[int, ...]) -> None:
    assert all(best((*dice, *cards)) == worth(dice, cards) for dice in EVERY_THROW)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "cards"),
    [
        ("3-3-3+2", ()),
        ("4-4-4+5", (4,)),
        ("2-2-2-2+3", (1, 3, 5)),
        ("nothing", ()),
    ],
)
def test_equal_to_the_obvious_solver_as_fractions(target: str, cards: tuple[int, ...]) -> None:
    """Every result of six dice with 0 to 3 throws left, and whole attempts of 1 to 4 throws: 1,852 positions a case."""
    wanted, solver = read(target), beat(read(target), cards)
    for throws in range(4):
        assert solver.fresh(throws + 1) == fast_beat(wanted, throws + 1, None, cards)
        for dice in EVERY_THROW:
            assert solver.value(dice, throws) == fast_beat(wanted, throws, dice, cards), (dice, throws)


def test_the_best_way_has_the_value_of_the_position_and_stopping_counts_the_dice_on_the_table() -> None:
    target, solver = read("3-3-3+2"), beat(read("3-3-3+2"))
    for dice in EVERY_THROW[::7]:
        ways = ways_to_beat(target, 2, dice)
        assert ways[0].chance == pytest.approx(float(solver.value(dice, 2)), abs=1e-12)
        stop = next(way for way in ways if not way.thrown)
        assert stop.chance == float(worth(dice) > target)
        for way in ways:
            if way.thrown:
                sixes = tuple(face for face in dice if face == 6)
                chance = float(solver.keeping(tuple(sorted(way.keep)) + sixes, 2))
                assert way.chance == pytest.approx(chance, abs=1e-12)


def test_a_throw_that_wins_already_is_best_left_alone() -> None:
    assert ways_to_beat(read("4-4-4+1"), 2, (2, 4, 4, 4, 5, 6))[0].thrown == 0


def test_one_challenger_holds_against_the_leader_as_often_as_she_cannot_beat_him() -> None:
    results = [read("3-3-3-3+4"), read("2-2+1"), NOTHING]
    held = chance_to_hold(results, [Thrower((2,), 3)])
    for result in results:
        assert held[result] == pytest.approx(1 - float(beat(result, (2,)).fresh(3)), abs=1e-12)


@pytest.mark.slow
def test_two_challengers_play_to_win_themselves() -> None:
    """The first challenger considers what the second may still roll: recomputed with the brute-force solver."""
    second_beats = {result: float(beat(result).fresh(1)) for result in {worth(dice) for dice in EVERY_THROW}}
    leading = Combination(3, 3, 2)

    def own_win(dice: tuple[int, ...]) -> float:
        return (1 - second_beats[worth(dice)]) * (worth(dice) > leading)

    first = Solver(own_win)

    def takes_lead(dice: tuple[int, ...], throws: int) -> float:
        """Probability that the first challenger takes the lead when keeping what is best for the own win."""
        if not throws:
            return float(worth(dice) > leading)
        sixes = tuple(face for face in dice if face == 6)
        others = tuple(face for face in dice if face != 6)
        ways = [(first.payoff(dice), float(worth(dice) > leading))]
        for size in range(len(others)):
            for keep in set(combinations(others, size)):
                ways.append((first.keeping(keep + sixes, throws), _average(keep + sixes, throws)))
        return max(ways)[1]

    def _average(kept: tuple[int, ...], throws: int) -> float:
        rest = 6 - len(kept)
        return sum(takes_lead(tuple(sorted(kept + roll)), throws - 1) * n for roll, n in throws_of(rest)) / 6**rest

    held = chance_to_hold([leading], [Thrower((), 2), Thrower((), 1)])[leading]
    leads = _average((), 2)
    assert held == pytest.approx((1 - leads) * (1 - second_beats[leading]), abs=1e-12)
    won = attempt(contestant_payoff(leading, (), (Thrower((), 1),)), 2)
    assert won == pytest.approx(first.fresh(2), abs=1e-12)


def test_an_attack_weighs_the_defence() -> None:
    target = read("4-4-4+2")
    defence = {result: float(beat(result).fresh(1)) for result in {worth(dice, (1,)) for dice in EVERY_THROW}}
    solver = Solver(lambda dice: (1 - defence[worth(dice, (1,))]) * (worth(dice, (1,)) > target))
    assert attempt(contestant_payoff(target, (1,), (Thrower((), 1),)), 2) == pytest.approx(solver.fresh(2), abs=1e-12)


def test_the_organiser_of_a_tournament_wins_less_often_than_alone() -> None:
    alone = attempt(organiser_payoff((), (Thrower(),)), 4)
    against_three = attempt(organiser_payoff((), (Thrower(),) * 3), 4)
    assert 0.5 < alone < 0.7
    assert against_three < alone / 2 + 0.1


def _run(*options: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command, ["--game", "knatsch", *options])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_answers_under_the_key_beat() -> None:
    status, said, _ = _run(
        "--beat", "3-3-3+2", "--throws", "2", "--dice", "5,5,2,3,6,6", "--dice-cards", "4,2", "--json"
    )
    answer = json.loads(said)
    assert status == 0
    assert answer["odds"]["beat"]["fraction"] == str(beat((3, 3, 2), (2, 4)).value((2, 3, 5, 5, 6, 6), 2))
    assert Fraction(answer["odds"]["beat"]["fraction"]) == pytest.approx(answer["odds"]["beat"]["p"])
    assert answer["best"] == {"beat": {"do": "keep", "dice": [5, 5]}}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--beat", "3-3-4+2", "--throws", "3"], "must be the same"),
        (["--beat", "6-6-6+2", "--throws", "3"], "sixes are worth nothing"),
        (["--beat", "3-3-3+2", "--throws", "5"], "1 to 4 rolls"),
        (["--beat", "3-3-3+2", "--throws", "2", "--dice", "5,5,2"], "all six dice"),
        (["--beat", "3-3-3+2", "--throws", "2", "--dice-cards", "4,4"], "twice"),
        (["--beat", "3-3-3+2"], "the rolls left"),
    ],
)
def test_a_contradictory_question_gets_one_sentence(options: list[str], sentence: str) -> None:
    status, _, said = _run(*options)
    assert status == 2
    assert sentence in said
    assert said.count("\n") == 1
