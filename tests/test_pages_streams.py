"""Fifty viewers at once: everyone hears of every change, and short requests never wait for the streams."""

from __future__ import annotations

import http.client
import socket
import ssl
from pathlib import Path

import pytest

from companion.server import SHORT_REQUEST_THREADS
from tests.house import house

VIEWERS = 50
PATIENCE = 15.0  # seconds; cheroot gives up on a silent connection after 20


def viewer(port: int) -> socket.socket:
    """An open event stream, its first news read."""
    stream = socket.create_connection(("127.0.0.1", port), timeout=30)
    stream.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    assert b"event: change" in heard(stream, b"event: change")
    return stream


def heard(stream: socket.socket, word: bytes) -> bytes:
    """What a stream says until the word has come."""
    said = b""
    while word not in said:
        part = stream.recv(4096)
        assert part, said
        said += part
    return said


@pytest.mark.xdist_group("browser")
def test_fifty_viewers_hear_of_a_change_and_short_requests_are_still_answered(tmp_path: Path) -> None:
    with house(tmp_path) as hosting:
        port = hosting.server.port
        streams = [viewer(port) for _ in range(VIEWERS)]
        try:
            sitting = hosting.room.sitting
            assert sitting is not None
            sitting.table.enter("A roll 5 5 2")
            for stream in streams:
                heard(stream, b"event: change")
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/record.txt")
            assert b"A roll 5 5 2" in connection.getresponse().read()
            connection.close()
        finally:
            for stream in streams:
                stream.close()


@pytest.mark.parametrize("secure", [False, True])
def test_connections_in_reserve_and_viewers_who_do_not_listen_hold_up_nobody(tmp_path: Path, secure: bool) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with house(tmp_path, secure=secure) as hosting:
        port = hosting.server.port

        def connection() -> socket.socket:
            plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            return trusting.wrap_socket(plain) if secure else plain

        silent = [connection() for _ in range(SHORT_REQUEST_THREADS + 4)]  # as browsers keep them ready
        unread = [connection() for _ in range(SHORT_REQUEST_THREADS + 4)]
        for deaf in unread:  # asks for news, and looks at none of them
            deaf.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert hosting.room.sitting is not None
        hosting.room.sitting.table.enter("A roll 5 5 2")
        late = connection()
        late.sendall(f"GET /record.txt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        assert b"A roll 5 5 2" in heard(late, b"A roll 5 5 2")
        silent[0].sendall(f"GET /record.txt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert b"A roll 5 5 2" in heard(silent[0], b"A roll 5 5 2")  # it was kept, and is good for a request
        for one in (*silent, *unread, late):
            one.close()
