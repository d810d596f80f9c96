"""Achievements follow from the facts stored with finished games, the same way in all games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from companion.advice.achievements import Career, careers, earned_in
from companion.archive.facts import Facts, Seat
from companion.archive.listing import ArchivedGame
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache
from companion.plugins import plugins
from engine.record import Record
from engine.record_text import write_record
from engine.replay import replay_record
from tests.kit.yatzy_games import sensible_game

FIRST = datetime(2026, 9, 1, 19, tzinfo=UTC)


class Evening:
    """Finished games, one after the other."""

    def __init__(self) -> None:
        self.games: list[Summary] = []
        self._number = count(1)

    def play(
        self,
        winner: str,
        *others: str,
        game: str = "krone",
        cards: Sequence[str] = ("king",) * 9,
        end: str = "",
        cost: float | None = None,
        days: int = 0,
    ) -> Summary:
        number = next(self._number)
        names = (winner, *others)
        seats = (Seat((0,) * 6, tuple(cards), cost, cost), *(Seat((0,) * 6, ()) for _ in others))
        facts = Facts("", names, 1, winner, 5, winner, str(number), seats, end)
        begun = FIRST + timedelta(days=days, minutes=number)
        row = ArchivedGame(f"g{number}", game, "", begun, begun, 1, "", number)
        self.games.append(Summary(row, facts))
        return self.games[-1]

    def titles(self, name: str) -> list[str]:
        return [award.title() for award in self.career(name).earned]

    def career(self, name: str) -> Career:
        return careers(self.games)[name.casefold()]


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_a_run_ends_with_the_first_game_lost_and_its_record_stays(evening: Evening) -> None:
    for winner, loser in (("Anna", "Bert"), ("anna ", "Bert"), ("Anna", "Cleo"), ("Bert", "Anna"), ("Anna", "Bert")):
        evening.play(winner, loser)
    assert (evening.career("Anna").streak, evening.career("Anna").best_streak) == (1, 3)
    assert evening.titles("Anna") == ["First win", "Three in a row"]
    assert evening.titles("Cleo") == []


def test_wins_are_counted_and_each_achievement_is_earned_once(evening: Evening) -> None:
    for _ in range(4):
        evening.play("Anna", "Bert")
    evening.play("Bert", "Anna")
    for _ in range(6):
        evening.play("Anna", "Bert")
    assert evening.titles("Anna").count("Three in a row") == 1
    tenth = next(game for award, game in evening.career("Anna").earned.items() if award.title() == "Ten wins")
    assert tenth.id == "g11"


def test_winning_each_game_makes_an_all_rounder(evening: Evening) -> None:
    *others, last = plugins()
    for one in others:
        evening.play("Anna", "Bert", game=one.id)
    assert "All-rounder" not in evening.titles("Anna")
    evening.play("Anna", "Bert", game=last.id)
    assert "All-rounder" in evening.titles("Anna")


def test_ten_evenings_make_a_regular_though_games_are_lost(evening: Evening) -> None:
    for day in range(10):
        evening.play("Anna", "Bert", days=day)
        evening.play("Anna", "Bert", days=day)
    assert evening.titles("Bert") == ["Regular"]


def test_a_full_table_and_a_game_without_a_mistake(evening: Evening) -> None:
    evening.play("Anna", "Bert", "Cleo", "Dora", cost=0.02)
    assert {"Full table", "Without a mistake"}.isdisjoint(evening.titles("Anna"))
    evening.play("Anna", "Bert", "Cleo", "Dora", "Emil", cost=0.001)
    assert {"Full table", "Without a mistake"} <= set(evening.titles("Anna"))


@pytest.mark.parametrize(
    ("game", "cards", "title"),
    [
        ("krone", ("queen",) * 9, "Usurper"),
        ("krone", ("king",) * 7, "Small court"),
        ("knatsch", ("castle-red",) * 4, "Lord of the castles"),
        ("knatsch", ("castle-red",) * 3 + ("tournament",) * 2, "King for a day"),
    ],
)
def test_cards_at_the_end_earn_the_achievements_of_this_game(
    evening: Evening, game: str, cards: tuple[str, ...], title: str
) -> None:
    evening.play("Anna", "Bert", game=game, cards=cards)
    assert title in evening.titles("Anna")
    evening.play("Cleo", "Bert", game=game, cards=("king",) * 8 + ("castle-red",) * 2 + ("tournament",) * 3)
    assert title not in evening.titles("Cleo")


def test_the_final_scoresheet_is_stored_and_earns_the_achievements_of_yatzy(archive: Archive) -> None:
    seed = next(seed for seed in count() if _yatzies(sensible_game(seed, 2, 15)) == 1)
    replay = replay_record(sensible_game(seed, 2, 15))
    game_repository.import_record(archive, write_record(replay.record.with_tag("Result", replay.result)))
    for _ in range(2):  # read from the game, then from what is kept of it
        (game,) = ReplayCache().summaries(archive)
        assert game.facts.end == replay.game.position_text(replay.state)
        earned = [award.title() for one in earned_in([game], game.id) for award in one.awards]
        assert earned.count("Yatzy!") == 1


def _yatzies(record: Record) -> int:
    return sum(sheet["yatzy"] == 50 for sheet in replay_record(record).state.sheets)


def test_the_ending_names_only_achievements_of_this_game(evening: Evening) -> None:
    first = evening.play("Anna", "Bert")
    second = evening.play("Anna", "Bert")
    evening.play("Anna", "Bert")
    one, other = earned_in(evening.games, first.id)
    assert ([award.title() for award in one.awards], one.streak) == (["First win"], 1)
    assert (other.awards, other.streak) == ((), 0)
    assert [(one.awards, one.streak) for one in earned_in(evening.games, second.id)] == [((), 2), ((), 0)]
    assert earned_in(evening.games, "gone") == []
