"""Reasons for advice in Knatsch: a sentence for every card on the table, and what the second best loses."""

from __future__ import annotations

import random

import pytest

from engine.advice.remark import NEXT_STEP, percent
from engine.knatsch.advice.advise import advise
from engine.knatsch.advice.targets import targets
from engine.knatsch.advice.why import HERS, LEFT, NOT_KNOWN, RIGHT, THE_KING, reasons, why_not
from engine.knatsch.events import Held, Target, Top
from engine.knatsch.state import State
from engine.knatsch.targets import capture_refusal
from tests.engine.knatsch_table import BLUE, GREEN, RED, YELLOW, after, knatsch_state
from tests.kit.knatsch_play import one_game
from tests.kit.matches.knatsch_players import Advised
from tests.kit.matches.knatsch_weights import HAND_MADE


def answered(state: State) -> list[str]:
    advice = advise(state, HAND_MADE)
    assert advice is not None
    return [str(remark) for remark in why_not(state, advice, HAND_MADE)]


@pytest.mark.parametrize("seed", range(3))
def test_every_card_of_the_table_that_is_not_ones_own_is_answered_for(seed: int) -> None:
    seen: list[State] = []
    one_game(random.Random(seed), [Advised(HAND_MADE)] * (2 + seed), seen)
    for state in seen[::5]:
        advice = advise(state, HAND_MADE)
        assert advice is not None
        said = why_not(state, advice, HAND_MADE)
        offers = [one for one in said if one.template in (LEFT, RIGHT, HERS, THE_KING, NOT_KNOWN)]
        reasons_against = {str(one) for one in said} - {str(one) for one in offers}
        others = [place for place in state.places() if not (isinstance(place, Held) and place.seat == state.turn)]
        legal = [place for place in others if capture_refusal(state, place) is None]
        assert len(offers) == len([place for place in legal if Target(place) != advice.event])
        assert reasons_against == {str(refusal) for place in others if (refusal := capture_refusal(state, place))}


def test_an_answer_gives_the_chance_and_the_value_of_success_and_failure() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW, right="tournament", hidden=False)
    advice = advise(state, HAND_MADE)
    assert advice is not None
    other = next(one for one in targets(state, HAND_MADE) if one.place == Top("right"))
    assert other.chance is not None
    said = next(one for one in why_not(state, advice, HAND_MADE) if one.template == RIGHT)
    assert said.values["chance"] == percent(other.chance)
    assert said.values["before"] == percent(advice.win_chance - other.risk)
    assert "castle-yellow" not in [one.values.get("card") for one in why_not(state, advice, HAND_MADE)]  # the advised


def test_the_second_best_card_and_the_second_best_keep_are_named() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW, right="tournament", hidden=False)
    advice = advise(state, HAND_MADE)
    assert advice is not None
    first, second = reasons(state, advice, HAND_MADE)
    assert first.template == NEXT_STEP
    assert "on the right stack" in str(second) or "King" in str(second)
    thrown = after(knatsch_state(RED, f"{BLUE} {GREEN}", YELLOW), "A target B castle-blue", "A roll 4 4 4 5 2 6")
    advice = advise(thrown, HAND_MADE)
    assert advice is not None
    first, second = reasons(thrown, advice, HAND_MADE)
    assert first.template == NEXT_STEP
    assert str(second).startswith("Keep ")


def test_nothing_is_answered_while_a_player_throws() -> None:
    assert (
        answered(after(knatsch_state(RED, f"{BLUE} {GREEN}", YELLOW), "A target B castle-blue", "A roll 4 4 4 5 2 6"))
        == []
    )
