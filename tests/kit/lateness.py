"""Measures how late a busy machine runs threads, so that tests of wall time can extend their limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

EVERY_SECONDS = 0.02


@dataclass(slots=True)
class Lateness:
    """The total delay in seconds of a thread that is due every 20 ms."""

    seconds: float = 0.0


@contextmanager
def lateness() -> Iterator[Lateness]:
    """Measures the lateness while the block runs.

    C code that holds the interpreter lock also delays the thread; limit such code by `time.process_time` instead.
    """
    late, over = Lateness(), threading.Event()

    def measure() -> None:
        due = time.monotonic() + EVERY_SECONDS
        while not over.wait(EVERY_SECONDS):
            now = time.monotonic()
            late.seconds += max(0.0, now - due)
            due = now + EVERY_SECONDS

    measuring = threading.Thread(target=measure, daemon=True)
    measuring.start()
    try:
        yield late
    finally:
        over.set()
        measuring.join()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Asserts that the block takes less time than this, plus the delay of the machine meanwhile."""
    with lateness() as late:
        began = time.monotonic()
        yield
        took = time.monotonic() - began
    assert took < seconds + late.seconds
