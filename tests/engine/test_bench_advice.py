"""The advisor's matches: every seat with the same dice, and a run that was stopped goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bench.matches import OPPONENTS, Match, match, thrower
from engine.advice.opponents import DiceFirst, wanted
from engine.advice.players import Player, play_game
from engine.krone.cards import CARDS
from engine.krone.state import RULESETS, new_game


@pytest.mark.parametrize("opponent", sorted(OPPONENTS))
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_opponent_plays_a_whole_game_by_the_rules(opponent: str, ruleset: str) -> None:
    players: list[Player] = [OPPONENTS[opponent](), DiceFirst()]
    assert play_game(new_game(2, RULESETS[ruleset]), players, thrower(random.Random(4))).finished


def test_dice_first_wants_the_general_then_dice_at_the_start_then_cards_that_add_one() -> None:
    order = sorted((card for card in CARDS if card not in ("king", "queen")), key=wanted, reverse=True)
    assert order[:3] == ["general", "farmer", "charlatan"]
    assert {"bishop", "knight", "pawnbroker", "hunter", "guard", "laborer"} == set(order[3:9])
    assert order[-1] == "fool"


def test_a_match_that_was_stopped_goes_on_and_names_its_opponent(tmp_path: Path) -> None:
    first = match(Match(2, "dice first"), 2, 1, tmp_path, 1)
    (file,) = tmp_path.iterdir()
    assert file.name == "seed1-dice-first-amigo2006-sets-of2.jsonl"
    kept = file.read_text(encoding="utf-8")
    assert match(Match(2, "dice first"), 2, 1, tmp_path, 1) == first
    assert file.read_text(encoding="utf-8") == kept
