"""Opens thousands of useless connections, from a given number of addresses of this computer.

    python -m tests.stress.load_parts.attack PORT CONNECTIONS ADDRESSES silent|head|body SECONDS

SECONDS is the time between two bytes on each connection. A closed connection is reopened at once. Once a second it
prints how many are open and how many have been opened.
"""

from __future__ import annotations

import errno
import resource
import select
import socket
import sys
import time
from dataclasses import dataclass

_HEADS = {
    "silent": b"",
    "head": b"GET /board HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "body": b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n",
}
_AT_ONCE = 200  # connections opened before the others are checked again
_BUSY = (errno.EINPROGRESS, errno.EAGAIN)


@dataclass(slots=True)
class _One:
    connection: socket.socket
    address: str
    due: float


def main() -> None:
    """Runs until it is killed."""
    port, number, addresses, kind, pause = (
        int(sys.argv[1]),
        int(sys.argv[2]),
        int(sys.argv[3]),
        sys.argv[4],
        sys.argv[5],
    )
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    head, between = _HEADS[kind], float(pause)
    poll, here = select.epoll(), {}
    vacant = [f"127.0.1.{1 + n % addresses}" for n in range(number)]
    opened, reported = 0, time.monotonic()
    while True:
        for address in [vacant.pop() for _ in range(min(_AT_ONCE, len(vacant)))]:
            try:
                one = _opened(port, address, head)
            except OSError:
                vacant.append(address)
                break
            here[one.connection.fileno()] = one
            poll.register(one.connection, select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR)
            opened += 1
        for number_of_file, _ in poll.poll(0.01, 2000):
            _end(here, number_of_file, vacant)
        now = time.monotonic()
        for number_of_file in [file for file, one in here.items() if one.due < now] if head else ():
            one = here[number_of_file]
            one.due = now + between
            try:
                one.connection.send(b"a")
            except BlockingIOError:
                pass
            except OSError:
                _end(here, number_of_file, vacant)
        if now - reported > 1.0:
            reported = now
            print(len(here), opened, flush=True)


def _opened(port: int, address: str, head: bytes) -> _One:
    connection = socket.socket()
    try:
        connection.bind((address, 0))
        connection.settimeout(0.2)
        connection.connect(("127.0.0.1", port))
        connection.setblocking(False)
        if head:
            connection.send(head)
    except OSError:
        connection.close()
        raise
    return _One(connection, address, time.monotonic())


def _end(here: dict[int, _One], number: int, vacant: list[str]) -> None:
    one = here.pop(number, None)
    if one is not None:
        one.connection.close()  # this also removes it from the poll
        vacant.append(one.address)


if __name__ == "__main__":
    main()
