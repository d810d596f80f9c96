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

MOST_OF_ONE = 256  # connections from one address: fifty viewers may share one
FILES_WANTED = 8192
FILES_SPARED = 224  # file descriptors for the archive, the camera and files being served
MOST_STREAMS, MOST_STREAMS_OF_ONE = 512, 128  # in all, and for one address: fifty viewers may share one
BURST, PER_SECOND = 256, 20.0  # new connections from one address: at once, and per second
_MOST_UPLOADS, _MOST_UPLOADS_OF_ONE = 32, 8  # concurrent uploads larger than a form: in all, and for one address
_MOST_REMEMBERED = 4096  # addresses
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

    def __init__(self, most: int) -> None:
        """Sets the number of file descriptors available in all; one address may use MOST_OF_ONE."""
        self._most = most
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
        if address != PROXY and len(self._open.get(address, ())) >= MOST_OF_ONE:
            crowded = address
        elif self._count >= self._most:
            crowded = max(self._open, key=lambda one: len(self._open[one]))
        else:
            crowded = ""
        leaving = None
        if crowded:
            leaving = next((one for one in self._open[crowded] if one.idle), None)
            if leaving is None:
                return False
            self.gone(leaving, crowded)
        self._open.setdefault(address, {})[connection] = None
        self._count += 1
        if leaving is not None:
            leaving.drop()
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

    def heard(self, connection: Connection, address: str) -> None:
        """A request came on this connection."""
        with self._lock:
            mine = self._open.get(address, {})
            if connection in mine:
                del mine[connection]
                mine[connection] = None

    def gone(self, connection: Connection, address: str) -> None:
        """This connection is closed or about to be."""
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
        self._due: OrderedDict[str, float] = OrderedDict()  # address → when the last counted connection is due
        self._lock = threading.Lock()

    def allows(self, address: str) -> bool:
        """Whether this address may open one more connection now; counts it if so."""
        if address == PROXY:
            return True
        now = self._clock()
        with self._lock:
            due = max(self._due.get(address, now), now) + self._interval
            if due - now > self._burst:
                return False
            self._due[address] = due
            self._due.move_to_end(address)
            if len(self._due) > _MOST_REMEMBERED:
                self._due.popitem(last=False)
            return True


class ConcurrencyLimit:
    """Limits expensive work in progress: large uploads, which are held in memory, and event streams."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._here: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def one(self, address: str) -> Iterator[bool]:
        """A context that counts one more. False, and not counted, if there are too many."""
        with self._lock:
            counted = self._here[address] < self._most_of_one and self._here.total() < self._most
            self._here[address] += counted
            self._here += Counter()  # removes addresses without work in progress
        try:
            yield counted
        finally:
            with self._lock:
                self._here[address] -= counted
                self._here += Counter()


class Limits:
    """The limits shared by all listeners of one program. Connections from `proxies` are not limited by address."""

    def __init__(self, proxies: TrustedProxies | None = None) -> None:
        self.proxies = proxies or TrustedProxies()
        self.connections = Connections(spare_files())
        self.rate = TokenBucket(BURST, PER_SECOND)
        self.uploads = ConcurrencyLimit(_MOST_UPLOADS, _MOST_UPLOADS_OF_ONE)
        self.streams = ConcurrencyLimit(MOST_STREAMS, MOST_STREAMS_OF_ONE)

    def address_of(self, host: str) -> str:
        """The key under which connections from this host are counted."""
        return PROXY if host in self.proxies else rate_limit_key(host)


def spare_files() -> int:
    """Number of connections the process may hold open, after raising the system's limit as far as possible."""
    try:
        import resource
    except ImportError:  # windows, where sockets are not files
        return FILES_WANTED - FILES_SPARED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == resource.RLIM_INFINITY:
        soft = FILES_WANTED
    return max(min(soft, FILES_WANTED) - FILES_SPARED, 32)
