"""Fifty viewers at once: all receive every new board, and slow or silent clients delay no other."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.server import asgi, http_server
from companion.server.limits import MAX_STREAMS_PER_ADDRESS
from tests.kit.served_app import enter, served_app

VIEWERS = 50
PATIENCE = 30.0  # seconds
SILENT = 2 * asgi.PAGE_THREADS  # more than there are threads to be taken


def stream(port: int, asked: str = "", more: str = "") -> socket.socket:
    """An event stream that was requested."""
    open_stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    open_stream.sendall(f"GET /events{asked} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode())
    return open_stream


def heard(connection: socket.socket, word: bytes) -> bytes:
    """The bytes received up to this word."""
    said = b""
    while word not in said:
        part = connection.recv(4096)
        assert part, said
        said += part
    return said


def board(connection: socket.socket, word: bytes) -> dict[str, str]:
    """The next board that ends with this word, and what follows."""
    said = heard(connection, b"event: board")
    while word not in said or not said.endswith(b"\n\n\r\n"):
        said += connection.recv(65536)
    whole = re.sub(rb"\r\n[0-9a-f]+\r\n", b"", said)
    return dict(json.loads(whole.partition(b"event: board\ndata: ")[2].partition(b"\n")[0]))


def refuses(connection: socket.socket, piece: bytes) -> bool:
    """Sends this piece up to 500 times; returns whether the server closes the connection."""
    for _ in range(500):
        try:
            connection.sendall(piece)
        except OSError:
            return True
        time.sleep(0.01)
    return False


@contextmanager
def connections(port: int, number: int, secure: bool = False) -> Iterator[list[socket.socket]]:
    """Opens this many connections and keeps them idle, as browsers do in advance."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    opened = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(number)]
    opened = [trusting.wrap_socket(one) for one in opened] if secure else opened
    yield opened
    for one in opened:
        one.close()


def test_fifty_viewers_are_given_the_new_board_and_short_requests_are_still_answered(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        streams = [stream(port, "?board=/board") for _ in range(VIEWERS)]
        try:
            for one in streams:
                assert 'id="rolled"' in board(one, b"rolled")["html"]
            enter(running_app, "A roll 5 5 2")
            for one in streams:
                shown = board(one, b'name=\\"dice\\"')
                assert shown["html"].count('type="checkbox" name="dice"') == 3
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/record.txt")
            assert b"A roll 5 5 2" in connection.getresponse().read()
            connection.close()
        finally:
            for one in streams:
                one.close()


def test_no_address_takes_all_the_streams_there_are(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        port = running_app.server.port

        def follows(address: str) -> socket.socket:
            one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(address, 0))
            one.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            return one

        taken = [follows("127.0.0.66") for _ in range(MAX_STREAMS_PER_ADDRESS)]
        assert all(one.recv(12) == b"HTTP/1.1 200" for one in taken)
        taken += [follows("127.0.0.66"), follows("127.0.0.67")]
        assert [one.recv(12) for one in taken[-2:]] == [b"HTTP/1.1 503", b"HTTP/1.1 200"]
        for one in taken:
            one.close()


def test_only_pages_that_there_are_can_be_followed(tmp_path: Path) -> None:
    """Bug: for a stream of thousands of made-up overlay parts, each part was rendered with every change."""
    with served_app(tmp_path) as running_app:
        made_up = "&".join(f"board=/overlay/{a}{b}{c}/board" for a in "abcdefgh" for b in "abcdefgh" for c in "abcd")
        with stream(running_app.server.port, f"?board=/board&board=/overlay/dice/board&{made_up}") as one:
            board(one, b'id=\\"rolled\\"')
            streams = running_app.server._asgi._event_streams
            assert {address for address, _ in streams._boards} == {"/board", "/overlay/dice/board"}


def test_a_viewer_receives_only_updates_that_it_lacks(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        port, first = running_app.server.port, running_app.app_state.session.board_version()
        enter(running_app, "A roll 5 5 2")
        with stream(port, f"?board=/board&known={first}") as behind:
            newest = board(behind, b'name=\\"dice\\"')["version"]
        while (
            running_app.app_state.session.board_version() != newest
        ):  # the advice is thinking; what it says is news as well
            newest = running_app.app_state.session.board_version()
            time.sleep(0.5)
        with stream(port, f"?board=/board&known={first}", f"Last-Event-ID: {newest}\r\n") as back:
            heard(back, b"retry:")
            enter(running_app, "A keep 5 5")
            assert board(back, b"version")["html"].count('type="checkbox" name="dice"') == 1


def test_a_board_is_in_the_language_of_its_page_whatever_the_streams_own_request_prefers(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        for language, word in (("nl", "Kaarten te koop"), ("ja", "場のカード"), ("xx", "Cards for sale")):
            with stream(
                running_app.server.port, f"?board=/board&language={language}", "Accept-Language: en\r\n"
            ) as one:
                assert word in board(one, b"version")["html"]


def test_each_tab_receives_its_own_board_and_no_other_page(tmp_path: Path) -> None:
    with served_app(tmp_path, language="de") as running_app:
        asked = "?board=/me/A/board&board=/history&board=/overlay/board&board=/me/Z/board"
        with stream(running_app.server.port, asked) as tabs:
            said = heard(tabs, b'"view": "/overlay/board"')
        assert b'"view": "/me/A/board"' in said
        assert b"/history" not in said
        assert b"/me/Z" not in said


@pytest.mark.slow
@pytest.mark.parametrize("secure", [False, True])
def test_idle_connections_and_viewers_who_do_not_listen_delay_no_one(tmp_path: Path, secure: bool) -> None:
    with served_app(tmp_path, secure=secure) as running_app:
        port = running_app.server.port
        with connections(port, SILENT, secure) as silent, connections(port, SILENT + 1, secure) as others:
            *deaf, late = others
            for one in deaf:  # asks for news, and looks at none of them
                one.sendall(f"GET /events?board=/board HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            enter(running_app, "A roll 5 5 2")
            wanted = f"GET /record.txt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
            late.sendall(wanted)
            assert b"A roll 5 5 2" in heard(late, b"A roll 5 5 2")
            silent[0].sendall(wanted)
            assert b"A roll 5 5 2" in heard(silent[0], b"A roll 5 5 2")  # it was kept, and is good for a request


def test_forms_that_never_come_to_an_end_take_nobodys_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 1.0)
    with served_app(tmp_path) as running_app, connections(running_app.server.port, SILENT) as slow:
        head = f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{running_app.server.port}\r\nContent-Length: 500\r\n\r\nseat"
        for one in slow:
            one.sendall(head.encode())
        connection = http.client.HTTPConnection("127.0.0.1", running_app.server.port, timeout=PATIENCE)
        connection.request("GET", "/record.txt")
        assert connection.getresponse().status == 200
        connection.close()
        for one in slow:
            assert heard(one, b"connection: close").startswith(b"HTTP/1.1 408")  # and they are let go


def test_a_request_without_end_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.5)
    with served_app(tmp_path) as running_app, connections(running_app.server.port, 2) as (slow, endless):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        assert slow.recv(100) == b""
        endless.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        assert refuses(endless, b"a" * 65536)


def test_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app, connections(running_app.server.port, 1) as (one,):
        one.sendall(f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{running_app.server.port}\r\n".encode())
        one.sendall(b"Content-Length: 900000000\r\n\r\n")
        said = heard(one, b"\r\n\r\n")
        assert said.startswith((b"HTTP/1.1 413", b"HTTP/1.1 403"))
        assert b"connection: close" in said


def test_visitors_without_access_get_no_updates_and_no_images_but_static_files(tmp_path: Path) -> None:
    with served_app(tmp_path, host="0.0.0.0") as running_app:
        stranger = http.client.HTTPConnection("127.0.0.1", running_app.server.port, timeout=PATIENCE)

        def status(path: str, **headers: str) -> int:
            stranger.request("GET", path, headers=headers)
            answer = stranger.getresponse()
            answer.read()
            return answer.status

        assert [status(path) for path in ("/events", "/picture", "/picture")] == [403] * 3
        stranger.request("GET", "/cards")
        page = stranger.getresponse().read().decode()
        files = re.findall(r'(?:href|src)="(/static/[^"#]+)"', page)
        assert len(files) > 3
        assert [status(file) for file in files] == [200] * len(files)
        assert status("/static/none.css") == 404
        stranger.close()


def test_a_header_that_only_looks_like_ours_is_not_taken_for_it() -> None:
    from companion.server.wsgi_bridge import call_app

    scope = {
        "method": "GET", "raw_path": b"/caf%C3%A9", "query_string": b"a=1", "http_version": "1.1", "scheme": "http",
        "headers": [(b"x_csrf-token", b"forged"), (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"x")],
    }  # fmt: skip

    def app(environ: dict[str, str], start_response: object) -> list[bytes]:
        assert callable(start_response)
        start_response("200 OK", [("X-Found", environ["HTTP_COOKIE"])])
        return [repr(sorted(key for key in environ if key.startswith("HTTP_"))).encode(), environ["PATH_INFO"].encode()]

    answer = call_app(app, scope)
    assert answer.header(b"x-found") == "a=1; b=2"
    assert answer.body == b"['HTTP_ACCEPT', 'HTTP_COOKIE']" + "/café".encode().decode("latin-1").encode()


def test_why_a_page_failed_can_be_read_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    from companion.server.wsgi_bridge import call_app

    def app(environ: dict[str, object], start_response: object) -> list[bytes]:
        assert callable(start_response)
        print("the page fell over", file=environ["wsgi.errors"])  # type: ignore[call-overload]
        start_response("500 INTERNAL SERVER ERROR", [])
        return []

    scope = {"method": "GET", "raw_path": b"/", "query_string": b"", "http_version": "1.1", "scheme": "http"}
    assert call_app(app, {**scope, "headers": []}).status == 500
    assert capsys.readouterr().err == "the page fell over\n"
