"""Measurements over many photos that continue after an interruption."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TypeVar

Counts = TypeVar("Counts")


def shuffled(paths: Iterable[Path]) -> list[Path]:
    """The photos in the order of a hash of their names, so that the first ones of every run are the same random
    sample."""
    return sorted(paths, key=lambda path: hashlib.sha256(path.name.encode()).digest())


def continued(
    file: Path, kind: type[Counts], measured: Callable[[Container[str]], Iterator[Counts]], most: int | None = None
) -> list[Counts]:
    """The counts of the photos in a file, one JSON object per line, and of those that `measured` adds to it.

    Args:
        kind: A dataclass with a field `name`.
        measured: Receives the names that are in the file already.
        most: Stop when the file has this many photos.
    """
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    known = [json.loads(line) for line in lines]
    counts = [kind(**one) for one in known]
    with file.open("a", encoding="utf-8") as out:
        missing = None if most is None else max(0, most - len(counts))
        for one in islice(measured({str(one["name"]) for one in known}), missing):
            print(json.dumps(asdict(one)), file=out, flush=True)  # type: ignore[call-overload]
            counts.append(one)
    return counts
