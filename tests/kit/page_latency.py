"""Measures how fast a page answers while something else happens."""

from __future__ import annotations

import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

EVERY_SECONDS = 0.05


@dataclass(slots=True)
class Latency:
    """Response times.

    Attributes:
        seconds: Of each response so far.
        failed: The error of a request that failed or took more than 30 s; `poll_latency` raises it.
    """

    seconds: list[float] = field(default_factory=list)
    failed: BaseException | None = None

    @property
    def worst(self) -> float:
        """The longest one, seconds."""
        return max(self.seconds)

    def percentile(self, percent: float) -> float:
        """This percentile, seconds."""
        return float(np.percentile(self.seconds, percent))


@contextmanager
def poll_latency(address: str) -> Iterator[Latency]:
    """Requests the page twenty times a second while the block runs. Raises the error of a failed request."""
    latency, over = Latency(), threading.Event()

    def ask() -> None:
        try:
            while not over.wait(EVERY_SECONDS):
                began = time.perf_counter()
                with urllib.request.urlopen(address, timeout=30) as answer:
                    answer.read()
                latency.seconds.append(time.perf_counter() - began)
        except BaseException as error:
            latency.failed = error

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    try:
        yield latency
    finally:
        over.set()
        asking.join()
    if latency.failed is not None:
        raise latency.failed
