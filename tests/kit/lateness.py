"""How late a busy machine runs what is due: what a test on the clock allows on top of its limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

EVERY_SECONDS = 0.02


@dataclass(slots=True)
class Lateness:
    """seconds: by how much a thread that is due every 20 ms came too late, all in all."""

    seconds: float = 0.0


@contextmanager
def lateness() -> Iterator[Lateness]:
    """Measure while the block runs. Work in C that holds the interpreter lock makes the thread late as well: limit such
    work by `time.process_time` instead.
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
