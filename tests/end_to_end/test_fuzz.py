"""A short run of `tests/stress/fuzz.py`: slightly damaged valid inputs for every parser."""

from __future__ import annotations

import time
from random import Random

import pytest

from tests.stress.fuzzing.targets import TARGETS, seeds

pytestmark = pytest.mark.slow

MOST_GOOD = 25  # good inputs to begin with; a form is a whole request
SECONDS = 0.3  # of each reader, once its first inputs are through


def bent(data: bytes, random: Random) -> bytes:
    """The data with some bytes changed, doubled, removed or moved."""
    out = bytearray(data[:4096])
    for _ in range(random.randint(1, 6)):
        at, length = random.randint(0, len(out)), random.randint(1, 40)
        match random.randrange(4):
            case 0:
                out[at : at + 1] = random.randbytes(1)
            case 1:
                del out[at : at + length]
            case 2:
                out[at:at] = out[at : at + length]
            case _:
                part = out[at : at + length]
                del out[at : at + length]
                place = random.randint(0, len(out))
                out[place:place] = part
    return bytes(out)


@pytest.mark.parametrize("name", TARGETS)
def test_no_strange_input_crashes_a_parser(name: str) -> None:
    feed, random, good = TARGETS[name], Random(name), seeds(name)
    feed(b"")
    for data in random.sample(good, min(len(good), MOST_GOOD)):
        feed(data)
    until, fed = time.process_time() + SECONDS, 0
    while fed < 20 or time.process_time() < until:
        feed(bent(random.choice(good) if good else random.randbytes(200), random))
        fed += 1
