"""A running companion with an archive, and a visitor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.archive.store import Archive
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing


@pytest.fixture
def here(tmp_path: Path) -> Iterator[AppState]:
    found = AppState(Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}"))
    yield found
    found.close()


@pytest.fixture
def client(here: AppState, tmp_path: Path) -> FlaskClient:
    return create_app(here, Pairing(tmp_path), Settings(port=1)).test_client()
