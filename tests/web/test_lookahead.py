"""Advice for each player's next turn is computed in the background; a phone's page never waits and is updated later."""

from __future__ import annotations

import re
import time
from pathlib import Path

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing


def test_a_phone_is_shown_the_chances_of_its_next_turn_as_soon_as_they_are_known(
    app_state: AppState, tmp_path: Path
) -> None:
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    assert "Nothing to show yet." in client.get("/me/B/board").get_data(as_text=True)
    until, page = time.monotonic() + 30, ""
    known = app_state.session.broadcast.wait(None, 0)
    while "<meter" not in page and time.monotonic() < until:
        known = app_state.session.broadcast.wait(known, 1.0) or known
        page = client.get("/me/B/board").get_data(as_text=True)
    chances = re.findall(r'data-key="chance-(\w+)".*?class="number">(\d+)%', page, re.DOTALL)
    assert ("farmer", "79") in chances  # two alike with three dice and free choice of what is rerolled


def test_a_page_that_is_asked_for_while_the_house_closes_is_answered(app_state: AppState, tmp_path: Path) -> None:
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    app_state.advisor.ahead.close()
    assert client.get("/me/B/board").status_code == 200
