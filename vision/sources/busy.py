"""What each thread of this process works at, and since when: so that work which never ends can be found out.

How long work lasts here is remembered, too: what never ends on a fast computer is found out sooner than on a slow one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """thread: its identity; waits: seconds of it that may be spent waiting, for a device or a network."""

    thread: int
    what: str
    since: float
    waits: float

    def seconds(self) -> float:
        """How long it has lasted, what it may wait left out."""
        return time.monotonic() - self.since - self.waits


FORGETTING = 0.99995  # of the longest work, with each one that ends: half of it after some ten minutes
ENOUGH = 10  # works that must have ended before one knows how long they last

_at_work: dict[int, Work] = {}
_longest, _ended = 0.0, 0  # seconds, of work that waits for nobody; a race between threads forgets one of thousands


@contextmanager
def working(what: str, waits: float = 0.0) -> Iterator[None]:
    """This thread works at something that ought to end soon."""
    me = threading.get_ident()
    before = _at_work.get(me)
    _at_work[me] = Work(me, what, time.monotonic(), waits)
    try:
        yield
    finally:
        if not waits:
            _remember(_at_work[me].seconds())
        if before is None:
            del _at_work[me]
        else:
            _at_work[me] = before


def longest() -> Work | None:
    """The work that has lasted longest, None while nothing is being done."""
    return max(list(_at_work.values()), key=Work.seconds, default=None)


def usual() -> float | None:
    """Seconds that work which waits for nobody lasts here at most, None while too little has been done."""
    return _longest if _ended >= ENOUGH else None


def _remember(seconds: float) -> None:
    global _longest, _ended
    _longest, _ended = max(seconds, _longest * FORGETTING), _ended + 1
