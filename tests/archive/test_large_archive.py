"""An archive of two hundred evenings is as quick to look at as one of a single evening."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest

from companion.archive import game_repository
from companion.archive.facts import Facts
from companion.archive.replay_cache import ReplayCache
from companion.archive.store import Archive, ArchivedGame
from companion.archive.summary import Summary
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from scripts.simulation.large_archive import GAMES_AN_EVENING, fill

EVENINGS = 30
GAMES = EVENINGS * GAMES_AN_EVENING


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    fill(tmp_path / "archive.sqlite3", EVENINGS, events=3)
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
    app_state.archive = archive
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    shown: list[str] = []
    for page in (1, 2, 3):
        shown += re.findall(r'href="/history/(g\d{5})"', client.get(f"/history?page={page}").get_data(as_text=True))
        assert worked_out == shown
    assert shown == [f"g{number:05}" for number in reversed(range(GAMES))]
    for page in ("0", "-3", "99", "x", "9" * 40):
        assert client.get(f"/history?page={page}").status_code == 200


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
    checking = threading.Thread(target=lambda: past.summaries(archive))
    checking.start()
    began.wait()
    assert len(past.listed(archive, newest)) == 5
    still_checking = checking.is_alive()
    checking.join()
    assert still_checking
