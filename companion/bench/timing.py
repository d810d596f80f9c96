"""Times a computation; the fastest of several runs is the least disturbed by other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the fastest of several runs, in wall time and processor time."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} ms ({self.processor:.1f} ms of processor time)"


def fastest(times: int, work: Callable[[], object]) -> Timing:
    """Runs the work this many times and returns the fastest run."""
    found = []
    for _ in range(times):
        wall, processor = perf_counter(), process_time()
        work()
        found.append(((perf_counter() - wall) * 1000, (process_time() - processor) * 1000))
    return Timing(min(wall for wall, _ in found), min(processor for _, processor in found))
