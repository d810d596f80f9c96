"""A third of every training set put aside: nobody trains on it, and nobody tunes on it.

The photos that `dev` holds have been looked at so often that thresholds fit them. Which pictures are put aside is
decided by their names alone: copies of one photo (some sets hold up to three, cropped and blurred) go together. The
list with a hash of each lies in `datasets/second_dev.csv`; `python -m scripts.training.second_dev --photos DIR` writes
it anew, and refuses to where a listed picture has changed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import re
from functools import cache
from pathlib import Path

from scripts.simulation.drawn.photos import Photo, load_photos

LIST = Path(__file__).resolve().parents[2] / "datasets" / "second_dev.csv"
ONE_IN = 3
SETS = ("byler", "catan", "desk", "ivory", "laptop", "mixed", "piles", "pxl", "scope")
_COPIES = {"catan", "desk", "pxl", "scope"}  # sets whose names end in a hash that tells copies of one photo apart
_COPY = re.compile(r"_[0-9a-f]{4,6}$")


def put_aside(name: str) -> bool:
    """Whether the picture of this name (without its suffix) belongs to the second development set."""
    source = name.split("__")[0]
    if source not in SETS:
        return False
    photo = _COPY.sub("", name) if source in _COPIES else name
    return hashlib.sha256(photo.encode()).digest()[0] % ONE_IN == 0


@cache
def listed() -> dict[str, str]:
    """File names of the pictures put aside, and the first 16 digits of each one's SHA-256."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return {row["file"]: row["sha256"] for row in csv.DictReader(lines)}


def load_lessons(folder: Path, cache: Path, *, without: frozenset[str] = frozenset()) -> list[Photo]:
    """What `load_photos` loads, without the pictures put aside: these are never taught."""
    return [photo for photo in load_photos(folder, cache, without=without) if not put_aside(photo.name)]


def hash_of(picture: Path) -> str:
    """As in the list."""
    return hashlib.sha256(picture.read_bytes()).hexdigest()[:16]


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--photos", type=Path, required=True)
    folder = parser.parse_args().photos / "train" / "images"
    files = {path.name: hash_of(path) for path in sorted(folder.iterdir()) if put_aside(path.stem)}
    before = listed() if LIST.exists() else {}
    changed = [name for name in files.keys() & before.keys() if files[name] != before[name]]
    if changed:
        raise SystemExit(f"{len(changed)} pictures are not those that were put aside: {', '.join(sorted(changed)[:5])}")
    with LIST.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("file", "sha256"))
        writer.writerows(sorted((before | files).items()))
    print(f"{len(files)} pictures put aside in {LIST}")


if __name__ == "__main__":
    main()
