"""Statistics of players over all evenings: wins, dice, cards, opponents."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from companion.archive.players import Period, evening_of, face_counts, finished, player_statistics, recent_names
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache

PLAYED = (Path(__file__).parents[1] / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")


def played(archive: Archive, day: str, *names: str) -> str:
    """The golden game, won by the second player, with these names on this day."""
    text = PLAYED
    for old, new in zip(("Anna", "Bert", "Cleo"), names, strict=True):
        text = text.replace(f'"{old}"', f'"@{new}"')
    head, _, rest = text.replace('"@', '"').partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith("[Date")]
    return game_repository.import_record(archive, "\n".join([*lines, f'[Date "{day}"]']) + "\n\n" + rest)


def summaries(archive: Archive) -> list[Summary]:
    return ReplayCache().summaries(archive)


def test_wins_games_and_head_to_head_of_everybody(archive: Archive) -> None:
    played(archive, "2025-03-01", "Anna", "Bert", "Cleo")
    played(archive, "2026-03-01", "bert ", "Anna", "Dora")
    bert, anna, *rest = player_statistics(finished(summaries(archive)))
    assert [(one.name, one.won, one.games) for one in (bert, anna)] == [("Anna", 1, 2), ("bert ", 1, 2)]
    assert sorted(one.name for one in rest) == ["Cleo", "Dora"]
    versus = anna.head_to_head[0]
    assert (versus.name, versus.games, versus.won, versus.lost) == ("Anna", 2, 1, 1)


def test_cards_of_equal_count_are_listed_in_the_order_they_were_taken(archive: Archive) -> None:
    """They stood in another order after every start of the program."""
    played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    games = finished(summaries(archive))
    for player, seat in zip(
        sorted(player_statistics(games), key=lambda one: one.name), games[0].facts.seats, strict=True
    ):
        assert list(player.cards) == list(dict.fromkeys(seat.cards))
        assert set(player.cards.values()) == {1}


def test_a_season_an_evening_and_a_game_are_counted_alone(archive: Archive) -> None:
    played(archive, "2025-03-01", "Anna", "Bert", "Cleo")
    played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    games = summaries(archive)
    assert len(finished(games, Period.of_year(2026))) == 1
    assert len(finished(games, Period.of_evening(date(2025, 3, 1)))) == 1
    assert finished(games, Period(game="knatsch")) == []


def test_the_same_record_twice_counts_once(archive: Archive) -> None:
    played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    game_repository.import_record(archive, game_repository.export(archive, summaries(archive)[0].id, "record"), True)
    games = summaries(archive)
    assert len(games) == 2
    assert len(finished(games)) == 1


def test_dice_and_cards_are_kept_beside_the_game(archive: Archive) -> None:
    game_id = played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    state = game_repository.load_replay(archive, game_id).state
    kept = summaries(archive)[0]
    assert [seat.cards for seat in kept.facts.seats] == [tuple(state.tableau(seat)) for seat in "ABC"]
    assert sum(face_counts([kept])) > 100
    assert face_counts([kept]) == [sum(seat.thrown[face] for seat in kept.facts.seats) for face in range(6)]


def test_review_results_are_kept_until_the_game_changes(archive: Archive) -> None:
    played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    cache = ReplayCache()
    cache.store_review(archive, cache.summaries(archive)[0].facts.identity, [(0.1, 0.2), (0.3, 0.0), (-0.4, 0.05)])
    for found in (cache.summaries(archive)[0], summaries(archive)[0]):  # at once, and after a restart
        assert [(seat.luck, seat.cost) for seat in found.facts.seats] == [(0.1, 0.2), (0.3, 0.0), (-0.4, 0.05)]
    anna = next(one for one in player_statistics(finished(summaries(archive))) if one.name == "Anna")
    assert (anna.reviewed, anna.luck, anna.cost) == (1, 0.1, 0.2)


def test_a_game_at_four_in_the_morning_belongs_to_the_evening_before(archive: Archive) -> None:
    played(archive, "2026-03-01", "Anna", "Bert", "Cleo")
    found = summaries(archive)[0]
    night = datetime(2026, 3, 2, 4, 0).astimezone().astimezone(UTC)
    assert evening_of(replace(found, row=replace(found.row, begun=night))) == date(2026, 3, 1)


def test_the_names_offered_are_those_of_the_latest_players_each_once(archive: Archive) -> None:
    played(archive, "2025-03-01", "Anna", "Bert", "Cleo")
    played(archive, "2026-03-01", "anna", "Dora", "Emil")
    assert recent_names(summaries(archive)) == ["anna", "Dora", "Emil", "Bert", "Cleo"]
