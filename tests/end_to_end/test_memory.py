"""Threads reuse memory that others have freed, so an evening of many threads needs no more than a few do."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

_PROGRAM = """
import ctypes, sys, threading
from companion.memory import limit_memory
if sys.argv[1] == "given back":
    limit_memory()
wait = threading.Barrier(17)

def work():
    kept = [bytes(1000) for _ in range(500)]
    wait.wait()

for _ in range(16):
    threading.Thread(target=work).start()
wait.wait()
ctypes.CDLL(None).malloc_stats()
"""

# A hundred megabytes in small pieces, of which every hundredth stays.
_HOLES = """
import sys, time
import companion.memory as memory
memory.TRIM_SECONDS = float(sys.argv[1])
memory.limit_memory()
held = lambda: int(open("/proc/self/statm").read().split()[1]) * 4096
kept = [bytes(2000) for _ in range(50_000)]
full = held()
kept = kept[::100]
time.sleep(2)
print(full, held())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other C libraries keep memory otherwise")
def test_sixteen_threads_share_two_heaps() -> None:
    assert _heaps("as it is") > 2, "otherwise this test would prove nothing"
    assert _heaps("given back") <= 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other C libraries keep memory otherwise")
def test_memory_freed_between_used_blocks_is_returned_to_the_system() -> None:
    assert _less_held_when_given_back_every("1000") < 30 << 20, "otherwise this test would prove nothing"
    assert _less_held_when_given_back_every("0.3") > 60 << 20


def _heaps(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", _PROGRAM, how], capture_output=True, text=True, check=True)
    return done.stderr.count("Arena ")


def _less_held_when_given_back_every(seconds: str) -> int:
    """Bytes that the process returns within two seconds after most memory was freed."""
    done = subprocess.run([sys.executable, "-c", _HOLES, seconds], capture_output=True, text=True, check=True)
    full, after = map(int, done.stdout.split())
    return full - after
