"""Records which operation each thread of this process runs and since when, so that hanging operations are noticed.

It also learns how long operations usually take, so a hang is noticed sooner on a fast computer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """One operation in progress.

    Attributes:
        thread: Identity of the thread.
        waits: Seconds that the operation may spend waiting for a device or a network.
    """

    thread: int
    what: str
    since: float
    waits: float

    def seconds(self) -> float:
        """Duration so far, without the allowed waiting."""
        return time.monotonic() - self.since - self.waits


FORGETTING = 0.99995  # decay of the longest duration with each operation that ends; it halves in about ten minutes
MIN_OPERATIONS = 10  # operations that must have ended before the duration is known

_at_work: dict[int, Work] = {}
# Seconds, of operations that wait for nothing. A race between threads may lose one of thousands, which is harmless.
_longest, _ended = 0.0, 0


@contextmanager
def working(what: str, waits: float = 0.0) -> Iterator[None]:
    """A context in which this thread runs an operation that should end soon."""
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
    """The operation in progress that has lasted longest; None if there is none."""
    return max(list(_at_work.values()), key=Work.seconds, default=None)


def usual() -> float | None:
    """Longest duration, in seconds, of operations that wait for nothing; None while too few have ended."""
    return _longest if _ended >= MIN_OPERATIONS else None


def _remember(seconds: float) -> None:
    global _longest, _ended
    _longest, _ended = max(seconds, _longest * FORGETTING), _ended + 1
