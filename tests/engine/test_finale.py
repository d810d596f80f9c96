"""The final round: who ends with the King, and the value of a challenger's group while others still roll."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from companion.games.krone.advice import value_function
from engine.dice import best_group
from engine.krone.advice.actions import Action
from engine.krone.advice.advise import advise
from engine.krone.advice.finale import finale, survival_by_rung
from engine.krone.advice.goals import GOALS, Goal, Kind
from engine.krone.advice.kernel import Numbers
from engine.krone.advice.prices import bought, prices
from engine.krone.advice.reach import Reach, challenge, challenges, clear_cache, group, reach, reach_from, rung
from engine.krone.advice.tables import tables, value
from engine.krone.advice.turn_position import Position
from engine.krone.advice.winning import win_chances
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll
from engine.krone.rules import play
from engine.krone.state import RULESETS, State, new_game, new_turn
from tests.kit.reference_solver import solver, unused_of

AMIGO = RULESETS["amigo2006"]
SEVEN = ("farmer", "charlatan", "charlatan", "charlatan")
EIGHT = ("farmer", "charlatan", "charlatan", "charlatan", "charlatan")


def claimed(*tableaux: tuple[str, ...], face: int = 3) -> State:
    """The final round after A has claimed the King with seven of this face; the others own nothing."""
    state = replace(new_game(len(tableaux), AMIGO), tableaux=tableaux)
    state = replace(state, turn=new_turn(AMIGO, tableaux[0]))
    state = after(state, Roll((face,) * 7), Keep((face,) * 7), Buy("king"))
    for cards in tableaux[1:]:
        dice = (1, 2, 3, 4, 5, 6, 6, 5)[: 4 + len(cards) - 1]
        state = after(state, Roll(dice), Keep(dice), Pass())
    assert state.final
    return state


def after(state: State, *events: Event) -> State:
    for event in events:
        state = play(state, state.seat, event)
    return state


def played_out(order: list[Reach], threshold: int, again: Reach) -> list[float]:
    """Every player's win probability (the claimant's last), by enumerating every way the final round can go."""
    won = [0.0] * (len(order) + 1)

    def go(number: int, standing: int, holder: int, chance: float) -> None:
        if number == len(order):
            held = again[standing] if standing < len(again) else 0.0
            if holder == len(order):
                won[holder] += chance
            else:
                won[-1] += chance * held
                won[holder] += chance * (1 - held)
            return
        row = (*order[number], 0.0)
        above = 0.0
        for place in range(standing + 1, len(order[number])):
            go(number + 1, place, number, chance * (row[place] - row[place + 1]))
            above += row[place] - row[place + 1]
        go(number + 1, standing, holder, chance * (1 - above))

    go(0, threshold, len(order), 1.0)
    return won


def falling(chance: random.Random, rungs: int) -> Reach:
    return tuple(sorted((chance.random() for _ in range(rungs)), reverse=True))


@pytest.mark.parametrize("seed", range(20))
def test_the_chances_are_those_of_every_way_the_final_round_can_go(seed: int) -> None:
    chance = random.Random(seed)
    order = [falling(chance, chance.randint(0, 12)) for _ in range(chance.randint(1, 4))]
    again, threshold = falling(chance, chance.randint(1, 12)), chance.randint(0, 8)
    expected = played_out(order, threshold, again)
    seats = {"BCDE"[i]: row for i, row in enumerate(order)}
    found = finale(seats, threshold, "A", "A", again)
    assert [*(found[seat] for seat in seats), found["A"]] == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(1)


def test_a_group_holds_if_no_later_player_gets_above() -> None:
    held = survival_by_rung([(1.0, 0.5, 0.25)], (0.8, 0.6, 0.1), 3)
    assert held == pytest.approx((0.5 * 0.2, 0.75 * 0.4, 0.9, 1.0))
    assert survival_by_rung((), None, 2) == (1, 1, 1)


def test_rungs_count_first_and_value_second() -> None:
    assert [group(place) for place in (0, 5, 6)] == [(7, 1), (7, 6), (8, 1)]
    assert all(rung(*group(place)) == place for place in range(30))


def test_reach_is_the_chance_to_beat_every_threshold() -> None:
    found = reach(EIGHT, AMIGO)
    assert len(found) == 12
    assert list(found) == sorted(found, reverse=True)
    assert found[0] == pytest.approx(0.148594, abs=1e-5)  # eight dice, seven alike: the King


@pytest.mark.parametrize("seed", range(6))
def test_the_worth_of_the_best_group_equals_the_obvious_solver(seed: int) -> None:
    """Both kinds of goal, on groups small enough for the brute-force solver."""
    chance = random.Random(seed)
    cards = tuple(chance.sample(["maid", "fool", "laborer", "magician", "astronomer", "queen"], 1 + seed % 2))
    values = {(n, face): n / 8 + face / 64 for n in (2, 3, 4) for face in range(1, 7) if (n, face) > (2, 3)}
    need = Goal(Kind.LADDER, (3, 3, 3, 2, 2, 2))
    best, _ = solver(lambda dice: Fraction(values.get(best_group(dice), 0)))  # type: ignore[arg-type, return-value]
    for _ in range(10):
        dice = [chance.randint(1, 6) for _ in range(4)]
        active = tuple(sorted(dice[:2]))
        position = Position(cards, AMIGO, 0, active, tuple(sorted(dice[2:])), duty_met=chance.random() < 0.5)
        expected = float(best(active, position.kept, unused_of(cards), position.duty_met))
        for goal in (need, Goal(Kind.VALUE)):
            with tables(position, [goal], groups=values) as turn:
                turn.solve()
                assert float(value(turn, 0, position)) == pytest.approx(expected, abs=1e-12), (position, goal)
            with tables(position, [goal], groups=values) as turn:
                turn.solve(Numbers.SINGLE)
                assert float(value(turn, 0, position)) == pytest.approx(expected, abs=1e-5), (position, goal)


def test_interpolated_rungs_are_within_two_points_of_solved_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: the interpolated rungs were up to eight points off if all faces of a count were interpolated."""
    cards = ("philosopher", "laborer", "guard", "pawnbroker", "magician", "general")
    drawn = reach_from(Position.begin(cards), 0)
    monkeypatch.setattr("engine.krone.advice.reach._CHEAP", 1e9)
    solved = reach_from(Position.begin(cards), 0)
    assert max(abs(a - b) for a, b in zip(drawn, solved, strict=False)) < 0.02
    assert drawn != solved


def test_a_reach_looked_at_from_a_rung_on_is_the_whole_one_from_there() -> None:
    """Skipping the lower rungs does not change the probabilities of the higher ones."""
    for cards, near in ((EIGHT, 1e-6), (("farmer", "laborer", "guard", "hunter", "general", "magician"), 0.02)):
        whole = reach(cards, AMIGO)
        for first in (4, 6):
            found = reach(cards, AMIGO, first)
            assert found[:first] == (1,) * first
            assert found[first:] == pytest.approx(whole[first:], abs=near)
            assert list(found) == sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(6))
def test_challenges_of_many_tableaux_are_those_of_each_by_itself(seed: int) -> None:
    """With one more card, a turned Fool, or one or two more dice at the start; with few dice in the box."""
    chance = random.Random(seed)
    rules = replace(RULESETS["amigo2006" if seed % 3 else "riogrande2007"], dice=9 - seed % 2)
    own = ("farmer", "bishop", "general", *chance.sample(["fool", "maid", "magician", "laborer", "astronomer"], 2))
    sale = [card for card in CARDS if card not in (*own, "king") and (card != "charlatan" or "fool" in own)]
    tableaux = [own, *(bought(own, card) for card in sale)]
    holds, threshold = falling(chance, 40)[::-1], chance.randint(0, 8)
    clear_cache()
    together = challenges(own, tableaux, rules, threshold, holds)
    clear_cache()
    alone = [challenge(cards, rules, threshold, holds) for cards in tableaux]
    assert together == pytest.approx(alone, abs=1e-6)
    assert any(alone)


@pytest.mark.parametrize("others", [(SEVEN,), (SEVEN, ("knight", "general", "bishop"))])
def test_a_claim_by_the_last_player_of_a_round_is_valued_by_the_final_round(
    others: tuple[tuple[str, ...], ...],
) -> None:
    """The learned value was off by six points on average and by up to twenty-four."""
    state = replace(new_game(len(others) + 1, AMIGO), tableaux=(*others, EIGHT))
    for _ in others:
        dice = (1, 2, 3, 4, 5, 6, 6, 5)[: state.turn.hand]
        rolled = replace(state, turn=replace(state.turn, hand=0, kept=tuple(sorted(dice)), rolled=True))
        state = after(rolled, Pass())
    priced = prices(state, value_function())
    for face in (1, 6):
        kept = tuple(sorted((face,) * 7 + (2,)))
        claim = after(replace(state, turn=replace(state.turn, hand=0, kept=kept, rolled=True)), Buy("king"))
        assert claim.final
        seat = state.seats.index(state.seat)
        assert priced.groups[7, face] == pytest.approx(win_chances(claim, value_function())[seat], abs=0.01)


def test_a_card_out_of_reach_is_known_before_the_turn_is_solved() -> None:
    position = Position((), AMIGO, 0, (5,), (1, 3))
    goals = {card: GOALS[card] for card in ("guard", "farmer", "laborer", "maid")}
    with tables(position, list(goals.values())) as turn:
        assert [turn.hopeless(number) for number in range(4)] == [True, False, True, False]


def test_a_challenger_goes_on_for_more_while_others_still_roll() -> None:
    """Seven 4s beat the seven 3s, but the last die may make eight, and B rolls after C."""
    state = claimed(SEVEN, EIGHT, EIGHT)
    assert state.seat == "C"
    state = after(state, Roll((1, 4, 4, 4, 4, 4, 4, 4)))
    advice = advise(state, value_function())
    assert advice.best == Action("keep", dice=(4,) * 7)
    assert advice.chance is not None
    assert advice.chance.p == 1
    assert float(advice.choices[0].value) < 0.999  # B may still beat her
    state = after(state, Keep((4,) * 7))
    assert advise(state, value_function()).best == Action("roll")


def test_win_chances_in_the_final_round_add_up_and_depend_on_later_players() -> None:
    state = claimed(SEVEN, SEVEN, EIGHT)
    chances = win_chances(state, value_function())
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > chances[2] > chances[1]


def in_the_round_of_the_claim(*tableaux: tuple[str, ...]) -> State:
    """The state after A has claimed the King with seven 3s; B is on turn and may still buy."""
    state = replace(new_game(len(tableaux), AMIGO), tableaux=tableaux)
    state = replace(state, turn=new_turn(AMIGO, tableaux[0]))
    return after(state, Roll((3,) * 7), Keep((3,) * 7), Buy("king"))


def test_a_challengers_chance_is_that_of_the_one_best_way_to_play() -> None:
    """The best ways to play for seven 4s and for eight 1s differ, so a player cannot have the probabilities of both."""
    for state in (claimed(SEVEN, EIGHT), claimed(SEVEN, EIGHT, SEVEN)):
        seat = state.seats.index(state.seat)
        shown = win_chances(state, value_function())
        assert sum(shown) == pytest.approx(1)
        assert shown[seat] == pytest.approx(
            advise(state, value_function()).turn_value, abs=1e-6 if len(shown) == 2 else 2e-3
        )


@pytest.mark.parametrize("buys", [None, "farmer", "laborer", "guard", "hunter"])
def test_a_purchase_by_the_last_player_in_the_round_of_the_claim_is_valued_by_the_final_round(
    buys: str | None,
) -> None:
    """Every group above the threshold counts by the probability that it survives, not only the nearest one."""
    state = in_the_round_of_the_claim(SEVEN, ("knight", "general", "bishop"))
    priced = prices(state, value_function())
    rolled = replace(state, turn=replace(state.turn, hand=0, kept=(3, 3, 3, 3, 5, 5), rolled=True))
    ended = after(rolled, Pass() if buys is None else Buy(buys))
    assert ended.final
    won = win_chances(ended, value_function())[1]
    assert (priced.passing if buys is None else priced.cards[buys]) == pytest.approx(won)


def test_in_the_round_of_the_claim_win_chances_depend_on_later_challengers() -> None:
    """C plays last and rolls first in the final round; B may still beat C's group."""
    beside = in_the_round_of_the_claim(SEVEN, EIGHT, EIGHT)
    beside = after(beside, Roll((1, 2, 3, 4, 5, 6, 6, 5)), Keep((1, 2, 3, 4, 5, 6, 6, 5)), Pass())
    weak = replace(beside, tableaux=(beside.tableaux[0], (), beside.tableaux[2]))
    passing = [prices(state, value_function()).passing for state in (beside, weak)]
    assert 0.5 * passing[1] < passing[0] < passing[1]
