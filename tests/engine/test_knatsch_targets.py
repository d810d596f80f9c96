"""Targets: probabilities with rivals and defence, values with goals, dice to keep, whether to defend."""

from __future__ import annotations

import pytest

from engine.knatsch.advice.odds import beat
from engine.knatsch.advice.targets import chance, defence, targets, ways_to_go_on
from engine.knatsch.combination import read
from engine.knatsch.events import SIDES, Held, TheKing, Top
from tests.engine.knatsch_table import BLUE, GREEN, RED, YELLOW, after, knatsch_state
from tests.kit.matches.knatsch_weights import HAND_MADE


def test_a_stack_card_has_the_exact_chance_and_betrayal_counts() -> None:
    state = knatsch_state(f"{RED} dice-4", BLUE, left=GREEN, right="stack=4-4-4+1")
    assert chance(state, Top("left")) == pytest.approx(float(beat(read("3-3-3+4"), 3, None, (4,))))
    betrayed = knatsch_state(f"{RED} betrayal", BLUE, left="castle-green=5-5-5+5")
    assert chance(betrayed, Top("left")) == pytest.approx(0.643582, abs=1e-6)


def test_a_players_castle_is_defended_a_special_is_not() -> None:
    state = knatsch_state(RED, f"{BLUE} {GREEN} dice-1=3-3-3+4", YELLOW)
    castle, special = chance(state, Held("B", "castle-green")), chance(state, Held("B", "dice-1"))
    assert castle is not None
    assert special == pytest.approx(float(beat(read("3-3-3+4"), 3)))
    assert castle < special / 1.5
    catapult = knatsch_state(f"{RED} catapult", f"{BLUE} {GREEN}", YELLOW)
    assert (chance(catapult, Held("B", "castle-green")) or 0) > castle


def test_a_tournament_is_harder_against_more_rivals_and_unknown_cards_have_no_chance() -> None:
    two, three = knatsch_state(RED, BLUE, left="tournament"), knatsch_state(RED, BLUE, YELLOW, left="tournament")
    assert (chance(two, Top("left")) or 0) > (chance(three, Top("left")) or 0)
    assert chance(knatsch_state(RED, BLUE, left="stack"), Top("left")) is None


def test_the_card_that_wins_is_worth_most() -> None:
    state = knatsch_state(
        f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW, right="stack=2-2-2+1", turn="turn=A king=5-5-5+5"
    )
    found = targets(state, HAND_MADE)
    assert found[0].place == Top("left")
    assert {one.place for one in found} == {Top("left"), Top("right"), TheKing()}
    king = next(one for one in found if isinstance(one.place, TheKing))
    assert king.gain == found[0].gain  # both win the game
    assert king.risk > 0 == found[0].risk


def test_the_value_of_a_special_card_on_a_stack_includes_the_further_attempt() -> None:
    """Bug: only open cards counted, so the advice never attacked special cards."""
    special, other = "stack=2-2-2+1", "castle-white=5-5-5+5"
    cards = (f"{RED} {BLUE} {GREEN}", "castle-black")
    winning = knatsch_state(*cards, left=f"{special} {YELLOW}", right=other, hidden=False)
    useless = knatsch_state(*cards, left=f"{special} {RED}", right=other, hidden=False)
    taken = knatsch_state(*cards, left=YELLOW, right=other, hidden=False)
    first, second = ({one.place: one for one in targets(state, HAND_MADE)}[Top("left")] for state in (winning, useless))
    up, beside = ({one.place: one for one in targets(taken, HAND_MADE)}[Top(side)] for side in SIDES)
    assert first.gain - second.gain == pytest.approx(up.value - beside.value)
    assert up.value > beside.value


def test_what_to_keep_in_attack_defence_and_tournament() -> None:
    state = after(knatsch_state(RED, f"{BLUE} {GREEN}", YELLOW), "A target B castle-blue", "A roll 4 4 4 5 2 6")
    best = ways_to_go_on(state)[0]
    assert (best.keep, best.thrown) == ((5, 4, 4, 4), 1)  # beaten already, but four 4s are harder to defend against
    attacked = after(state, "A stop")
    assert defence(attacked) == pytest.approx(float(beat(read("4-4-4+5"), 3)))
    assert defence(state) is None
    assert ways_to_go_on(after(attacked, "B roll 5 5 5 1 2 3"))[0].thrown == 0
    tournament = after(knatsch_state(RED, BLUE, YELLOW, left="tournament"), "A target left", "A roll 5 5 1 2 3 6")
    assert ways_to_go_on(tournament)[0].keep == (5, 5)
    followed = after(tournament, "A stop", "B roll 1 1 1 2 3 4")
    assert ways_to_go_on(followed)[0].chance > 0


def test_advice_is_quiet_when_nothing_is_to_be_chosen() -> None:
    state = after(knatsch_state(RED, BLUE, left=GREEN), "A target left")
    assert targets(state, HAND_MADE) == []
    assert ways_to_go_on(state) == []
