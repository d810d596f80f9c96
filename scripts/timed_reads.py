"""Times how the version in the working folder reads the images named on standard input, for `scripts/time_pairs.py`.

It imports only what both versions have, and nothing of this checkout.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO


def read(pictures: IO[str], tries: int) -> None:
    """Prints the times of each image, one JSON line each."""
    from tests.kit.evaluation.frame import as_frame
    from vision.dice import detector as code
    from vision.sources.jpeg import decode

    detector = code.Detector(Path("models"))
    disagree = getattr(code, "doubtful", None)  # versions without it run one pass
    for line in pictures:
        path = Path(line.strip())
        image = decode(path.read_bytes(), str(path))
        frame = as_frame(image)
        dice = detector.detect(image, thorough=True).xyxy
        times = {
            "photo": best(tries, partial(detector.detect, image, thorough=True)),
            "close": best(tries, partial(detector.read, image, dice, thorough=True)) if len(dice) else None,
            "frame": best(tries, partial(detector.detect, frame)),
            "doubtful": bool(disagree(detector.detect_once(image))) if disagree is not None else None,
        }
        print(json.dumps(times), flush=True)


def best(tries: int, look: Callable[[], object]) -> float:
    """Milliseconds, the minimum of several runs."""
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        look()
        took.append(1000 * (time.perf_counter() - began))
    return min(took)


if __name__ == "__main__":
    read(sys.stdin, int(sys.argv[1]))
