"""Reasons for advice: what the second best choice loses, and which card of the next turn a purchase prepares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.krone.advice import value_function
from engine.advice.remark import NEXT_STEP, percent
from engine.dice import Faces
from engine.krone.advice.advise import advise
from engine.krone.advice.odds import odds
from engine.krone.advice.prices import prices
from engine.krone.advice.turn_position import Position
from engine.krone.advice.why import prepared, reasons, why_not
from engine.krone.advice.words import CLAIM, NEXT_CARD, PREPARES
from engine.krone.cards import CARDS
from engine.krone.state import RULESETS, State, for_sale, new_game, new_turn

AMIGO = RULESETS["amigo2006"]
VALUE_FUNCTION = value_function()


def result(*dice: int, tableaux: tuple[tuple[str, ...], ...] = ((), ())) -> State:
    """The state after all these dice are set aside."""
    return rolled((), tuple(sorted(dice)), tableaux)


def rolled(active: Faces, kept: Faces = (), tableaux: tuple[tuple[str, ...], ...] = ((), ())) -> State:
    state = replace(new_game(len(tableaux), AMIGO), tableaux=tableaux)
    turn = replace(new_turn(AMIGO, tableaux[0]), hand=0, active=active, kept=kept, rolled=True)
    return replace(state, turn=replace(turn, duty=bool(active)))


def test_the_second_best_card_is_named_with_its_loss() -> None:
    advice = advise(result(5, 5, 5), VALUE_FUNCTION)
    said = {remark.template: remark.values for remark in reasons(advice)}
    second = next(one for one in advice.purchases[1:] if one.card is not None)
    assert said[NEXT_CARD]["card"] == second.card
    assert said[NEXT_CARD]["chance"] == percent(advice.purchases[0].win_chance - second.win_chance)


def test_the_second_best_step_is_named_with_its_loss() -> None:
    advice = advise(rolled((1, 5, 6)), VALUE_FUNCTION)
    first, second = list(reasons(advice))
    assert first.template == NEXT_STEP
    assert first.values["chance"] == percent(float(advice.choices[0].value) - float(advice.choices[1].value))
    assert str(second).startswith(("Set aside", "Use", "Roll"))


def test_a_purchase_prepares_the_card_whose_chance_next_turn_it_raises_most() -> None:
    """With the Farmer there are four dice, so four of a kind become possible."""
    found = prepared(result(5, 5, 4), "farmer")
    assert found is not None
    before, after = (odds(Position.begin(cards, AMIGO), (found.card,))[found.card].p for cards in ((), ("farmer",)))
    assert (found.before, found.after) == (before, after)
    assert after > before + 0.03
    advice = advise(result(5, 5, 4), VALUE_FUNCTION)
    assert PREPARES in [remark.template for remark in reasons(advice, found)]


def test_why_not_another_card_answers_for_every_card_that_can_still_be_had() -> None:
    state = rolled((2, 5, 5))
    chances = {goal: chance.p for goal, chance in odds(Position.of(state)).items()}
    *said, last = why_not(advise(state, VALUE_FUNCTION), chances)
    answered = {remark.values["card"]: remark.values for remark in said}
    assert set(answered) == {"fool", *(card for card, chance in chances.items() if chance > 0)}
    assert answered["farmer"]["chance"] == percent(chances["farmer"])
    assert "chance" not in answered["fool"]  # any dice buy it
    out = {card for card, chance in chances.items() if not chance}
    assert set(last.values["cards"].split(", ")) == {card for card in out if for_sale(state, card)}
    assert "King" in str(last)


def test_why_not_another_card_answers_for_every_card_once_the_dice_rest() -> None:
    state = result(5, 5, 5)
    advice = advise(state, VALUE_FUNCTION)
    *said, last = why_not(advice, {})
    paid = [one.card for one in advice.purchases if one.card is not None]
    assert [remark.values["card"] for remark in said] == paid[1:]
    sale = {card for card in CARDS if card != "king" and for_sale(state, card)}
    assert set(last.values["cards"].split(", ")) == sale - set(paid)


def test_the_reason_not_to_claim_gives_the_win_chance_of_the_smallest_claim() -> None:
    state = rolled((1, 2, 5, 5, 5, 5, 5), tableaux=(("farmer", "general", "laborer"), ()))
    advice = advise(state, VALUE_FUNCTION)
    chances = {goal: chance.p for goal, chance in odds(Position.of(state), ("king", "guard")).items()}
    said = next(remark for remark in why_not(advice, chances) if remark.values.get("card") == "king")
    assert said.template == CLAIM
    least = min(prices(state, VALUE_FUNCTION).groups.values())
    assert (said.values["chance"], said.values["after"]) == (percent(chances["king"]), percent(least))


@pytest.mark.parametrize("dice", [(1, 2, 4), (6, 6, 6)])
def test_the_advised_purchase_is_worth_at_least_as_much_as_every_other(dice: Faces) -> None:
    advice = advise(result(*dice), VALUE_FUNCTION)
    assert all(one.win_chance <= advice.purchases[0].win_chance for one in advice.purchases)
