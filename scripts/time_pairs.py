"""How long photos, close looks and live frames take beside another version: `python -m scripts.time_pairs --old DIR`.

DIR is a checkout of that version (`git worktree add --detach DIR COMMIT`). Each version reads in a process of its own,
one of the two at a time; every picture is read by both, in turn, `--tries` times, and the best time of each counts.
Printed are the median and the 90th percentile over the pictures of new time / old time, and the sums. A photo is
doubtful where the newer version looks at it more than once. Measure on a computer that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TypedDict

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
KINDS = {
    "photo": "photos that are not doubtful",
    "doubtful": "photos that are",
    "close": "close looks at all dice of a photo",
    "frame": "frames of 1280×720",
}


class Times(TypedDict):
    """Milliseconds for one picture; doubtful: it was looked at again, None where the version never does."""

    photo: float
    close: float | None
    frame: float
    doubtful: bool | None


def main() -> None:
    """Read every picture with both, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=Path, help="a checkout of the other version")
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), help="folder with dev/")
    parser.add_argument("--set", default="dev", help="the folder in it")
    parser.add_argument("--every", type=int, default=6, help="only every so manieth picture")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument(
        "--reads", action="store_true", help="(read pictures named on standard input, for this command)"
    )
    wanted = parser.parse_args()
    if wanted.reads:
        _read(sys.stdin, wanted.tries)
        return
    if wanted.photos is None or wanted.old is None:
        parser.error("--old DIR and --photos DIR must be named")
    from companion.bench.vision import labelled

    pictures = labelled(wanted.photos / wanted.set)[:: wanted.every]
    readers = [_started(root, wanted.tries) for root in (wanted.old.resolve(), ROOT)]
    pairs = []
    for picture in pictures:
        old, new = (_asked(reader, picture) for reader in readers)
        pairs.append((old, new))
    print(f"{len(pairs)} pictures, best of {wanted.tries}")
    for kind, meaning in KINDS.items():
        print(f"{meaning:36} {_compared(kind, pairs)}")


def _compared(kind: str, pairs: Sequence[tuple[Times, Times]]) -> str:
    if kind in ("photo", "doubtful"):
        found = [(old["photo"], new["photo"]) for old, new in pairs if new["doubtful"] is (kind == "doubtful")]
    elif kind == "close":
        found = [(o, n) for old, new in pairs if (o := old["close"]) is not None and (n := new["close"]) is not None]
    else:
        found = [(old["frame"], new["frame"]) for old, new in pairs]
    if not found:
        return "none"
    table = np.array(found)
    median, most = np.quantile(table[:, 1] / table[:, 0], (0.5, 0.9))
    old, new = np.median(table, axis=0)
    total = table[:, 1].sum() / table[:, 0].sum()
    return (
        f"{len(found):4}   {old:7.1f} → {new:7.1f} ms (medians)   ×{median:.2f}, 90 %: ×{most:.2f}, in all ×{total:.2f}"
    )


def _started(root: Path, tries: int) -> subprocess.Popen[str]:
    """A process that reads pictures with the code and the networks of a checkout."""
    command = [sys.executable, str(Path(__file__).resolve()), "--reads", "--tries", str(tries)]
    return subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _asked(reader: subprocess.Popen[str], picture: Path) -> Times:
    assert reader.stdin is not None
    assert reader.stdout is not None
    print(picture, file=reader.stdin, flush=True)
    times: Times = json.loads(reader.stdout.readline())
    return times


def _read(pictures: IO[str], tries: int) -> None:
    """Times for each picture named, one line of JSON each, by the version that lies in the working folder."""
    from companion.bench.frame import as_frame
    from vision.dice import detector as code
    from vision.sources.jpeg import decode

    detector = code.Detector(Path("models"))
    disagree = getattr(code, "doubtful", None)  # versions without it look once
    for line in pictures:
        path = Path(line.strip())
        image = decode(path.read_bytes(), str(path))
        frame = as_frame(image)
        dice = detector.detect(image, thorough=True).xyxy
        times: Times = {
            "photo": _best(tries, partial(detector.detect, image, thorough=True)),
            "close": _best(tries, partial(detector.read, image, dice, thorough=True)) if len(dice) else None,
            "frame": _best(tries, partial(detector.detect, frame)),
            "doubtful": bool(disagree(detector.detect_once(image))) if disagree is not None else None,
        }
        print(json.dumps(times), flush=True)


def _best(tries: int, look: Callable[[], object]) -> float:
    """Milliseconds, the least of so many."""
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        look()
        took.append(1000 * (time.perf_counter() - began))
    return min(took)


if __name__ == "__main__":
    main()
