"""The bundled film starts with its first viewer and can be skipped and watched again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.camera.worker import Watcher
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.kit.visitors import with_token


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Watcher]:
    """Cameras that have started; none of them reads a film here."""
    found: list[Watcher] = []
    monkeypatch.setattr(Watcher, "start", lambda watcher: found.append(watcher))
    return found


@pytest.fixture
def here(started: list[Watcher]) -> Iterator[AppState]:
    here = AppState()
    here.cameras.watch("demo", wait=True)
    yield here
    here.close()


@pytest.fixture
def host(here: AppState, tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(here, Pairing(tmp_path_factory.mktemp("app")), Settings(port=1, local_only=True, hosts=None))
    return with_token(app.test_client())


def test_the_film_starts_with_its_first_viewer_and_once(host: FlaskClient, started: list[Watcher]) -> None:
    assert started == []
    assert "Skip" in host.get("/").text
    host.get("/")
    assert len(started) == 1


def test_the_film_can_be_watched_again_with_a_new_game(
    host: FlaskClient, here: AppState, started: list[Watcher]
) -> None:
    host.get("/")
    assert here.cameras.demo is not None
    assert here.session.running is not None
    first = here.session.running.table
    here.cameras.demo.finish()
    here.session.board_changed()
    assert "Watch again" in host.get("/board").text
    assert host.post("/demo/again", data={"csrf": "known"}).status_code == 303
    assert len(started) == 2
    assert here.session.running.table is not first
    assert here.cameras.demo_game


def test_a_skipped_film_leads_to_a_new_game_and_can_be_watched_again(host: FlaskClient, here: AppState) -> None:
    assert host.post("/demo/skip", data={"csrf": "known"}).status_code == 303
    assert here.cameras.watcher is None
    board = host.get("/board").text
    assert "New game" in board
    assert "Watch again" in board
