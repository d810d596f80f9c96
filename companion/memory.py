"""How the C library keeps the memory of a program that runs for a whole evening."""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # of glibc's mallopt(3)
ARENAS = 2
LARGE_BYTES = 256 * 1024


def give_back_freed() -> None:
    """Let memory that is free again be used by all threads, and given back where it was large.

    glibc makes a heap for each new thread, up to eight for each processor, and what is freed in one serves no other: a
    dozen threads that draw pages by turns each keep what their largest page took. Pictures and archives of the source,
    once freed, would leave holes among what stays. Elsewhere than with glibc nothing happens.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, ARENAS)
        mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
