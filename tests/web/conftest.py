"""Pages as visitors see them, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing


@pytest.fixture
def network(app_state: AppState, tmp_path: Path) -> Flask:
    """The application as the local network sees it."""
    return create_app(app_state, Pairing(tmp_path), Settings(port=1, local_only=False, hosts=None))


@pytest.fixture
def client(app_state: AppState, tmp_path: Path) -> FlaskClient:
    """A browser on the computer that runs the program."""
    return create_app(app_state, Pairing(tmp_path), Settings(port=1, hosts=None)).test_client()


@pytest.fixture(autouse=True)
def cards_are_read_as_soon_as_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise tests that run at the same time would keep the reader of cards waiting."""
    monkeypatch.setattr("companion.camera.card_watch.NICENESS", 0)
