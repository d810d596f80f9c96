"""Older games are reviewed in the background, one at a time, only while no page is active."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from companion.advice import review_queue
from companion.advice.past_games import IdleReviews
from companion.advice.review_queue import ReviewQueue
from companion.archive.store import Archive
from companion.game.archived.game_repository import import_record
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.advice.review import Review
from engine.replay import Replay, read_game
from tests.kit.served_app import until

GOLDEN = Path(__file__).parents[1] / "golden"


def game(number: int) -> Replay:
    return read_game(f'[Game "krone"]\n[Players "Anna" "Bert{number}"]\n\nA roll 6 6 6\nA keep 6 6 6\nA pass\n')


def test_a_game_that_was_not_requested_waits_until_it_is_quiet_again(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet, steps = threading.Event(), threading.Semaphore(0)

    def parts(replay: Replay) -> object:
        while steps.acquire(timeout=20):
            yield Review((), 0)

    monkeypatch.setattr(review_queue, "_parts", parts)
    monkeypatch.setattr(review_queue, "_IDLE_CHECK_SECONDS", 0.01)
    desk = ReviewQueue(is_idle=quiet.is_set)
    idle, asked = desk.progress(game(1), urgent=False, when_idle=True), desk.progress(game(2))
    steps.release(3)
    until(lambda: asked.parts == 3)
    assert idle.parts == 0
    desk.close()


def test_idle_games_are_handed_over_one_at_a_time_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(review_queue, "_parts", lambda replay: iter((Review((), 0),)))
    desk = ReviewQueue(lambda replay, review: done.append(replay.record.players[1]))
    quiet = threading.Event()
    reviews = IdleReviews(desk, lambda: (game(number) for number in range(3)), quiet.is_set)
    reviews.start(0.0, 0.01)
    time.sleep(0.1)
    assert done == []
    quiet.set()
    until(lambda: len(done) == 3)
    time.sleep(0.1)
    assert done == ["Bert0", "Bert1", "Bert2"]
    reviews.close()
    desk.close()


def test_only_finished_games_without_figures_wait_and_a_page_asked_for_ends_the_quiet(
    tmp_path: Path,
) -> None:
    archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    import_record(archive, (GOLDEN / "krone_amigo.txt").read_text("utf-8"))
    import_record(archive, '[Game "krone"]\n[Players "Anna" "Bert"]\n\nA roll 6 6 6\n')
    here = AppState(archive)
    waiting = list(here.past.unreviewed())
    assert [replay.record.players for replay in waiting] == [("Anna", "Bert", "Cleo")]
    here.past.store_review(waiting[0], Review((), 0))
    assert list(here.past.unreviewed()) == []
    here.past._last_activity -= 1000
    assert here.past.is_idle()
    create_app(here, Pairing(tmp_path), Settings(port=1)).test_client().get("/cards")
    assert not here.past.is_idle()
    here.close()
