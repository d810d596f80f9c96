"""Pages are as fast with an archive of two hundred evenings as with one."""

from __future__ import annotations

import re
import shutil
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.archive import listing
from companion.archive.facts import Facts
from companion.archive.listing import ArchivedGame, from_row
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.archive.damaged_games import DAMAGES, hurt
from tests.kit.many_evenings import GAMES_AN_EVENING, fill

pytestmark = pytest.mark.slow

EVENINGS = 30
GAMES = EVENINGS * GAMES_AN_EVENING


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of all games, to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    fill(folder / "archive.sqlite3", EVENINGS, events=3)
    return folder


@pytest.fixture
def archive(filled: Path, tmp_path: Path) -> Archive:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    return Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")


def test_the_history_shows_every_game_once_and_works_out_only_those_of_its_page(
    archive: Archive, app_state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[str] = []
    summary = game_repository.summary

    def counted(archive: Archive, row: ArchivedGame, known: Facts | None = None) -> Summary:
        worked_out.append(row.id)
        return summary(archive, row, known)

    monkeypatch.setattr(game_repository, "summary", counted)
    app_state.past.archive = archive
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    shown: list[str] = []
    for page in (1, 2, 3):
        shown += re.findall(r'href="/history/(g\d{5})"', client.get(f"/history?page={page}").get_data(as_text=True))
        assert worked_out == shown
    assert shown == [f"g{number:05}" for number in reversed(range(GAMES))]
    for page in ("0", "-3", "99", "x", "9" * 40):
        assert client.get(f"/history?page={page}").status_code == 200


def test_a_page_waits_a_moment_for_unread_games_and_then_names_their_players(
    archive: Archive, app_state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReplayCache, "page_wait", 0.0)
    app_state.past.archive = archive
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    page = client.get("/history").get_data(as_text=True)
    assert page.count('href="/history/g') == 40
    assert len(re.findall(r"<strong>[A-Z]\w+, [A-Z]\w+</strong>", page)) == 40
    assert (page.count("unfinished"), page.count("entries")) == (0, 0)
    assert "still loading" in client.get("/players").get_data(as_text=True)
    app_state.past.replays.check(archive, lambda seconds: None)
    page = client.get("/history").get_data(as_text=True)
    assert (page.count("unfinished"), page.count(" entries")) == (40, 40)
    assert "still loading" not in client.get("/players").get_data(as_text=True)


def test_stored_facts_are_shown_at_once_and_damage_as_soon_as_it_is_found(archive: Archive, tmp_path: Path) -> None:
    ReplayCache().check(archive, lambda seconds: None)
    DAMAGES["half a change"][0](tmp_path / "archive.sqlite3", "g00007")
    again = ReplayCache()
    assert not any(game.damage or game.pending for game in again.summaries(archive, 0.0))
    again.check(archive, lambda seconds: None)
    assert [game.id for game in again.summaries(archive, 0.0) if game.damage] == ["g00007"]


def test_changed_facts_are_computed_again(archive: Archive, tmp_path: Path) -> None:
    ReplayCache().check(archive, lambda seconds: None)
    before = ReplayCache().summaries(archive)
    hurt("UPDATE facts SET body = replace(body, 'null', '\"Dora\"') WHERE game_id = :game")(
        tmp_path / "archive.sqlite3", "g00007"
    )
    again = ReplayCache()
    assert [game.id for game in again.summaries(archive, 0.0) if game.pending] == ["g00007"]
    assert again.summaries(archive) == before


def test_facts_of_an_older_program_are_shown_until_the_game_is_read_again(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.archive.facts._program_version", lambda: "older")
    ReplayCache().check(archive, lambda seconds: None)
    monkeypatch.undo()
    again, worked_out = ReplayCache(), []
    assert not any(game.pending for game in again.summaries(archive, 0.0))
    folded = game_repository._replay_changes
    monkeypatch.setattr(game_repository, "_replay_changes", lambda kept: worked_out.append(kept.row.id) or folded(kept))
    again.check(archive, lambda seconds: None)
    ReplayCache().check(archive, lambda seconds: None)
    assert len(worked_out) == GAMES


def test_the_list_of_games_reads_only_those_that_were_played_since(archive: Archive, tmp_path: Path) -> None:
    archive.games()
    read: list[str] = []

    def seen(row: object) -> ArchivedGame:
        game = from_row(row)  # type: ignore[arg-type]
        read.append(game.id)
        return game

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listing, "from_row", seen)
        archive.games()
        assert read == []
        with closing(Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")) as other:  # another program
            new = other.create_game("krone", archive.row("g00000").header)
            assert archive.games()[0].id == new
            assert read == [new]
            other.delete(new)
            other.create_game("krone", archive.row("g00000").header, played_here=False)
    assert new not in [game.id for game in archive.games()]
    assert len(archive.games()) == GAMES + 1


def test_a_page_waits_for_no_more_than_a_few_games_while_the_whole_archive_is_checked(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, began = game_repository.summary, threading.Event()

    def slow(archive: Archive, row: ArchivedGame, known: Facts | None = None) -> Summary:
        began.set()
        time.sleep(0.02)
        return summary(archive, row, known)

    monkeypatch.setattr(game_repository, "summary", slow)
    past, newest = ReplayCache(), archive.games()[:5]
    checking = threading.Thread(target=lambda: past.check(archive, lambda seconds: None))
    checking.start()
    began.wait()
    assert len(past.summaries_of(archive, newest)) == 5
    still_checking = checking.is_alive()
    checking.join()
    assert still_checking
