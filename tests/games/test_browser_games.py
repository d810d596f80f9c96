"""In Chromium, the table of every game fits a phone, a tablet and a laptop."""

from __future__ import annotations

import pytest

from companion.plugins import plugin
from companion.web.sessions import begin_game
from engine.registry import GAME_IDS
from tests.games.contract import NAMES, begun, tags
from tests.kit.browser import OpenTable

pytestmark = pytest.mark.browser
WIDTHS = (360, 820, 1366)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_no_page_of_a_game_is_wider_than_its_screen(open_table: OpenTable, game_id: str) -> None:
    page, running_app = open_table
    begin_game(running_app.app_state, game_id, NAMES, **tags(plugin(game_id)))
    replay = begun(game_id, 25)
    running = running_app.app_state.session.running
    assert running is not None
    for entry in replay.record.entries:
        running.table.enter(f"{entry.seat} {replay.game.event_text(entry.event)}")
    for path in ("/", "/me/A", "/new"):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(running_app.server.address + path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, width, wide)
            if path != "/new" and width == WIDTHS[0]:
                turn = page.evaluate("document.querySelector('.turn').offsetWidth")
                assert turn > 0.8 * width, (path, turn)
