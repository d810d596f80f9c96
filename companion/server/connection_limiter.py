"""Accepts connections within the limits of each address, counted from before the TLS handshake.

uvicorn's own listener handles connections in order of arrival, so one that comes after thousands of others waits for
all of them. It reports a connection only after the TLS handshake, for which it waits up to a minute: one device could
hold all file descriptors. Here connections wait in one cheap queue for each address, and the addresses take turns.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import struct
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.server.limits import PER_SECOND, Connection, Limits

HANDSHAKE_SECONDS = 10.0
_ACCEPTED_IN_A_ROW, _STARTED_IN_A_ROW = 256, 16  # connections in a row before the event loop does other work
_NO_FILES_SECONDS = 0.2  # seconds between attempts while the process is out of file descriptors
_RESET = struct.pack("ii" if hasattr(socket, "AF_UNIX") else "hh", 1, 0)  # SO_LINGER: close without waiting
_LOG = logging.getLogger(__name__)


class ConnectionLimiter:
    """Accepts connections from a listening socket."""

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext | None,
        limits: Limits,
        protocol: Callable[[Callable[[Connection], bool]], asyncio.Protocol],
    ) -> None:
        """Starts accepting.

        Args:
            protocol: Makes the protocol of a connection. It receives a function to call when it starts, which counts it
                in place of the pending connection and returns False if that one was dropped meanwhile.
        """
        listener.setblocking(False)
        self._listener, self._context, self._protocol = listener, context, protocol
        self._connections, self._rate = limits.connections, limits.rate
        self._address_of = limits.address_of
        self._loop = asyncio.get_running_loop()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting: OrderedDict[str, deque[_Pending]] = OrderedDict()  # by address; the first one is next
        self._any_waiting = asyncio.Event()
        self._working = [self._loop.create_task(work) for work in (self._accept(), self._start_all())]

    def close(self) -> None:
        """Stops accepting connections."""
        for task in (*self._working, *self._starting):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all pending connections are closed."""
        await asyncio.gather(*self._working, *self._starting, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                self._admit(*await self._loop.sock_accept(self._listener))
                for _ in range(_ACCEPTED_IN_A_ROW):
                    self._admit(*self._listener.accept())
            except BlockingIOError:
                continue
            except OSError:  # no file descriptor is left, or the client is gone
                await asyncio.sleep(_NO_FILES_SECONDS)

    def _admit(self, connection: socket.socket, peer: tuple[str, int]) -> None:
        address = self._address_of(peer[0])
        pending = _Pending(connection, address)
        if not self._connections.admit(pending, address):
            with suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            connection.close()
            return
        connection.setblocking(False)
        self._waiting.setdefault(address, deque()).append(pending)
        self._any_waiting.set()

    async def _start_all(self) -> None:
        while True:
            await self._any_waiting.wait()
            started = sum([self._start_next() for _ in range(min(_STARTED_IN_A_ROW, len(self._waiting)))])
            if not self._waiting:
                self._any_waiting.clear()
            await asyncio.sleep(0 if started else 0.5 / PER_SECOND)

    def _start_next(self) -> bool:
        """Starts a connection of the address whose turn it is; False if its rate does not allow it yet."""
        address, queue = self._waiting.popitem(last=False)
        while queue and queue[0].gone:  # dropped to make room
            queue.popleft().socket.close()
        early = bool(queue) and not self._rate.allows(address)
        if queue and not early:
            pending = queue.popleft()
            task = self._loop.create_task(self._start(pending))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)
        if queue:
            self._waiting[address] = queue
        return not early

    async def _start(self, pending: _Pending) -> None:
        if pending.gone:
            pending.socket.close()
            return
        admit = partial(self._connections.hand_over, pending, pending.address)
        patience = {} if self._context is None else {"ssl_handshake_timeout": HANDSHAKE_SECONDS}
        try:
            await self._loop.connect_accepted_socket(
                partial(self._protocol, admit), pending.socket, ssl=self._context, **patience
            )
        except (OSError, TimeoutError) as error:  # the certificate is not trusted, or no TLS was meant
            _LOG.debug("connection failed: %s", error)
        finally:
            self._connections.remove(pending, pending.address)


class _Pending:
    """A connection before its first request."""

    idle, gone = True, False

    def __init__(self, connection: socket.socket, address: str) -> None:
        self.socket, self.address = connection, address

    def drop(self) -> None:
        """Closes the connection at once."""
        self.gone = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
