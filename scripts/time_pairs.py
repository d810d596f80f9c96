"""Compares the speed of photos, refined passes and live frames with another version: `python -m scripts.time_pairs
--old DIR`.

DIR is a checkout of that version (`git worktree add --detach DIR COMMIT`). Each version runs in its own process, one at
a time. Both read every image in turn, `--tries` times, and the best time of each counts. It prints the median and the
90th percentile over the images of new time / old time, and the sums. A photo is doubtful if the newer version runs more
than one pass. Use an idle computer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from tests.kit.options import PHOTOS, run

ROOT = Path(__file__).resolve().parent.parent
KINDS = {
    "photo": "photos that are not doubtful",
    "doubtful": "photos that are",
    "close": "close looks at all dice of a photo",
    "frame": "frames of 1280×720",
}


class Times(TypedDict):
    """Milliseconds for one image. `doubtful`: it had a second pass; None if the version never does that."""

    photo: float
    close: float | None
    frame: float
    doubtful: bool | None


def main(
    old: Path,
    photos: Path = PHOTOS,
    set: str = "dev",
    every: int = 6,
    tries: int = 3,
) -> None:
    """Reads every image with both versions and prints the ratios of their times.

    Args:
        old: A checkout of the other version.
        photos: Folder with dev/.
        set: The folder in it.
        every: Only every n-th image.
    """
    from tests.kit.evaluation.photos import labelled

    pictures = labelled(photos / set)[::every]
    readers = [_started(root, tries) for root in (old.resolve(), ROOT)]
    pairs = []
    for picture in pictures:
        before, after = (_asked(reader, picture) for reader in readers)
        pairs.append((before, after))
    print(f"{len(pairs)} pictures, best of {tries}")
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
    """A process that reads images with the code and the networks of a checkout."""
    command = [sys.executable, str(Path(__file__).with_name("timed_reads.py")), str(tries)]
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


if __name__ == "__main__":
    run(main)
