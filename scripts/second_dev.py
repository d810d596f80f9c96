"""Writes `datasets/second_dev.csv`: `python -m scripts.second_dev --photos DIR`.

The names of the pictures of `DIR/train` that are put aside (`companion/bench/second_dev.py` says which), with a hash of
each. It refuses to where a picture listed before has changed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
from pathlib import Path

from companion.bench.second_dev import LIST, listed, put_aside


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    folder = parser.parse_args().photos / "train" / "images"
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in sorted(folder.iterdir())
        if put_aside(path.stem)
    }
    before = listed(LIST) if LIST.exists() else {}
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
