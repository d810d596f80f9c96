"""Check values of the odds, and positions whose odds can be calculated by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import Illegal
from engine.krone.advice.actions import Action
from engine.krone.advice.goals import GOALS, Threshold
from engine.krone.advice.odds import BEAT, answers, odds
from engine.krone.advice.turn_position import Position, checked
from engine.krone.events import Keep, Roll, Use
from engine.krone.rules import can, play
from engine.krone.state import RULESETS, new_game

AMIGO, RIO = RULESETS["amigo2006"], RULESETS["riogrande2007"]


def fraction(cards: tuple[str, ...], goal: str) -> Fraction | None:
    return odds(Position.begin(cards), (goal,), fractions=True)[goal].fraction


def test_first_turn_odds_are_the_known_fractions() -> None:
    assert fraction((), "farmer") == Fraction(193, 243)
    assert fraction((), "guard") == Fraction(269, 1944)
    assert fraction(("farmer",), "hunter") == Fraction(5459, 69984)


@pytest.mark.parametrize("charlatans", range(5))
def test_all_odd_is_even_money_for_every_number_of_dice(charlatans: int) -> None:
    assert fraction(("charlatan",) * charlatans, "maid") == Fraction(1, 2)
    assert fraction(("charlatan",) * charlatans, "philosopher") == Fraction(1, 2)


@pytest.mark.parametrize(("dice", "chance"), [(7, 0.026809), (8, 0.148594), (9, 0.383880), (10, 0.647348)])
def test_king_by_number_of_dice(dice: int, chance: float) -> None:
    cards = ("general", "farmer", "charlatan", "charlatan", "charlatan", "charlatan")[: dice - 4]
    assert odds(Position.begin(cards), ("king",))["king"].p == pytest.approx(chance, abs=5e-7)


def test_r1_an_added_die_joins_the_first_roll_in_one_edition_only() -> None:
    amigo = odds(Position.begin(("laborer",), AMIGO), ("merchant",))["merchant"]
    rio = odds(Position.begin(("laborer",), RIO), ("merchant",))["merchant"]
    assert (round(amigo.p, 6), round(rio.p, 6)) == (0.488015, 0.421961)


def test_the_hunter_with_laborer_guard_and_fool() -> None:
    position = checked(("laborer", "guard", "fool"), AMIGO, active=(3, 3, 5))
    answer = answers(position, ("hunter",), fractions=True)["hunter"]
    assert answer.chance.fraction == Fraction(10476463, 30233088)
    # throwing the 5 again before anything is set aside leaves open whether the 3s are what is kept
    assert answer.best == Action("use", "fool", (5,))


def test_two_threes_kept_and_one_roll_left() -> None:
    position = checked((), AMIGO, active=(4,), kept=(3, 3), duty_met=True)
    assert odds(position, ("guard",), fractions=True)["guard"].fraction == Fraction(1, 6)


def test_ties_go_to_stop_then_keep_then_roll_then_use() -> None:
    done = checked(("laborer", "fool"), AMIGO, kept=(3, 3, 3))
    assert answers(done, ("guard",))["guard"].best == Action("stop")
    lying = checked(("fool",), AMIGO, active=(3, 3, 3))
    assert answers(lying, ("guard",))["guard"].best == Action("keep", dice=(3, 3, 3))
    assert answers(Position.begin(("laborer",)), ("king",))["king"].best == Action("roll")


def test_equalling_is_enough_for_the_queens_owner_only() -> None:
    position = checked(("charlatan",) * 4, AMIGO, kept=(2, 2, 2, 2, 2, 2, 2))
    assert odds(position, (), Threshold(7, 2))[BEAT].p == 0
    assert odds(position, (), Threshold(7, 2, equal=True))[BEAT].p == 1
    assert odds(position, (), Threshold(7, 1))[BEAT].p == 1
    assert odds(position, (), Threshold(6, 6))[BEAT].p == 1
    for equal in (False, True):  # ending the turn is worth as much
        choices = answers(position, (), Threshold(7, 2, equal=equal))[BEAT].choices
        assert [choice.value for choice in choices if choice.action == Action("stop")] == [equal]


def test_an_empty_supply_adds_no_dice() -> None:
    cards = ("laborer", "guard")
    with_dice = checked(cards, AMIGO, active=(1,), kept=(1, 1))
    without = checked(cards, RULESETS["amigo2006"].__class__(dice=3), active=(1,), kept=(1, 1))
    assert odds(with_dice, ("hunter",))["hunter"].p == 1
    assert odds(without, ("hunter",))["hunter"].p == 0


def test_every_choice_is_allowed_by_the_engine() -> None:
    """The advice and the rules must not disagree about a move."""
    cards = ("maid", "philosopher", "laborer", "astronomer", "noblewoman", "magician", "alchemist", "nobleman", "queen")
    state = new_game(2, AMIGO)
    object.__setattr__(state, "tableaux", (cards, ()))
    state = play(state, "A", Roll((1, 2, 4)))
    state = play(state, "A", Keep((4,)))
    choices = answers(Position.of(state), ("hunter",))["hunter"].choices
    offered = {choice.action for choice in choices}
    for action in offered:
        if action.do == "keep":
            assert can(state, "A", Keep(action.dice))
        elif action.do == "use":
            assert action.card is not None
            shown = () if action.card == "laborer" else action.to
            assert can(state, "A", Use(action.card, action.dice, shown)), action
    for before in ((1,), (2,), (1, 2)):
        for after in [(a,) for a in range(1, 7)] + [(a, b) for a in range(1, 7) for b in range(a, 7)]:
            for card in cards:
                if can(state, "A", Use(card, before, after)):
                    lying = sorted([*after, *[d for d in (1, 2) if d not in before]])
                    same = [a for a in offered if a.card == card and sorted([*a.to, *_rest((1, 2), a.dice)]) == lying]
                    assert same, (card, before, after)


def _rest(dice: tuple[int, ...], named: tuple[int, ...]) -> list[int]:
    left = list(dice)
    for die in named:
        left.remove(die)
    return left


@pytest.mark.parametrize(
    ("cards", "used", "active", "kept", "met"),
    [
        ((), (), (1, 2), (), False),  # too few dice
        (("farmer",), (), (1, 2, 3), (), False),
        ((), ("laborer",), (1, 2, 3, 4), (), False),  # used, not owned
        (("farmer",), ("farmer",), (1, 2, 3, 4), (), False),  # no use of its own
        (("farmer", "farmer"), (), (1, 2, 3, 4, 5), (), False),
        (("maid",), ("maid",), (), (), False),  # before the first roll there is nothing to turn
        ((), (), (1, 2, 3), (), True),
        ((), (), (), (), True),
        (("charlatan",) * 6, (), (), (), False),
        (("unknown",), (), (), (), False),
    ],
)
def test_contradictions_are_refused(
    cards: tuple[str, ...], used: tuple[str, ...], active: tuple[int, ...], kept: tuple[int, ...], met: bool
) -> None:
    with pytest.raises(Illegal):
        checked(cards, AMIGO, used, active, kept, met)


def test_all_seventeen_goals_are_answered_in_their_order() -> None:
    assert list(odds(Position.begin(()))) == list(GOALS)
    assert len(GOALS) == 17
