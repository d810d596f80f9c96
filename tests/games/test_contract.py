"""Every game of the registry keeps the contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.plugins import plugin, plugins
from companion.web.app_state import AppState
from engine.record_text import read_record
from engine.registry import GAME_IDS
from tests.games.contract import (
    CHECKS,
    pages_of_a_running_and_a_past_game_are_drawn_in_every_language,
    random_games_end,
)

ROOT = Path(__file__).parents[2]
SLOW = (random_games_end, pages_of_a_running_and_a_past_game_are_drawn_in_every_language)


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    "check",
    [pytest.param(check, id=check.__name__, marks=[pytest.mark.slow] * (check in SLOW)) for check in CHECKS],
)
def test_contract(
    check: Callable[[str, AppState, FlaskClient], None], game_id: str, here: AppState, client: FlaskClient
) -> None:
    check(game_id, here, client)


def test_the_registry_is_the_list_of_plug_ins() -> None:
    assert tuple(one.id for one in plugins()) == GAME_IDS
    with pytest.raises(KeyError):
        plugin("chess")


def test_a_whole_game_has_at_most_1300_lines() -> None:
    """Yatzy with advice, camera, templates and styles: shared code has everything that other games need too."""
    folders = [ROOT / "engine" / "yatzy", ROOT / "companion" / "games" / "yatzy"]
    files = [path for folder in folders for kind in ("py", "html", "css") for path in folder.rglob(f"*.{kind}")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= 1300


def test_an_unknown_game_gets_no_other_game_s_behaviour() -> None:
    """A record of a game that is not installed is refused when it is read."""
    with pytest.raises(ValueError, match="there is no game"):
        read_record('[Game "chess"]\n[Players "Anna" "Bert"]\n')
