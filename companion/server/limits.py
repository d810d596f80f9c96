"""Limits for one address: connections, event streams and large uploads. See docs/threat-model.md.

The listeners of the computer and of the local network run in separate event loops and share these counts.
`companion.web.pairing.rate_limit_key` defines what counts as one address.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from companion.server.public_address import TrustedProxies
from companion.web.pairing import rate_limit_key

MAX_PER_ADDRESS = 256  # connections from one address: fifty viewers may share one
WANTED_FILES = 8192
RESERVED_FILES = 224  # file descriptors for the archive, the camera and files being served
MAX_STREAMS, MAX_STREAMS_PER_ADDRESS = 512, 128  # in all, and for one address: fifty viewers may share one
BURST, PER_SECOND = 256, 20.0  # new connections from one address: at once, and per second
_MAX_UPLOADS, _MAX_UPLOADS_PER_ADDRESS = 32, 8  # concurrent uploads larger than a form: in all, and for one address
_MAX_ADDRESSES = 4096  # addresses
PROXY = "proxy"  # the address of all trusted proxies, whose connections carry many visitors


class Connection(Protocol):
    """One client connection."""

    @property
    def idle(self) -> bool:
        """Whether no request is being answered on it."""
        ...

    def drop(self) -> None:
        """Closes it at once; may be called from any thread."""
        ...


class Connections:
    """All open connections. If there are too many, the address with the most loses the one idle for longest."""

    def __init__(self, limit: int) -> None:
        """Sets the number of file descriptors available in all; one address may use MAX_PER_ADDRESS."""
        self._limit = limit
        # Connections of each address, the most recently used one last.
        self._open: dict[str, dict[Connection, None]] = {}
        self._count = 0
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return self._count

    def admit(self, connection: Connection, address: str) -> bool:
        """Counts a new connection. False if there is no room, because all that could be dropped are busy."""
        with self._lock:
            return self._admit(connection, address)

    def _admit(self, connection: Connection, address: str) -> bool:
        if address != PROXY and len(self._open.get(address, ())) >= MAX_PER_ADDRESS:
            crowded = address
        elif self._count >= self._limit:
            crowded = max(self._open, key=lambda one: len(self._open[one]))
        else:
            crowded = ""
        dropped = None
        if crowded:
            dropped = next((one for one in self._open[crowded] if one.idle), None)
            if dropped is None:
                return False
            self.remove(dropped, crowded)
        self._open.setdefault(address, {})[connection] = None
        self._count += 1
        if dropped is not None:
            dropped.drop()
        return True

    def hand_over(self, waiting: Connection, address: str, connection: Connection) -> bool:
        """Counts this connection in place of a pending one. False if that one was dropped meanwhile."""
        with self._lock:
            mine = self._open.get(address, {})
            if waiting not in mine:
                return False
            del mine[waiting]
            mine[connection] = None
            return True

    def mark_used(self, connection: Connection, address: str) -> None:
        """A request came on this connection."""
        with self._lock:
            mine = self._open.get(address, {})
            if connection in mine:
                del mine[connection]
                mine[connection] = None

    def remove(self, connection: Connection, address: str) -> None:
        """Stops counting this connection, which is closed or about to be."""
        with self._lock:
            mine = self._open.get(address, {})
            if connection in mine:
                del mine[connection]
                self._count -= 1
                if not mine:
                    del self._open[address]


class TokenBucket:
    """Rate limit for new connections of an address: a burst, then a steady rate."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Sets burst and rate.

        Args:
            clock: Monotonic seconds.
        """
        self._interval, self._clock = 1 / per_second, clock
        self._burst = burst * self._interval
        # When the last connection of each address is due at the steady rate.
        self._next_arrival: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, address: str) -> bool:
        """Whether this address may open one more connection now; counts it if so."""
        if address == PROXY:
            return True
        now = self._clock()
        with self._lock:
            next_arrival = max(self._next_arrival.get(address, now), now) + self._interval
            if next_arrival - now > self._burst:
                return False
            self._next_arrival[address] = next_arrival
            self._next_arrival.move_to_end(address)
            if len(self._next_arrival) > _MAX_ADDRESSES:
                self._next_arrival.popitem(last=False)
            return True


class ConcurrencyLimit:
    """Limits expensive work in progress: large uploads, which are held in memory, and event streams."""

    def __init__(self, total: int, per_address: int) -> None:
        self._max_total, self._max_per_address = total, per_address
        self._in_progress: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def slot(self, address: str) -> Iterator[bool]:
        """A context that counts one more piece of work. Yields False, and does not count it, if there are too many."""
        with self._lock:
            counted = self._in_progress[address] < self._max_per_address and self._in_progress.total() < self._max_total
            self._in_progress[address] += counted
            self._in_progress += Counter()  # removes addresses without work in progress
        try:
            yield counted
        finally:
            with self._lock:
                self._in_progress[address] -= counted
                self._in_progress += Counter()


class Limits:
    """The limits shared by all listeners of one program. Connections from `proxies` are not limited by address."""

    def __init__(self, proxies: TrustedProxies | None = None) -> None:
        self.proxies = proxies or TrustedProxies()
        self.connections = Connections(connection_limit())
        self.rate = TokenBucket(BURST, PER_SECOND)
        self.uploads = ConcurrencyLimit(_MAX_UPLOADS, _MAX_UPLOADS_PER_ADDRESS)
        self.streams = ConcurrencyLimit(MAX_STREAMS, MAX_STREAMS_PER_ADDRESS)

    def address_of(self, host: str) -> str:
        """The key under which connections from this host are counted."""
        return PROXY if host in self.proxies else rate_limit_key(host)


def connection_limit() -> int:
    """Number of connections the process may hold open, after raising the system's limit as far as possible."""
    try:
        import resource
    except ImportError:  # windows, where sockets are not files
        return WANTED_FILES - RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == resource.RLIM_INFINITY:
        soft = WANTED_FILES
    return max(min(soft, WANTED_FILES) - RESERVED_FILES, 32)
