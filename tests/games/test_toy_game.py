"""The toy game of docs/adding-a-game.md, extracted from that page, fulfils the contract."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion.games
import engine
import engine.names
from companion.plugins import effect, plugin
from companion.web.app_state import AppState
from companion.web.static_files import fingerprint, static_files
from engine.games import game
from engine.registry import GAME_IDS
from tests.games.contract import CHECKS

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture(autouse=True)
def highest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files of that page, in their places."""
    for name, text in re.findall(r"^```\w+ (\S+/highest/\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    monkeypatch.setattr(engine, "__path__", [*engine.__path__, str(tmp_path / "engine")])
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(tmp_path / "companion" / "games")])
    for module in list(sys.modules.values()):
        if getattr(module, "GAME_IDS", None) == GAME_IDS:
            monkeypatch.setattr(module, "GAME_IDS", (*GAME_IDS, "highest"))
    caches = (plugin, effect, game, engine.names.called, static_files, fingerprint)
    for one in caches:
        one.cache_clear()
    yield
    for one in caches:
        one.cache_clear()
    for name in [name for name in sys.modules if ".highest" in name]:
        del sys.modules[name]


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_page_s_own_game_keeps_the_contract(
    check: Callable[[str, AppState, FlaskClient], None],
    highest: None,
    tmp_path: Path,
    here: AppState,
    client: FlaskClient,
) -> None:
    check("highest", here, client)
