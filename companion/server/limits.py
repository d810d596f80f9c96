"""Limits of what one address may use: connections, event streams and large uploads. See docs/threat-model.md.

The listeners of the computer and of the local network run in event loops of their own and share these counts. An
address is what `companion.web.pairing.household` makes of it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from companion.server.public_address import TrustedProxies
from companion.web.pairing import household

MOST_OF_ONE = 256  # connections from one address: fifty viewers may share one
FILES_WANTED = 8192
FILES_SPARED = 224  # for the archive, the camera, and files being served
MOST_STREAMS, MOST_STREAMS_OF_ONE = 512, 128  # in all, and for one address: fifty viewers may share one
BURST, PER_SECOND = 256, 20.0  # new connections from one address
_MOST_UPLOADS, _MOST_UPLOADS_OF_ONE = 32, 8  # larger than a form, under way at once
_MOST_REMEMBERED = 4096  # addresses
PROXY = "proxy"  # stands for every trusted proxy: many visitors come through its connections


class Connection(Protocol):
    """One connection of a visitor."""

    @property
    def idle(self) -> bool:
        """Whether no request is being answered on it."""
        ...

    def drop(self) -> None:
        """End it at once; called from any thread."""
        ...


class Connections:
    """All that are open. Where there are too many, the one idle for longest makes room, of the address with most."""

    def __init__(self, most: int, most_of_one: int = MOST_OF_ONE) -> None:
        """most: file descriptors that can be spared."""
        self._most, self._most_of_one = most, most_of_one
        self._open: dict[str, dict[Connection, None]] = {}  # of each address, the one heard of last at the end
        self._count = 0
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return self._count

    def admit(self, connection: Connection, address: str) -> bool:
        """Count a new connection in. False: there is no room for it, as all that might make some are busy."""
        with self._lock:
            return self._admit(connection, address)

    def _admit(self, connection: Connection, address: str) -> bool:
        if address != PROXY and len(self._open.get(address, ())) >= self._most_of_one:
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
        """Count this connection in the place of one that waited. False: that one has had to make room meanwhile."""
        with self._lock:
            mine = self._open.get(address, {})
            if waiting not in mine:
                return False
            del mine[waiting]
            mine[connection] = None
            return True

    def heard(self, connection: Connection, address: str) -> None:
        """A request has come on it."""
        with self._lock:
            mine = self._open.get(address, {})
            if connection in mine:
                del mine[connection]
                mine[connection] = None

    def gone(self, connection: Connection, address: str) -> None:
        """It is closed, or about to be."""
        with self._lock:
            mine = self._open.get(address, {})
            if connection in mine:
                del mine[connection]
                self._count -= 1
                if not mine:
                    del self._open[address]


class TokenBucket:
    """How fast an address may open connections: a burst at once, then a steady rate."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds, never going back."""
        self._interval, self._clock = 1 / per_second, clock
        self._burst = burst * self._interval
        self._due: OrderedDict[str, float] = OrderedDict()  # address → when the last one counted is due
        self._lock = threading.Lock()

    def allows(self, address: str) -> bool:
        """Whether one more may start now; counts it if so."""
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
    """Counts what is expensive while it lasts: large uploads, which are held in memory, and event streams."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._here: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def one(self, address: str) -> Iterator[bool]:
        """Count one more while it lasts. False: there are too many already, and it is not counted."""
        with self._lock:
            counted = self._here[address] < self._most_of_one and self._here.total() < self._most
            self._here[address] += counted
            self._here += Counter()  # forgets those of whom nothing is under way
        try:
            yield counted
        finally:
            with self._lock:
                self._here[address] -= counted
                self._here += Counter()


class Limits:
    """What all listeners of one program share. proxies: connections from them are not limited by address."""

    def __init__(self, proxies: TrustedProxies | None = None) -> None:
        self.proxies = proxies or TrustedProxies()
        self.connections = Connections(spare_files())
        self.rate = TokenBucket(BURST, PER_SECOND)
        self.uploads = ConcurrencyLimit(_MOST_UPLOADS, _MOST_UPLOADS_OF_ONE)
        self.streams = ConcurrencyLimit(MOST_STREAMS, MOST_STREAMS_OF_ONE)

    def address_of(self, host: str) -> str:
        """What counts as the address of a connection from this host."""
        return PROXY if host in self.proxies else household(host)


def spare_files() -> int:
    """How many connections the process may hold open, after asking the system for as many as it gives."""
    try:
        import resource
    except ImportError:  # Windows, where sockets are no files
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
