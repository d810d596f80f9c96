"""How long something has lasted, whatever happens to the clock on the wall.

A small computer without a battery begins where it was switched off and jumps ahead when it finds a time server;
somebody may set the clock by hand. While the computer runs, time is told by the clock that nobody sets, which counts
also while it sleeps. It begins anew with the computer; only what passed meanwhile is asked of the wall.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


def _seconds() -> float:
    """Since the computer was switched on, sleep included, or as near to that as the system says."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # there it goes on asleep, and time.monotonic does not
    return time.monotonic()


def _switched_on() -> str:
    """Another word each time that the computer is switched on; "" where it says none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


@dataclass(frozen=True, slots=True)
class EveningClock:
    """seconds: a clock that nobody sets; wall: seconds since 1970, as somebody has set them; boot: names the time since
    the computer was switched on, "" where that is not known."""

    seconds: Callable[[], float] = _seconds
    wall: Callable[[], float] = time.time
    boot: str = _switched_on()

    def now(self) -> dict[str, float | str]:
        """This moment, to be kept in a file."""
        return {"boot": self.boot, "seconds": self.seconds(), "wall": self.wall()}

    def since(self, kept: dict[str, float | str]) -> float:
        """Seconds from a moment that was kept until now. Raises KeyError, TypeError or ValueError of one that is none.

        Where the computer was switched on anew since, the two times on the wall tell; none passed where they say that
        it went backwards.
        """
        if self.boot and kept["boot"] == self.boot:
            return max(0.0, self.seconds() - float(kept["seconds"]))
        return max(0.0, self.wall() - float(kept["wall"]))
