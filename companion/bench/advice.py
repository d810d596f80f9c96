"""`courtside bench advice`: speed of the odds, time of the advice, and playing strength of the advisor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.plugins import plugins


def report(games: int, positions: int, seed: int, keep: Path | None = None, processes: int = 2) -> Iterator[str]:
    """Yields the lines of the benchmark as they are computed. `games` is the number of games in each match."""
    for one in plugins():
        if one.bench is not None:
            yield from one.bench()(games, positions, seed, keep, processes)
