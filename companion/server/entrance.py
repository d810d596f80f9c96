"""Takes visitors in: each address at its pace and in its turn, and with TLS counted from their first moment.

A listener of the event loop's own greets everybody in the order in which they knock, so that one who comes after
thousands of others waits for all of them; and it does not say who has come before the TLS handshake is over, for which
it gives a minute. Here all are let into a waiting room, which costs little, and the addresses take turns.
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
_KNOCKS_IN_A_ROW, _GREETED_IN_A_ROW = 256, 16  # before what else there is to do gets a turn
_NO_FILES_SECONDS = 0.2  # between attempts while the process may open no more
_GONE = struct.pack("ii" if hasattr(socket, "AF_UNIX") else "hh", 1, 0)  # SO_LINGER: nothing of it is kept
_LOG = logging.getLogger(__name__)


class Entrance:
    """Takes in visitors from a listening socket; `speak` makes the protocol that goes on with one, given a function to
    call when it does: it counts the protocol in the visitor's place, and is False where that one had to make room."""

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext | None,
        limits: Limits,
        speak: Callable[[Callable[[Connection], bool]], asyncio.Protocol],
    ) -> None:
        listener.setblocking(False)
        self._listener, self._context, self._speak = listener, context, speak
        self._connections, self._pace = limits.connections, limits.pace
        self._address_of = limits.address_of
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()
        self._waiting: OrderedDict[str, deque[_Visitor]] = OrderedDict()  # by address, whose turn it is first
        self._somebody = asyncio.Event()
        self._open = [self._loop.create_task(work) for work in (self._take_in(), self._greet_all())]

    def close(self) -> None:
        """Nobody comes in any more."""
        for task in (*self._open, *self._coming):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all of that is over."""
        await asyncio.gather(*self._open, *self._coming, return_exceptions=True)

    async def _take_in(self) -> None:
        while True:
            try:
                self._meet(*await self._loop.sock_accept(self._listener))
                for _ in range(_KNOCKS_IN_A_ROW):
                    self._meet(*self._listener.accept())
            except BlockingIOError:
                continue
            except OSError:  # no file descriptor is left, or the visitor has gone
                await asyncio.sleep(_NO_FILES_SECONDS)

    def _meet(self, connection: socket.socket, peer: tuple[str, int]) -> None:
        address = self._address_of(peer[0])
        visitor = _Visitor(connection, address)
        if not self._connections.admit(visitor, address):
            with suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _GONE)
            connection.close()
            return
        connection.setblocking(False)
        self._waiting.setdefault(address, deque()).append(visitor)
        self._somebody.set()

    async def _greet_all(self) -> None:
        while True:
            await self._somebody.wait()
            greeted = sum([self._greet_next() for _ in range(min(_GREETED_IN_A_ROW, len(self._waiting)))])
            if not self._waiting:
                self._somebody.clear()
            await asyncio.sleep(0 if greeted else 0.5 / PER_SECOND)

    def _greet_next(self) -> bool:
        """Greet the first of the address whose turn it is; False when that address is too early."""
        address, visitors = self._waiting.popitem(last=False)
        while visitors and visitors[0].gone:  # made room for others meanwhile
            visitors.popleft().socket.close()
        early = bool(visitors) and not self._pace.allows(address)
        if visitors and not early:
            visitor = visitors.popleft()
            task = self._loop.create_task(self._greet(visitor))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)
        if visitors:
            self._waiting[address] = visitors
        return not early

    async def _greet(self, visitor: _Visitor) -> None:
        if visitor.gone:
            visitor.socket.close()
            return
        arrived = partial(self._connections.hand_over, visitor, visitor.address)
        patience = {} if self._context is None else {"ssl_handshake_timeout": HANDSHAKE_SECONDS}
        try:
            await self._loop.connect_accepted_socket(
                partial(self._speak, arrived), visitor.socket, ssl=self._context, **patience
            )
        except (OSError, TimeoutError) as error:  # a certificate not trusted, or no TLS ever meant
            _LOG.debug("nobody came: %s", error)
        finally:
            self._connections.gone(visitor, visitor.address)


class _Visitor:
    """Somebody who has said nothing yet."""

    idle, gone = True, False

    def __init__(self, connection: socket.socket, address: str) -> None:
        self.socket, self.address = connection, address

    def drop(self) -> None:
        """End the connection at once."""
        self.gone = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
