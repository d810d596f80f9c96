"""TLS, begun by ourselves: whoever has come and not finished it is counted, and makes room, like any other visitor.

A listener that does it all takes in as many of them as there are file descriptors, for a minute each.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.server.limits import Connections
from companion.web.pairing import household

HANDSHAKE_SECONDS = 10.0
_NO_FILES_SECONDS = 0.2  # between attempts while the process may open no more
_LOG = logging.getLogger(__name__)


class Entrance:
    """Takes in visitors from a listening socket; `speak` makes the protocol that goes on with one, given a function to
    call when both sides trust each other."""

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext,
        connections: Connections,
        speak: Callable[[Callable[[], None]], asyncio.Protocol],
    ) -> None:
        listener.setblocking(False)
        self._listener, self._context, self._connections, self._speak = listener, context, connections, speak
        self._loop = asyncio.get_running_loop()
        self._handshakes: set[asyncio.Task[None]] = set()
        self._open = self._loop.create_task(self._take_in())

    def close(self) -> None:
        """Nobody comes in any more."""
        for task in (self._open, *self._handshakes):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all of that is over."""
        await asyncio.gather(self._open, *self._handshakes, return_exceptions=True)

    async def _take_in(self) -> None:
        while True:
            try:
                connection, peer = await self._loop.sock_accept(self._listener)
            except OSError:  # no file descriptor is left, or the visitor has gone
                await asyncio.sleep(_NO_FILES_SECONDS)
                continue
            visitor, address = _Visitor(connection), household(peer[0])
            if not self._connections.admit(visitor, address):
                connection.close()
                continue
            task = self._loop.create_task(self._shake(visitor, partial(self._connections.gone, visitor, address)))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _shake(self, visitor: _Visitor, over: Callable[[], None]) -> None:
        try:
            await self._loop.connect_accepted_socket(
                partial(self._speak, over),
                visitor.socket,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
            )
        except (OSError, TimeoutError) as error:  # a certificate not trusted, or never meant
            _LOG.debug("no TLS: %s", error)
        finally:
            over()


class _Visitor:
    """Somebody who has said nothing yet."""

    idle = True

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection

    def drop(self) -> None:
        """End the connection at once."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
