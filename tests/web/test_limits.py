"""Limits of the server for one address: others are answered as if it were not there."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import ssl
import time
import urllib.request
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.server import asgi, http_server
from companion.server.limits import BURST, MAX_PER_ADDRESS, PER_SECOND
from tests.kit.lateness import within
from tests.kit.served_app import RESPONSE_SECONDS, served_app, until
from tests.web.attacks import attack, in_memory, still_open

pytestmark = pytest.mark.slow

MEGABYTE = 1 << 20
PATIENCE = 120  # seconds for an answer on a busy machine


def board(port: int) -> int:
    """Status of the answer to a request for the board."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/board")
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.stress
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_eleven_hundred_idle_connections_of_one_address_leave_room_for_the_others(tmp_path: Path, said: bytes) -> None:
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        board(port)
        with attack(port, 1100, said) as idle:
            for _ in range(5):
                with within(RESPONSE_SECONDS):
                    assert board(port) == 200
            time.sleep(0.2)
            assert still_open(idle) <= MAX_PER_ADDRESS
            time.sleep(12 / PER_SECOND)
            with attack(port, 10, said) as late:
                time.sleep(0.2)
                assert still_open(late) == 10  # those idle for longest made room


@pytest.mark.stress
@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01"])
def test_connections_that_never_finish_their_handshake_leave_room_for_the_others(tmp_path: Path, said: bytes) -> None:
    """Bug: pending TLS connections did not count. Each held a file descriptor for a minute, and with the last one
    everything that opens a file failed, including the archive."""
    with served_app(tmp_path, secure=True) as running_app:
        context = ssl._create_unverified_context()
        urllib.request.urlopen(f"{running_app.server.address}board", timeout=PATIENCE, context=context).close()
        with attack(running_app.server.port, 1100, said) as idle:
            for _ in range(5):
                address = f"{running_app.server.address}board"
                with (
                    within(RESPONSE_SECONDS),
                    urllib.request.urlopen(address, timeout=PATIENCE, context=context) as answer,
                ):
                    assert answer.status == 200
            time.sleep(0.2)
            assert still_open(idle) <= MAX_PER_ADDRESS


def form_token(port: int) -> tuple[str, str]:
    """The session cookie and the form token for a host name."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/cards")
    answer = connection.getresponse()
    found = re.search(rb'name="csrf" content="([^"]+)"', answer.read())
    assert found
    return (answer.getheader("Set-Cookie") or "").partition(";")[0], found[1].decode()


@pytest.mark.stress
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux to read the memory of a process")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_two_hundred_half_sent_bodies_of_four_megabytes_cost_no_memory(tmp_path: Path, host: str) -> None:
    """From the host (every visitor on loopback is one) and from an uninvited visitor."""
    with served_app(tmp_path, host=host) as running_app:
        port = running_app.server.port
        status = board(port)
        before = in_memory()
        for length in (4 * MEGABYTE, 3 * MEGABYTE):  # more than any page takes, and as much as one does
            head = f"POST /phone/picture HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()
            if host == "127.0.0.1":
                head = head.replace(b"Host: x", f"Host: 127.0.0.1:{port}".encode())
            with attack(port, 200, head) as uploads:
                for _ in range(40):
                    for one in uploads:
                        one.setblocking(False)
                        try:
                            one.send(b"a" * 65536)
                        except OSError:
                            continue
                with within(RESPONSE_SECONDS):
                    assert board(port) == status
                assert in_memory() - before < 64 * MEGABYTE


def refused(port: int, head: bytes) -> bool:
    """Whether an upload is rejected before its body has come; an accepted one is awaited."""
    with attack(port, 1, head) as (one,):
        one.settimeout(0.5)
        try:
            return one.recv(100).startswith(b"HTTP/1.1 429")
        except TimeoutError:
            return False


def test_no_address_may_hold_more_than_eight_large_uploads(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        head = f"POST /phone/picture HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 3000000\r\n\r\n".encode()
        with attack(port, 8, head) as taken:
            time.sleep(0.5)
            until(lambda: refused(port, head))
            cookie, token = form_token(port)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            about = {"Cookie": cookie, "X-CSRF-Token": token, "Content-Type": "image/jpeg"}
            connection.request("POST", "/phone/picture", b"a" * 100_000, about)
            assert connection.getresponse().status == 409  # another address's is read
            taken[0].close()
            until(lambda: not refused(port, head))  # there is room again


def test_a_body_that_comes_byte_by_byte_has_a_minute_in_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "WHOLE_BODY_SECONDS", 1.0)
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        head = f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 500\r\n\r\n".encode()
        with attack(port, 1, head) as (slow,):
            began, answer = time.monotonic(), b""
            while not answer and time.monotonic() - began < 60:
                slow.sendall(b"a")
                slow.settimeout(0.2)
                try:
                    answer = slow.recv(100)
                except TimeoutError:
                    continue
            assert answer.startswith(b"HTTP/1.1 408")


def test_a_form_larger_than_any_form_is_refused_by_its_length(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        cookie, token = form_token(running_app.server.port)
        connection = http.client.HTTPConnection("127.0.0.1", running_app.server.port, timeout=PATIENCE)
        connection.request("POST", "/undo", b"a" * 70_000, {"Cookie": cookie, "X-CSRF-Token": token})
        assert connection.getresponse().status == 413


@pytest.mark.parametrize("said", [b"\r\n", b"\r\n\r\n\n"])
def test_line_breaks_that_begin_no_request_do_not_keep_a_connection_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(http_server, "IDLE_SECONDS", 3)
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        with attack(port, 1, said) as (one,):
            one.settimeout(PATIENCE)
            time.sleep(1.5)
            one.sendall(said)  # nor do more of them
            with within(2.8):
                assert one.recv(1) == b""
        with attack(port, 1, said) as (one,):
            one.sendall(b"GET /board HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.stress
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux to read the memory of a process")
@pytest.mark.parametrize("secure", [False, True])
def test_a_client_that_reads_nothing_keeps_no_copy_in_memory(tmp_path: Path, secure: bool) -> None:
    """Bug: each HTTPS connection that requested the source and read nothing held its 28 MB; later the server held one
    copy for all of them."""
    asks = b"GET /source HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served_app(tmp_path, secure=secure) as running_app, ExitStack() as stack:
        port = running_app.server.port
        address = f"{running_app.server.address}source"
        context = ssl._create_unverified_context()
        urllib.request.urlopen(running_app.server.address, timeout=PATIENCE, context=context).close()
        without, packed = in_memory(), tmp_path / "source.zip"
        with urllib.request.urlopen(address, timeout=PATIENCE, context=context) as answer, packed.open("wb") as file:
            shutil.copyfileobj(answer, file)
        before = in_memory()
        assert before - without < 10 * MEGABYTE
        assert packed.stat().st_size > 10 * MEGABYTE
        assert zipfile.ZipFile(packed).testzip() is None
        assert before - without < 10 * MEGABYTE
        for _ in range(10):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            if secure:
                one = stack.enter_context(context.wrap_socket(one))
            one.sendall(asks)
        time.sleep(3.0)
        assert in_memory() - before < 10 * 3 * MEGABYTE


def test_an_incomplete_request_is_closed_to_make_room_for_others(tmp_path: Path) -> None:
    """Bug: bodies sent byte by byte counted as being answered, so with enough of them no other client was admitted."""
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        head = f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 500\r\n\r\na".encode()
        with attack(port, MAX_PER_ADDRESS, head) as slow:
            time.sleep(0.5)
            with attack(port, 1, f"GET /board HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()) as (late,):
                assert late.recv(100).startswith(b"HTTP/1.1 200")
            assert still_open(slow) == MAX_PER_ADDRESS - 1


@pytest.mark.stress
def test_an_address_that_opens_connections_again_and_again_waits_and_others_do_not(tmp_path: Path) -> None:
    """Bug: they were reset, together with a local program that requested the page thirty times a second."""
    asks = b"GET /robots HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served_app(tmp_path) as running_app:
        port = running_app.server.port
        began = time.monotonic()
        for _ in range(BURST + 60):
            with attack(port, 1, asks) as (one,):
                assert one.recv(1)
        assert time.monotonic() - began > 0.8 * 60 / PER_SECOND
        with attack(port, 40, asks), within(1.0):
            assert board(port) == 200
