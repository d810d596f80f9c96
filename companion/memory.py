"""Keeps memory low in a program that runs for a whole evening."""

from __future__ import annotations

import ctypes
import sys
import threading
import time

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # parameters of glibc's mallopt(3)
ARENAS = 2
LARGE_BYTES = 256 * 1024
TRIM_SECONDS = 30.0


def limit_memory() -> None:
    """Makes glibc share one heap among all threads and return free memory to the system. Does nothing without glibc.

    By default glibc creates a heap for each new thread, up to eight per processor, and memory freed in one cannot be
    used by another. A dozen threads that render pages would each keep what their largest page took. Within a heap, only
    free memory at the end is returned.
    """
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        return
    library.mallopt(_ARENA_MAX, ARENAS)
    library.mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
    threading.Thread(target=_trim, args=(library,), name="memory", daemon=True).start()


def _trim(library: ctypes.CDLL) -> None:
    while True:
        time.sleep(TRIM_SECONDS)
        library.malloc_trim(ctypes.c_size_t(0))
