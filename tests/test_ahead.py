"""Everybody's next turn is thought of aside: a phone's page never waits for it, and is told when it is known."""

from __future__ import annotations

import re
import time
from pathlib import Path

from companion.app import Settings, create_app
from companion.pairing import Pairing
from companion.room import Room


def test_a_phone_is_shown_the_chances_of_its_next_turn_as_soon_as_they_are_known(room: Room, tmp_path: Path) -> None:
    client = create_app(room, Pairing(tmp_path), Settings(port=1)).test_client()
    assert "Nothing to say yet." in client.get("/me/B/board").get_data(as_text=True)
    until, page = time.monotonic() + 30, ""
    known = room.news.after(None, 0)
    while "<meter" not in page and time.monotonic() < until:
        known = room.news.after(known, 1.0) or known
        page = client.get("/me/B/board").get_data(as_text=True)
    chances = re.findall(r'data-key="chance-(\w+)".*?class="number">(\d+)%', page, re.DOTALL)
    assert ("farmer", "79") in chances  # two alike with three dice and free choice of what is thrown again


def test_a_page_that_is_asked_for_while_the_house_closes_is_answered(room: Room, tmp_path: Path) -> None:
    client = create_app(room, Pairing(tmp_path), Settings(port=1)).test_client()
    room.ahead.close()
    assert client.get("/me/B/board").status_code == 200
