"""How the C library keeps the memory of a program that runs for a whole evening."""

from __future__ import annotations

import ctypes
import sys
import threading
import time

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # of glibc's mallopt(3)
ARENAS = 2
LARGE_BYTES = 256 * 1024
EVERY_SECONDS = 30.0


def give_back_freed() -> None:
    """Let memory that is free again be used by all threads, and give it back from time to time.

    glibc makes a heap for each new thread, up to eight for each processor, and what is freed in one serves no other: a
    dozen threads that draw pages by turns each keep what their largest page took. Within a heap it gives back only what
    is free at its end: whatever was freed below the smallest thing that stays is kept for ever. Elsewhere than with
    glibc nothing happens.
    """
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        return
    library.mallopt(_ARENA_MAX, ARENAS)
    library.mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
    threading.Thread(target=_tidy, args=(library,), name="memory", daemon=True).start()


def _tidy(library: ctypes.CDLL) -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        library.malloc_trim(ctypes.c_size_t(0))
