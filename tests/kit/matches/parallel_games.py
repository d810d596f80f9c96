"""Plays many games in parallel processes, and resumes from completed ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Played = TypeVar("Played")


def in_parallel(
    play: Callable[[int], Played], games: int, keep: Path | None = None, processes: int = 2
) -> Iterator[Played]:
    """The results of the games 0, 1, … in order. Processes are spawned, because this one may have threads.

    Args:
        play: Picklable; its result must be JSON data.
        keep: A file with one JSON line for each completed game (tuples become lists), extended by new ones.
    """
    kept = keep.read_text(encoding="utf-8").splitlines()[:games] if keep is not None and keep.exists() else []
    yield from map(json.loads, kept)
    left = range(len(kept), games)
    if not left:
        return
    with ProcessPoolExecutor(min(processes, len(left)), get_context("spawn")) as pool:
        for played in pool.map(play, left, chunksize=max(1, min(10, len(left) // 4))):
            if keep is not None:
                keep.parent.mkdir(parents=True, exist_ok=True)
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(played) + "\n")
            yield played
