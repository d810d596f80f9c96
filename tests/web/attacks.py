"""Many connections to the server at once, and what is still open."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ATTACKER = "127.0.0.66"


@contextmanager
def attack(port: int, number: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Opens `number` connections from one address, each of which sends `said`; some may be rejected."""
    opened = []
    for _ in range(number):
        with suppress(ConnectionError):
            one = socket.create_connection(("127.0.0.1", port), timeout=120, source_address=(ATTACKER, 0))
            opened.append(one)
            one.sendall(said)
    try:
        yield opened
    finally:
        for one in opened:
            one.close()


def in_memory() -> int:
    """Memory of this process, including the server's, bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def still_open(connections: list[socket.socket]) -> int:
    found = 0
    for one in connections:
        one.setblocking(False)
        try:
            found += bool(one.recv(1))
        except BlockingIOError:
            found += 1
        except OSError:
            pass
    return found
