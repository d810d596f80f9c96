"""Accepts connections within the limits of each address, counted from before the TLS handshake.

uvicorn's own listener names a visitor only after the TLS handshake, for which it waits a minute. One device could hold
all file descriptors of the process that way.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.server.limits import Connection, Limits

HANDSHAKE_SECONDS = 10.0
_ACCEPTED_IN_A_ROW = 64  # before the event loop does other work
_NO_FILES_SECONDS = 0.2  # between attempts while the process may open no more files
_RESET = struct.pack("ii" if hasattr(socket, "AF_UNIX") else "hh", 1, 0)  # SO_LINGER: close without waiting
_LOG = logging.getLogger(__name__)


class ConnectionLimiter:
    """Accepts connections from a listening socket.

    An address that opens connections faster than its rate waits for each of them; further ones are refused.
    """

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext | None,
        limits: Limits,
        protocol: Callable[[Callable[[Connection], bool]], asyncio.Protocol],
    ) -> None:
        """Accept from now on.

        Args:
            protocol: makes the protocol of a connection. It is given a function to call when it starts, which counts it
                in place of the pending connection and returns False if that one had to make room meanwhile.
        """
        listener.setblocking(False)
        self._listener, self._context, self._limits, self._protocol = listener, context, limits, protocol
        self._loop = asyncio.get_running_loop()
        self._pending: set[asyncio.Task[None]] = set()
        self._accepting = self._loop.create_task(self._accept())

    def close(self) -> None:
        """Accept no more connections."""
        for task in (self._accepting, *self._pending):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all pending connections are closed."""
        await asyncio.gather(self._accepting, *self._pending, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                self._admit(*await self._loop.sock_accept(self._listener))
                for _ in range(_ACCEPTED_IN_A_ROW):
                    self._admit(*self._listener.accept())
            except BlockingIOError:
                continue
            except OSError:  # no file descriptor is left, or the visitor has gone
                await asyncio.sleep(_NO_FILES_SECONDS)

    def _admit(self, connection: socket.socket, peer: tuple[str, int]) -> None:
        """Start a connection, now or when it is due; reset it if its address has too many."""
        pending = _Pending(connection, self._limits.address_of(peer[0]))
        wait = self._limits.rate.reserve(pending.address)
        if wait is None or not self._limits.connections.admit(pending, pending.address):
            with suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            connection.close()
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._start(pending, wait))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _start(self, pending: _Pending, wait: float) -> None:
        arrived = partial(self._limits.connections.hand_over, pending, pending.address)
        patience = {} if self._context is None else {"ssl_handshake_timeout": HANDSHAKE_SECONDS}
        try:
            if wait:
                await asyncio.sleep(wait)
            if pending.dropped:
                pending.socket.close()
                return
            await self._loop.connect_accepted_socket(
                partial(self._protocol, arrived), pending.socket, ssl=self._context, **patience
            )
        except (OSError, TimeoutError) as error:  # the certificate is not trusted, or no TLS was meant
            _LOG.debug("connection failed: %s", error)
        finally:
            self._limits.connections.gone(pending, pending.address)


class _Pending:
    """A connection before its first request."""

    idle = True

    def __init__(self, connection: socket.socket, address: str) -> None:
        self.socket, self.address, self.dropped = connection, address, False

    def drop(self) -> None:
        """End the connection at once."""
        self.dropped = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
