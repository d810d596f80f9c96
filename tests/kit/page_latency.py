"""How long a page takes to answer, asked again and again while something else happens."""

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
    """seconds: of each answer so far; an answer that does not come within 30 s raises where it was asked for."""

    seconds: list[float] = field(default_factory=list)
    failed: BaseException | None = None

    @property
    def worst(self) -> float:
        """The longest, seconds."""
        return max(self.seconds)

    def percentile(self, percent: float) -> float:
        """So many of a hundred were faster, seconds."""
        return float(np.percentile(self.seconds, percent))


@contextmanager
def asked(address: str) -> Iterator[Latency]:
    """Ask for the page twenty times a second. Raises what asking raised."""
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
