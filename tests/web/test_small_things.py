"""Small usability faults: what a page offers first, what it names, and the way back to one's own seat."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.archive.store import Archive
from companion.camera.worker import Watcher
from companion.web.app_state import AppState
from tests.kit.visitors import paired


def menu(page: str) -> str:
    return page.split("<nav")[1].split("</nav>")[0]


def test_a_player_finds_their_own_seat_in_the_menu(network: Flask, tmp_path: Path) -> None:
    anna = menu(paired(network, tmp_path, "player-A").get("/").text)
    assert re.search(r'href="/me/A"[^>]*>My seat</a>', anna)
    assert "/me/B" not in anna
    assert "/me/" not in menu(paired(network, tmp_path, "spectator").get("/").text)


def test_the_game_is_chosen_first_and_its_goal_can_be_read(network: Flask, tmp_path: Path) -> None:
    page = paired(network, tmp_path, "host").get("/new").text
    assert page.index('name="game"') < page.index('name="player"')
    assert "How the game works" in page
    assert 'data-most="5"' in page  # the sixth chair belongs to Knatsch alone
    assert 'data-most="6"' in page


def test_one_code_stands_first_and_the_others_are_folded_away(network: Flask, tmp_path: Path) -> None:
    page = paired(network, tmp_path, "host").get("/invite").text
    if "invitations" not in page:
        pytest.skip("this page has no network to be reached through")
    first, folded = page.split("<details", 1)
    assert first.count('alt="QR code') == 1
    assert folded.count('alt="QR code') > 3


def test_the_first_of_two_dice_is_not_called_wrong(app_state: AppState, network: Flask, tmp_path: Path) -> None:
    assert app_state.session.running is not None
    table = app_state.session.running.table
    for event in ("A roll 6 4 2", "A keep 6 4 2", "A buy philosopher", "B roll 1 1 2", "B keep 1 1 2", "B buy fool"):
        table.enter(event)
    table.enter("B roll 5 3 1")  # the second round begins with the last player of the first
    table.enter("B keep 5 3 1")
    table.enter("B pass")
    table.enter("A roll 5 3 1")
    dialog = paired(network, tmp_path, "host").get("/use/philosopher?place=0").text
    assert "Choose the next die." in dialog
    assert "has no effect" not in dialog


def test_advice_that_is_still_being_calculated_is_announced(client: FlaskClient, app_state: AppState) -> None:
    """Bug: the place of the advice was empty for seconds in the final round."""
    waiting = "Calculating the advice…"
    assert waiting in client.get("/").text
    app_state.advisor.mark_completed(app_state.session.position())  # a state without advice
    assert waiting not in client.get("/").text
    assert app_state.session.running is not None
    app_state.session.running.table.enter("A roll 5 5 2")
    assert waiting in client.get("/").text
    app_state.advisor.show("off")
    assert waiting not in client.get("/").text


def test_a_camera_that_is_only_a_number_has_a_name(
    client: FlaskClient, app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "start", lambda watcher: None)
    app_state.cameras.watch("0")
    assert re.search(r'value="0"[^>]* selected[^>]*>\s*Camera 0\s*<', client.get("/camera").text)


def test_without_a_camera_nothing_was_misread(client: FlaskClient, app_state: AppState) -> None:
    assert app_state.session.running is not None
    app_state.session.running.table.enter("A roll 5 5 2")
    assert "isread" not in client.get("/").text


def test_without_a_finished_game_the_page_of_players_says_so(
    client: FlaskClient, app_state: AppState, tmp_path: Path
) -> None:
    app_state.past.archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    assert "No game has been finished yet" in client.get("/players").text
    app_state.past.archive.close()
