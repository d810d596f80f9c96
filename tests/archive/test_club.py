"""The club's page follows only from the games in the archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from companion.archive.club import STILL_PLAYING, rankings, running
from companion.archive.players import finished as every_finished
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache
from engine.record_header import new_record

PLAYED = (Path(__file__).parents[1] / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")  # Bert wins


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = Archive(f"sqlite:///{(tmp_path / 'club.sqlite3').as_posix()}")
    yield archive
    archive.close()


def finished(archive: Archive, first: str, winner: str, third: str) -> None:
    """Archives the finished game with other names."""
    text = PLAYED.replace("2026-11-20", f"2026-11-{len(archive.games()) + 1:02}")
    text = text.replace('"Anna" "Bert" "Cleo"', f'"{first}" "{winner}" "{third}"')
    game_repository.import_record(archive, text.replace('[Result "Bert"]', f'[Result "{winner}"]'), again=True)


def test_the_winners_rating_rises_and_the_others_are_rated_equally(archive: Archive) -> None:
    finished(archive, "Anna", "Bert", "Cleo")
    ranking = rankings(every_finished(ReplayCache().summaries(archive)))["krone"]
    assert [(one.name, one.games, one.won) for one in ranking] == [("Bert", 1, 1), ("Anna", 1, 0), ("Cleo", 1, 0)]
    bert, anna, cleo = (one.rating for one in ranking)
    assert bert is not None
    assert anna is not None
    assert bert.mean > 25 > anna.mean
    assert anna == cleo


def test_a_win_against_strong_players_raises_the_rating_more(archive: Archive) -> None:
    finished(archive, "Anna", "Bert", "Cleo")
    finished(archive, "Bert", "Dora", "Anna")  # against the winner of before
    finished(archive, "Anna", "Emil", "Cleo")  # against those who had lost
    ranking = {one.name: one.rating for one in rankings(every_finished(ReplayCache().summaries(archive)))["krone"]}
    dora, emil = ranking["Dora"], ranking["Emil"]
    assert dora is not None
    assert emil is not None
    assert dora.mean > emil.mean > 25


def test_the_same_games_give_the_same_ranking(archive: Archive) -> None:
    for names in (("Anna", "Bert", "Cleo"), ("Cleo", "Anna", "Bert"), ("Bert", "Cleo", "Anna")):
        finished(archive, *names)
    assert rankings(every_finished(ReplayCache().summaries(archive))) == rankings(
        every_finished(ReplayCache().summaries(archive))
    )


def test_a_name_written_otherwise_is_the_same_person_and_a_record_imported_twice_one_game(archive: Archive) -> None:
    for _ in range(2):
        game_repository.import_record(archive, PLAYED.replace("2026-11-20", "2026-10-01"), again=True)
    finished(archive, "anna", "Dora", "CLEO")
    ranking = rankings(every_finished(ReplayCache().summaries(archive)))["krone"]
    assert {one.name: one.games for one in ranking} == {"anna": 2, "Bert": 1, "CLEO": 2, "Dora": 1}


def test_active_tables_are_listed_until_they_have_been_silent_for_long(archive: Archive) -> None:
    finished(archive, "Anna", "Bert", "Cleo")
    _, table = game_repository.begin(archive, new_record("krone", ("Emil", "Fay")))
    table.enter("A roll 5 5 2")
    table.enter("A keep 5 5 2")
    table.enter("A buy farmer")
    (playing,) = running(ReplayCache().summaries(archive))
    assert (playing.players, playing.facts.to_move, playing.facts.round) == (("Emil", "Fay"), "Fay", 1)
    later = playing.touched + STILL_PLAYING
    assert running([playing], later) == [playing]
    assert running([playing], later + timedelta(seconds=1)) == []


def test_a_game_is_replayed_again_only_when_it_has_changed(archive: Archive) -> None:
    club = ReplayCache()
    finished(archive, "Anna", "Bert", "Cleo")
    _, table = game_repository.begin(archive, new_record("krone", ("Emil", "Fay")))
    before = {game.id: game for game in club.summaries(archive)}
    table.enter("A roll 5 5 2")
    new, old = club.summaries(archive)
    assert old is before[old.id]
    assert new.facts.identity != before[new.id].facts.identity
