"""The advisor's matches: every seat has the same dice, and an interrupted run continues."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.krone.cards import CARDS
from engine.krone.state import RULESETS, new_game
from tests.kit.matches import knatsch as knatsch_matches
from tests.kit.matches.knatsch_players import Advised
from tests.kit.matches.knatsch_weights import HAND_MADE
from tests.kit.matches.krone import OPPONENTS, match
from tests.kit.matches.krone_opponents import DiceFirst, wanted
from tests.kit.matches.krone_players import Player, play_game
from tests.kit.matches.krone_timing import phase, table, time_advice
from tests.kit.matches.match import MatchResult, SeatDice, dice_roller


@pytest.mark.parametrize("opponent", sorted(OPPONENTS))
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_opponent_plays_a_whole_game_by_the_rules(opponent: str, ruleset: str) -> None:
    players: list[Player] = [OPPONENTS[opponent](), DiceFirst()]
    assert play_game(new_game(2, RULESETS[ruleset]), players, dice_roller(random.Random(4))).finished


def test_dice_first_wants_the_general_then_dice_at_the_start_then_cards_that_add_one() -> None:
    order = sorted((card for card in CARDS if card not in ("king", "queen")), key=wanted, reverse=True)
    assert order[:3] == ["general", "farmer", "charlatan"]
    assert {"bishop", "knight", "pawnbroker", "hunter", "guard", "laborer"} == set(order[3:9])
    assert order[-1] == "fool"


@pytest.mark.slow
def test_a_match_that_was_stopped_goes_on_and_names_its_opponent(tmp_path: Path) -> None:
    first = match(MatchResult(2, "dice first", "amigo2006"), 2, 1, tmp_path, 1)
    (file,) = tmp_path.iterdir()
    assert file.name == "seed1-dice-first-amigo2006-sets-of2.jsonl"
    kept = file.read_text(encoding="utf-8")
    assert match(MatchResult(2, "dice first", "amigo2006"), 2, 1, tmp_path, 1) == first
    assert file.read_text(encoding="utf-8") == kept


@pytest.mark.slow
def test_a_match_of_knatsch_that_was_stopped_goes_on_and_counts_every_seat(tmp_path: Path) -> None:
    first = knatsch_matches.match(MatchResult(2, "likeliest card", "knatsch"), 2, 1, tmp_path, 1)
    (file,) = tmp_path.iterdir()
    assert file.name == "seed1-likeliest-card-knatsch-sets-of2.jsonl"
    kept = file.read_text(encoding="utf-8")
    assert knatsch_matches.match(MatchResult(2, "likeliest card", "knatsch"), 2, 1, tmp_path, 1) == first
    assert file.read_text(encoding="utf-8") == kept
    assert first.games == 2
    assert "luck" not in str(first)


def test_a_set_of_knatsch_has_the_same_deck_and_the_same_first_throws_in_every_seat() -> None:
    """Two advisors with the same weights play the same game in any seats."""
    seats = [[Advised(HAND_MADE), Advised(HAND_MADE)] for _ in range(2)]
    first, second = (knatsch_matches.game(players, "one") for players in seats)
    assert first == second
    assert knatsch_matches.game(seats[0], "two") != first


def test_luck_is_removed_from_the_result_of_a_match() -> None:
    """Wins that follow from the dice alone do not change the share of wins without luck."""
    chance = random.Random(3)
    found = MatchResult(2, "dice first", "amigo2006")
    for _ in range(200):
        luck = chance.gauss(0, 0.3)
        found.sets.append([1.1 + 2 * luck, luck, 0.0, 0.0, 0.0])
    share, half = found.without_luck
    assert share == pytest.approx(0.55)
    assert half < 1e-9 < found.share[1]


def test_all_seats_have_the_same_dice_for_any_player() -> None:
    throws = []
    for earlier in (0, 7):
        dice = SeatDice("one")
        dice.begin("A/1")
        dice(earlier)
        dice.begin("B/1")
        throws.append(dice(4))
    assert throws[0] == throws[1]


def test_thinking_is_timed_by_phase_and_cards() -> None:
    begin = new_game(2, RULESETS["amigo2006"])
    assert phase(begin) == "normal"
    lines = list(table([time_advice(begin)]))
    assert lines[2].startswith("| normal | any | 1 |")
    assert len(lines) == 4
