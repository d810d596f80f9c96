"""Hostile requests, slow files and deceptive names are refused, and the next visitor is answered."""

from __future__ import annotations

import http.client
import io
import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.archive.store import Archive
from companion.games.knatsch.decks import parse_deck
from companion.logs import start_logging
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from engine.errors import Unreadable
from engine.record_text import read_record
from tests.kit.served_app import RESPONSE_SECONDS, served_app

HEAD = '[Game "krone"]\n[Players "Anna" "Bert"]\n\n'


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Flask]:
    """The page on this computer, where every visitor is the host."""
    app_state = AppState(Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}"))
    begin_game(app_state, "krone", ("Anna", "Bert"))
    yield create_app(app_state, Pairing(tmp_path), Settings(port=1))
    app_state.close()


def known(app: Flask) -> tuple[FlaskClient, dict[str, str]]:
    client = app.test_client()
    with client.session_transaction() as session:
        session["csrf"] = "known"
    return client, {"csrf": "known"}


def addresses(app: Flask) -> list[tuple[str, str]]:
    return [
        (method, re.sub(r"<[^>]+>", "1", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in ("GET", "POST")
        if method in (rule.methods or ())
    ]


def test_no_address_answers_to_a_foreign_name_for_this_computer(home: Flask) -> None:
    client, form = known(home)
    for host in ("evil.example", "evil.example:1", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "[::2]"):
        for method, address in addresses(home):
            answer = client.open(
                address, method=method, data=form if method == "POST" else None, headers={"Host": host}
            )
            assert answer.status_code == 400, (host, method, address)


def test_no_form_is_taken_without_its_token_or_with_anothers(home: Flask) -> None:
    client, _ = known(home)
    posts = [address for method, address in addresses(home) if method == "POST"]
    assert len(posts) >= 25
    for address in posts:
        for sent in ({}, {"csrf": ""}, {"csrf": "unknown"}, {"csrf": "known\0"}):
            assert client.post(address, data=sent).status_code == 403, (address, sent)
        assert client.post(address, json={"csrf": "known"}).status_code == 403, address
        assert client.post(f"{address}?csrf=known").status_code == 403, address


def test_forged_forwarding_headers_give_no_visitor_another_address(tmp_path: Path) -> None:
    network = create_app(AppState(), Pairing(tmp_path), Settings(port=1, local_only=False, hosts=None))
    client, statuses = network.test_client(), []
    for number in range(12):
        fake = f"192.0.2.{number}"
        headers = {"X-Forwarded-For": fake, "X-Real-IP": fake, "Forwarded": f"for={fake}", "CF-Connecting-IP": fake}
        statuses.append(client.get("/pair/host/aaaaaaaaaaaaaaaaaaaa", headers=headers).status_code)
    assert statuses == [403] * 10 + [429] * 2


FORM = b"POST /enter HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
BROKEN = {
    "a length and chunks": FORM + b"Content-Length: 5\r\n" + CHUNKED + b"0\r\n\r\n",
    "two lengths": FORM + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "a signed length": FORM + b"Content-Length: +5\r\n\r\nabcde",
    "a length without end": FORM + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "a piece without end": FORM + CHUNKED + b"fffffffffffffffff\r\n",
    "a zero in a header": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n",
    "bytes in the address": b"GET /\xff\xfe%c0%ae HTTP/1.1\r\nHost: x\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a proxy's method": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a method of its own": b"FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
}


def test_broken_requests_are_refused_and_the_next_one_is_answered(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        for what, said in BROKEN.items():
            with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
                one.sendall(said)
                assert one.recv(100).startswith(b"HTTP/1.1 400 "), what
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        for headers in (
            {"Accept-Language": ",".join(f"x{n};q=nan" for n in range(4000))},
            {"Accept-Language": "-" * 40_000},
            {"Cookie": "a=b; " * 9000},
            {"If-None-Match": '"a",' * 9000, "If-Modified-Since": "9" * 300, "Range": "bytes=" + "0-," * 9000},
            {"Content-Type": ";a=b" * 9000, "Upgrade": "websocket", "Sec-WebSocket-Version": "13"},
        ):
            used = time.process_time()
            connection.request("GET", "/board", headers=headers)
            answer = connection.getresponse()
            answer.read()
            assert (answer.status, time.process_time() - used < RESPONSE_SECONDS) == (200, True), headers.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    [
        "/static/../../../../etc/passwd", "/static/x/..%2f..%2f..%2fetc%2fpasswd", "/static/..\\..\\secret",
        "/history/%00", "/history/..%2f..%2fsecret.json", "/me/%2e%2e", "/camera/cards/..%2f1.jpg",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_pages(home: Flask, address: str) -> None:
    assert home.test_client().get(address).status_code == 404


DECKS = {
    "a number of 60,000 digits": "tournaments = " + "1" * 60_000,
    "a short number too long": "\n".join(["tournaments = " + "1" * 900]),
    "a name of 90,000 dots": "a." * 90_000 + "b = 1",
    "tables within tables": "[" + ".".join("a" * 30_000) + "]",
    "lists within lists": "a = " + "[" * 60_000,
    "lines of dots": ("a." * 498 + "b = 1\n") * 190,
}


@pytest.mark.slow
@pytest.mark.parametrize("text", DECKS.values(), ids=[name.replace(" ", "-") for name in DECKS])
def test_a_deck_file_that_is_made_to_be_slow_is_refused_at_once(home: Flask, text: str) -> None:
    used = time.process_time()
    with pytest.raises(Unreadable):
        parse_deck(text)
    client, form = known(home)
    fields = {**form, "game": "knatsch", "player": ["Anna", "Bert"], "deck": (io.BytesIO(text.encode()), "deck.toml")}
    assert client.post("/new", data=fields).status_code == 400
    assert time.process_time() - used < RESPONSE_SECONDS


RECORDS = {
    "ten thousand header lines": '[Game "krone"]\n' + '[A "b"]\n' * 10_000,
    "a line of remarks": HEAD + "A roll 3 2 1 " + "{a}" * 40_000,
    "lines of remarks": HEAD + "A roll 3 2 1\n" + "{a}\n" * 30_000,
    "a hundred thousand players": '[Game "krone"]\n[Players ' + '"a" ' * 30_000 + "]",
    "dice without end": HEAD + "A roll " + "1 " * 60_000,
    "quotes without end": '[Game "' + "\\" * 120_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("text", RECORDS.values(), ids=[name.replace(" ", "-") for name in RECORDS])
def test_a_record_that_is_made_to_be_slow_is_read_or_refused_at_once(text: str) -> None:
    used = time.process_time()
    with suppress(Unreadable):
        read_record(text)
    assert time.process_time() - used < RESPONSE_SECONDS


def test_invisible_signs_make_no_second_player_and_reverse_no_line(home: Flask) -> None:
    client, form = known(home)
    names = ["Anna\u202e", "Be\u0301a\u200b\x9b", "عل\u200cی", "👩\u200d👩"]
    assert client.post("/new", data={**form, "game": "krone", "player": names, "starts": "0"}).status_code == 303
    running = home.extensions["app_state"].session.running
    assert running.table.record.players == ("Anna", "B\u00e9a", "عل\u200cی", "👩\u200d👩")
    same = {**form, "game": "krone", "player": ["Anna", "\u2066Anna\u2069"], "starts": "0"}
    assert client.post("/new", data=same).status_code == 400


def test_nobody_writes_lines_of_his_own_into_the_log(tmp_path: Path) -> None:
    path = start_logging(tmp_path)
    assert path is not None
    forged = "x\n2026-11-23 20:00:00,000 INFO companion: all is well\r\x1b[2J\x9b\u2028"
    logging.getLogger("companion.somewhere").warning("refused: %s", forged)
    try:
        raise ValueError(forged)
    except ValueError:
        logging.getLogger("companion.somewhere").exception("on %s", forged)
    text = path.read_text(encoding="utf-8")
    assert "all is well" in text
    for line in text.splitlines():
        assert re.match(r"\d{4}-\d\d-\d\d .* (WARNING|ERROR) companion\.somewhere: |  \| ", line), line
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", text)


def test_a_page_that_fails_logs_no_line_of_the_visitors(home: Flask, tmp_path: Path) -> None:
    path = start_logging(tmp_path)
    assert path is not None
    home.view_functions["history.page"] = lambda: 1 / 0
    home.config["PROPAGATE_EXCEPTIONS"] = False
    assert home.test_client().get("/history?x=%0a2026-01-01 forged").status_code == 500
    home.view_functions["history.game"] = lambda game_id: 1 / 0
    assert home.test_client().get("/history/a%0a2026-01-01 00:00:00,000 INFO forged").status_code == 500
    lines = path.read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.startswith("2026-01-01")]
