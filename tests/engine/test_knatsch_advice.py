"""Advice for Knatsch: targets, dice to keep, when to stop, in sentences for every phase of a turn."""

from __future__ import annotations

import random
import subprocess
import sys
from math import exp, log
from pathlib import Path

import pytest

from companion.games.knatsch.advice import knatsch_value_function
from engine.knatsch.advice.advise import advise
from engine.knatsch.advice.odds import beat
from engine.knatsch.advice.value_function import KnatschValueFunction, missing
from engine.knatsch.advice.words import remarks
from engine.knatsch.combination import read
from engine.knatsch.events import Guard, Keep, Lose, Pass, Stop, Target, TheKing, Top, Under
from engine.knatsch.rules import can
from engine.knatsch.state import State
from tests.engine.knatsch_table import BLUE, GREEN, RED, YELLOW, after, knatsch_state
from tests.kit.knatsch_play import one_game
from tests.kit.matches.knatsch_players import Advised, Easiest
from tests.kit.matches.knatsch_weights import HAND_MADE

ROOT = Path(__file__).parents[2]


def said(state: State) -> str:
    advice = advise(state, HAND_MADE)
    assert advice is not None
    return " ".join(str(remark) for remark in remarks(state, advice))


def test_the_card_that_wins_the_game_is_named_with_its_chance() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW, right="stack=2-2-2+1", hidden=False)
    advice = advise(state, HAND_MADE)
    assert advice is not None
    assert advice.event == Target(Top("left"))
    assert advice.chance == pytest.approx(float(beat(read("2-2-2+1"), 3)))
    assert advice.success == 1
    assert "on the left stack" in said(state)
    assert "to 100%" in said(state)


def test_a_castle_worth_attacking_a_king_not_worth_challenging() -> None:
    """The King takes a castle from a player who fails, so an easy castle is the better target."""
    state = knatsch_state(
        f"{RED} {BLUE} {GREEN}", f"{YELLOW} castle-black", left=YELLOW, turn="turn=A king=5-5-5+5", hidden=False
    )
    advice = advise(state, HAND_MADE)
    assert advice is not None
    assert advice.event != Target(TheKing())


def test_what_to_keep_when_to_stop_and_that_defending_costs_nothing() -> None:
    state = after(knatsch_state(RED, f"{BLUE} {GREEN}", YELLOW), "A target B castle-blue", "A roll 4 4 4 5 2 6")
    advice = advise(state, HAND_MADE)
    assert advice is not None
    assert advice.event == Keep((4, 4, 4, 5))
    assert said(state).startswith("Keep 5 4 4 4 and reroll the rest: ")
    attacked = after(state, "A stop")
    assert said(attacked).startswith("Defend it. It costs nothing: ")
    assert said(after(attacked, "B roll 5 5 5 5 5 3")) == "Stop here: 100%."


def test_the_guards_are_placed_and_the_king_gets_the_easiest_castle() -> None:
    guarded = knatsch_state(f"{RED} {BLUE} castle-guard", GREEN, left=YELLOW, hidden=False)
    advice = advise(guarded, HAND_MADE)
    assert advice is not None
    assert advice.event == Guard(("castle-blue", "castle-red"))
    lost = knatsch_state(
        f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW, turn="turn=A revenge king=5-5-5+5", hidden=False
    )
    advice = advise(lost, HAND_MADE)
    assert advice is not None
    assert advice.event == Lose("castle-red", "left")


def test_a_hopeless_card_goes_under_when_a_winning_one_is_below() -> None:
    state = knatsch_state(
        f"{RED} {BLUE} {GREEN}", "castle-black", left=f"castle-white=5-5-5+5 {YELLOW}", right="tournament", hidden=False
    )
    advice = advise(state, HAND_MADE)
    assert advice is not None
    assert advice.event == Under("left")
    assert "under the left stack" in said(state)


def test_more_cards_are_worth_more_and_the_winner_has_all() -> None:
    near, far = knatsch_state(f"{RED} {BLUE} {GREEN}", YELLOW), knatsch_state(RED, YELLOW)
    assert HAND_MADE.of(near)[0] > HAND_MADE.of(far)[0]
    assert sum(knatsch_value_function().of(near)) == pytest.approx(1)
    assert KnatschValueFunction({}).of(far) == (0.5, 0.5)
    assert [missing(player) for player in near.seated] == [1, 3]


def test_the_lead_factor_is_given_for_each_number_of_players() -> None:
    sharp = {"sharpness 2": log(3), "sharpness 3": log(2), "sharpness 5": 1.0}
    value_function, ahead = KnatschValueFunction({"castles 2": 1.0, **sharp}), knatsch_state(f"{RED} {BLUE}", YELLOW)
    others = [knatsch_state(YELLOW, GREEN).seated[0]] * 4
    leads = []
    for players in (2, 3, 6):
        chances = value_function.chances((*ahead.seated, *others[: players - 2]), 0)
        leads.append(chances[0] / chances[1])
    assert leads == pytest.approx([exp(3), exp(2), exp(1)])
    assert KnatschValueFunction({"castles 2": 1.0}).of(ahead)[0] == pytest.approx(exp(1) / (exp(1) + 1))


def test_every_advised_event_is_legal_and_said_in_whole_games() -> None:
    """The advisor plays whole games against a player who takes the likeliest card."""
    phases = set()

    class Watched(Advised):
        def act(self, state: State):  # type: ignore[no-untyped-def]
            event = super().act(state)
            advice = advise(state, HAND_MADE)
            if advice is not None:
                assert advice.event is None or can(state, state.seat, advice.event)
                assert remarks(state, advice)
                assert advice.chance is None or 0 <= advice.chance <= 1
                phases.add(type(advice.event))
            return event

    assert one_game(random.Random(0), [Watched(HAND_MADE), Easiest()]).winner
    assert {Target, Keep, Stop, type(None)} <= phases
    assert phases <= {Target, Keep, Stop, type(None), Under, Guard, Lose, Pass}


@pytest.mark.stress
def test_training_with_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        command = [sys.executable, "-m", "scripts.knatsch_selfplay", "train", "--games", "1", "--rounds", "1"]
        subprocess.run(
            [*command, "--seed", "5", "--out", str(tmp_path / name)], cwd=ROOT, check=True, capture_output=True
        )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
