"""The review of an archived game: luck of each player, and the costliest decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive.store import Archive
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game


@pytest.fixture
def app_state(tmp_path: Path) -> Iterator[AppState]:
    app_state = AppState()
    app_state.past.archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    begin_game(app_state, "krone", ("Anna", "Bert"))
    yield app_state
    app_state.close()
    app_state.past.archive.close()


def test_a_triple_that_bought_nothing_is_the_costliest_decision(app_state: AppState, tmp_path: Path) -> None:
    assert app_state.session.running is not None
    for event in ("A roll 6 6 6", "A keep 6 6 6", "A pass", "B roll 1 2 4", "B keep 4", "B roll 2 3"):
        app_state.session.running.table.enter(event, by="person")
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    page = client.get(f"/history/{app_state.session.running.id}/review?whole=1").get_data(as_text=True)
    first = page[page.index("The most costly decisions") :]
    rows = re.findall(r'<p class="did"><strong>(\w+)</strong>(.*?)</p>.*?</span>\s*(\w+)\s*</p>', first, re.DOTALL)
    name, decision, better = rows[0]
    assert name == "Anna"
    assert not re.search("[1-6]", decision)  # not a keep or a roll: buying nothing
    assert better in {"Farmer", "Guard", "Laborer", "Philosopher"}
    assert "Review" in client.get(f"/history/{app_state.session.running.id}").get_data(as_text=True)
    assert client.get("/history/nothing/review").status_code == 404


def test_each_decision_has_a_grade_a_mark_and_the_better_move(app_state: AppState, tmp_path: Path) -> None:
    """Bug: “Show this moment” opened the position without the move that was played and the better one."""
    assert app_state.session.running is not None
    for event in ("A roll 6 6 6", "A keep 6 6 6", "A pass", "B roll 1 2 4", "B keep 4", "B roll 2 3"):
        app_state.session.running.table.enter(event, by="person")
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    where = f"/history/{app_state.session.running.id}"
    assert f"{where}/moves" in client.get(where).get_data(as_text=True)
    app_state.past.reviews.progress(app_state.session.running.table.replay).wait(99, 60)
    moves = client.get(f"{where}/moves").get_data(as_text=True)
    assert re.search(r'<rect class="mistake" x="2"', moves)
    passed = " ".join(moves.split('data-at="2"')[1].split("</p>")[0].split())
    assert "Mistake" in passed
    assert "Anna takes no card" in passed
    assert re.search("Better move</span> (Farmer|Guard|Laborer|Philosopher)", passed)
