"""Slow pages do not delay the board, and are computed once for all visitors."""

from __future__ import annotations

import http.client
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from companion.game.archived.game_repository import import_record
from companion.games.krone import advice
from companion.web.app import Settings, create_app
from companion.web.pages import history
from companion.web.pairing import Pairing
from tests.kit.served_app import served_app

pytestmark = pytest.mark.slow

RECORD = """[Game "krone"]
[Players "Anna" "Bert"]

A roll 6 6 6
A keep 6 6 6
A pass
B roll 1 2 4
B keep 4
"""
ASKED = 14  # more than the server has threads for pages


def got(port: int, path: str, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    said = answer.status, answer.read()
    connection.close()
    return said


@pytest.mark.parametrize(("path", "work"), [("review", (advice, "review_turns")), ("chances", (history, "win_curve"))])
def test_fourteen_reviews_with_differing_numbers_are_one_computation_and_the_board_answers_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, work: tuple[ModuleType, str]
) -> None:
    begun, real, boards = threading.Semaphore(0), getattr(*work), []

    def busy(*given: object) -> object:
        begun.release()
        until = time.monotonic() + 30.0
        while len(boards) < 3 and time.monotonic() < until:  # as busy as the real one, until boards came meanwhile
            sum(range(1000))
        return real(*given)

    monkeypatch.setattr(*work, busy)
    with served_app(tmp_path) as running_app:
        port, archive = running_app.server.port, running_app.app_state.past.archive
        assert archive is not None
        game_id = import_record(archive, RECORD)
        got(port, "/board")
        answers: list[tuple[int, bytes]] = []
        asking = [
            threading.Thread(target=lambda n=n: answers.append(got(port, f"/history/{game_id}/{path}?whole=1&n={n}")))
            for n in range(ASKED)
        ]
        for one in asking:
            one.start()
        assert begun.acquire(timeout=30)
        began = time.monotonic()
        for _ in range(3):
            boards.append(got(port, "/board", **{"X-Fragment": "board"})[0])
        assert boards == [200] * 3
        assert time.monotonic() - began < 30  # none of them waited for the end of the work
        for one in asking:
            one.join()
        assert [status for status, _ in answers] == [200] * ASKED
        assert not begun.acquire(blocking=False)  # no question was computed a second time


def test_a_review_worked_out_once_has_each_visitors_own_token(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        archive = running_app.app_state.past.archive
        assert archive is not None
        game_id = import_record(archive, RECORD)
        app = create_app(running_app.app_state, Pairing(tmp_path), Settings(port=1))
        for _ in range(2):
            client = app.test_client()
            page = client.get(f"/history/{game_id}/review?whole=1").get_data(as_text=True)
            with client.session_transaction() as session:
                assert session["csrf"] in page


def test_closing_while_a_visitor_waits_for_a_long_page_says_nothing_and_ends_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def long(replay: object, expired: Callable[[], bool]) -> tuple[()]:
        begun.set()
        while not expired():
            time.sleep(0.02)
        time.sleep(4)  # what is under way then comes to its end: longer than a server that stops will wait
        ended.set()
        return ()

    monkeypatch.setattr(history, "win_curve", long)
    with served_app(tmp_path) as running_app:
        archive = running_app.app_state.past.archive
        assert archive is not None
        path = f"/history/{import_record(archive, RECORD)}/chances"
        waiting = http.client.HTTPConnection("127.0.0.1", running_app.server.port, timeout=60)
        waiting.request("GET", path)
        assert begun.wait(30)
    assert ended.wait(60)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
