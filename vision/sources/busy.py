"""What each thread of this process works at, and since when: so that work which never ends can be found out."""

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


_at_work: dict[int, Work] = {}


@contextmanager
def working(what: str, waits: float = 0.0) -> Iterator[None]:
    """This thread works at something that ought to end soon."""
    me = threading.get_ident()
    before = _at_work.get(me)
    _at_work[me] = Work(me, what, time.monotonic(), waits)
    try:
        yield
    finally:
        if before is None:
            del _at_work[me]
        else:
            _at_work[me] = before


def longest() -> Work | None:
    """The work that has lasted longest, None while nothing is being done."""
    return max(list(_at_work.values()), key=Work.seconds, default=None)
