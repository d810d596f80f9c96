"""Access and behaviour of the pages, tested without a browser: rights, forged requests, headers, bad input."""

from __future__ import annotations

import io
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.archive.store import Archive
from companion.server.http_server import PortInUse, Server
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import LoginThrottle, Pairing, Visitor, visitor_for
from companion.web.sessions import begin_game
from tests.kit.visitors import paired
from tests.stress.load_parts.clients import NOTICE

TOKEN = re.compile(r'name="csrf" content="([^"]+)"')


@pytest.fixture
def kept(app_state: AppState, tmp_path: Path) -> Iterator[AppState]:
    """The page with an archive."""
    app_state.past.archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    begin_game(app_state, "krone", ("Anna", "Bert"))
    yield app_state
    app_state.past.archive.close()


@pytest.fixture
def home(app_state: AppState, tmp_path: Path) -> Flask:
    """The page as only this computer sees it."""
    return create_app(app_state, Pairing(tmp_path), Settings(port=1))


def token(client: FlaskClient) -> str:
    found = TOKEN.search(client.get("/cards").get_data(as_text=True))
    assert found
    return found[1]


def roll(client: FlaskClient, csrf: str, **headers: str) -> int:
    form = {"csrf": csrf, "seat": "A", "verb": "roll", "dice": "552"}
    return client.post("/enter", data=form, headers=headers).status_code


def events(app_state: AppState) -> list[str]:
    assert app_state.session.running is not None
    return [line.event for line in app_state.session.running.table.lines]


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_change_from_another_site_is_refused(home: Flask, app_state: AppState, headers: dict[str, str]) -> None:
    client = home.test_client()
    assert roll(client, token(client), **headers) == 403
    assert events(app_state) == []


def test_strict_headers_and_cookies(home: Flask) -> None:
    answer = home.test_client().get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    html = answer.get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", html)


@pytest.mark.parametrize(
    ("game", "before", "sent"),
    [
        ("krone", ("A roll 5 5 2", "A keep 5 5 2"), {"seat": "A", "verb": "buy", "card": "farmer"}),
        ("knatsch", ("A deal castle-red", "B deal castle-blue 1-1-1+1"), {"event": "A reveal right tournament"}),
    ],
)
def test_a_press_on_a_phone_is_answered_with_that_phones_board(
    home: Flask, app_state: AppState, game: str, before: tuple[str, ...], sent: dict[str, str]
) -> None:
    """Bug: the answer was the table's board, until the next update."""
    begin_game(app_state, game, ("Anna", "Bert"))
    for event in before:
        app_state.session.running.table.enter(event)  # type: ignore[union-attr]
    client = home.test_client()
    form = sent | {"csrf": token(client)}
    board = client.get("/me/A/board", headers={"X-Fragment": "board"}).get_data(as_text=True)
    hidden = dict(re.findall(r'type="hidden" name="(seen|from)" value="([^"]*)"', board))
    answer = client.post("/enter", data=form | hidden, headers={"X-Fragment": "board"}).get_data(as_text=True)
    assert len(events(app_state)) == len(before) + 1
    assert 'data-key="mine"' in answer  # her own cards, which no other page shows so
    assert "board-grid" not in answer


def test_the_load_test_reports_refusals_as_the_page_words_them(home: Flask, app_state: AppState) -> None:
    """Bug: it printed the page's markup before the sentence."""
    client = home.test_client()
    form = {"seat": "A", "verb": "buy", "card": "farmer", "csrf": token(client)}
    answer = client.post("/enter", data=form, headers={"X-Fragment": "board"}).get_data(as_text=True)
    assert NOTICE.findall(answer) == ["You have not rolled yet, so you cannot buy a card."]


def test_without_scripts_a_press_on_a_phone_leads_back_to_it(home: Flask) -> None:
    client = home.test_client()
    form = {"csrf": token(client), "seat": "A", "verb": "roll", "dice": "552"}
    assert client.post("/enter", data=form | {"from": "A"}).headers["Location"] == "/me/A"
    assert client.post("/undo", data=form | {"from": "F"}).headers["Location"] == "/"


def test_a_player_cannot_remove_or_change_another_players_events(
    network: Flask, tmp_path: Path, app_state: AppState
) -> None:
    anna, bert = paired(network, tmp_path, "player-A"), paired(network, tmp_path, "player-B")
    assert roll(anna, token(anna)) == 303
    csrf, number = token(bert), app_state.session.running.table.lines[0].number  # type: ignore[union-attr]
    for what in ("remove", "replace"):
        sent = bert.post(f"/correct/{number}", data={"csrf": csrf, "what": what, "event": "B roll 1 1 1"})
        assert sent.status_code == 403
    assert events(app_state) == ["A roll 5 5 2"]


def test_wrong_links_lock_out_only_the_address_that_tried_them(network: Flask, tmp_path: Path) -> None:
    """Bug: twelve wrong links from anywhere locked out everybody for a minute."""
    attacker, friend = network.test_client(), network.test_client()
    wrong, right = f"/pair/host/{'x' * 20}", f"/pair/host/{Pairing(tmp_path).word('host')}"
    for last in range(12):  # an IPv6 client with one address has all 2**64 of its network
        attacker.get(wrong, environ_base={"REMOTE_ADDR": f"2001:db8::{last}"})
    assert attacker.get(wrong, environ_base={"REMOTE_ADDR": "2001:db8::ffff"}).status_code == 429
    for address in ("192.168.1.7", "2001:db8:0:1::1", "::ffff:192.168.1.8"):
        assert friend.get(right, environ_base={"REMOTE_ADDR": address}).status_code == 303


def test_the_doorman_forgets_after_a_while() -> None:
    now = [0.0]
    login_throttle = LoginThrottle(allowed=2, per_seconds=60, clock=lambda: now[0])
    login_throttle.failed("a")
    login_throttle.failed("a")
    assert (login_throttle.seconds_to_wait("a"), login_throttle.seconds_to_wait("b")) == (60, 0)
    now[0] = 61
    assert login_throttle.seconds_to_wait("a") == 0


@pytest.mark.parametrize("name", ["", "player", "player-", "player-Z", "player-AB", "hosts", "host-A", "unknown"])
def test_made_up_invitations_are_worth_nothing(name: str) -> None:
    assert visitor_for(name) == Visitor()


def test_secrets_are_for_their_owner_only_and_kept(tmp_path: Path) -> None:
    first = Pairing(tmp_path).word("host")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert Pairing(tmp_path).word("host") == first
    assert Pairing(tmp_path / "elsewhere").word("host") != first


def test_an_answer_on_its_way_does_not_bring_the_old_language_back(home: Flask) -> None:
    client = home.test_client()
    client.post("/language", data={"csrf": token(client), "language": "nl"})
    assert "Set-Cookie" not in client.get("/board", headers={"X-Fragment": "board"}).headers
    assert 'lang="nl"' in client.get("/").get_data(as_text=True)


def test_the_browsers_language_is_spoken(home: Flask) -> None:
    for asked, got in (("fi,en;q=0.5", "fi"), ("pt", "en"), ("de-AT", "de"), ("ja", "ja")):
        html = home.test_client().get("/", headers={"Accept-Language": asked}).get_data(as_text=True)
        assert f'<html lang="{got}">' in html


def test_uploads_are_limited(home: Flask, kept: AppState) -> None:
    client = home.test_client()
    csrf = token(client)
    long = {"csrf": csrf, "record": (io.BytesIO(b"x" * 5_000_000), "long.txt")}
    assert client.post("/history/import", data=long).status_code == 413
    garbage = {"csrf": csrf, "record": (io.BytesIO(b"\x00\xff not a record"), "record.txt")}
    assert client.post("/history/import", data=garbage, follow_redirects=True).status_code == 200


@pytest.mark.slow
def test_a_new_game_begins_before_the_camera_that_is_chosen_and_no_path_is(home: Flask, kept: AppState) -> None:
    client = home.test_client()
    form = {"csrf": token(client), "player": ["Chiara", "Dora"], "game": "krone"}
    assert client.post("/new", data=form | {"source": "/etc/passwd"}).status_code == 400
    assert kept.cameras.watcher is None
    assert kept.session.seats() == [("A", "Anna"), ("B", "Bert")]
    assert client.post("/new", data=form | {"source": "phone"}).status_code == 303
    watcher = kept.cameras.watcher
    assert watcher is not None
    assert watcher.source == "phone"
    assert 'value="phone" selected' in client.get("/new").get_data(as_text=True)
    assert client.post("/new", data=form | {"source": "phone"}).status_code == 303
    assert kept.cameras.watcher is watcher  # the same camera is not opened again
    assert client.post("/new", data=form).status_code == 303
    assert kept.cameras.watcher is watcher


def test_import_and_export_are_the_same_game(home: Flask, kept: AppState) -> None:
    client = home.test_client()
    csrf = token(client)
    roll(client, csrf)
    assert kept.session.running is not None
    text = client.get(f"/history/{kept.session.running.id}.record").get_data()
    # Another program's archive: here the same game would be taken in only once.
    elsewhere = text.replace(b"Anna", b"Anne")
    answer = client.post("/history/import", data={"csrf": csrf, "record": (io.BytesIO(elsewhere), "game.txt")})
    imported = answer.headers["Location"].rsplit("/", 1)[1]
    assert imported != kept.session.running.id
    assert client.get(f"/history/{imported}.record").get_data() == elsewhere


@pytest.mark.slow
def test_the_source_is_offered_to_everyone(network: Flask) -> None:
    for _ in range(2):  # the archive is packed once; a finished download must not end the next one
        with network.test_client().get("/source") as answer:
            assert answer.status_code == 200
            assert answer.mimetype == "application/zip"
            assert answer.data[:2] == b"PK"


def test_a_port_in_use_is_said_in_a_sentence(home: Flask) -> None:
    first = Server(home, "127.0.0.1", 0)
    try:
        with pytest.raises(PortInUse, match=f"port {first.port} is already in use; .* --port"):
            Server(home, "127.0.0.1", first.port)
    finally:
        first.stop()
