"""Measures durations reliably across changes of the wall clock.

A small computer without a battery starts with an old time and jumps ahead when it reaches a time server, and users may
set the clock. While the computer runs, this module uses a clock that cannot be set and also counts during sleep.
It restarts with the computer; only the time in between is taken from the wall clock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


def _seconds() -> float:
    """Seconds since the computer was switched on, with sleep if the system counts it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # it counts during sleep there, and time.monotonic does not
    return time.monotonic()


def _boot_id() -> str:
    """An id of the current boot; "" if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


@dataclass(frozen=True, slots=True)
class PersistentClock:
    """A clock that survives restarts of the program and of the computer.

    Args:
        seconds: A clock that cannot be set.
        wall: Seconds since 1970, as set by users.
        boot: Id of the current boot, "" if unknown.
    """

    seconds: Callable[[], float] = _seconds
    wall: Callable[[], float] = time.time
    boot: str = _boot_id()

    def now(self) -> dict[str, float | str]:
        """The current time, to be stored in a file."""
        return {"boot": self.boot, "seconds": self.seconds(), "wall": self.wall()}

    def since(self, stored: dict[str, float | str]) -> float:
        """Seconds since a stored time. After a reboot, the difference of wall clock times, or 0 if the clock went
        backwards.

        Raises:
            KeyError, TypeError, ValueError: `kept` is not a stored time.
        """
        if self.boot and stored["boot"] == self.boot:
            return max(0.0, self.seconds() - float(stored["seconds"]))
        return max(0.0, self.wall() - float(stored["wall"]))
