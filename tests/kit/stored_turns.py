"""Stores simulated turns with their readings in one file, so that referees can be compared on identical readings.

    python -m scripts.measure_table --turns 1500 --seed 7 --hurried --fps 8 --observations local/hurried-8.seen

simulates the turns once and stores them (about 10 kB each). With the file in place the same command judges the stored
turns, a thousand a minute. Scripts use `read_turns`:

    for turn in read_turns(Path("local/hurried-8.seen")):
        table = table_for(turn.begun)
        questions = record_readings(table, turn.seen)
        print(score(turn.begun, turn.lines, table, questions))

The file is a gzip of pickles, one for each turn: never read a file that you did not write. Keep it in a folder that git
ignores. A file stored before its classes changed is refused.
"""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tests.kit.played_turns import Observation
from vision.types import Reading, SeenDie


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die on the table: its number, zone ("active", "kept"), value (None while rolling), and box."""

    number: int
    place: str
    value: int | None
    xyxy: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TableTruth:
    """The truth at one moment: the dice on the table, and the number of rolls so far."""

    rolls: int
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn.

    Attributes:
        number: In its series.
        layout: The zones known to the tracker.
        begun: The state before it.
        lines: The truth, as in a record.
        seen: Every reading, and the lines that a person entered then.
        truths: The truth at each reading, if known (not for films).
    """

    number: int
    layout: str
    begun: Any
    lines: tuple[str, ...]
    seen: tuple[Observation, ...]
    truths: tuple[TableTruth, ...] = ()


# Pickle would fill renamed attributes with other values, so each file begins with their names.
FORMAT = tuple(
    (kind.__name__, *(one.name for one in fields(kind))) for kind in (StoredTurn, TableTruth, Reading, SeenDie)
)


def store_turns(file: Path, turns: Iterable[StoredTurn]) -> Iterator[StoredTurn]:
    """Yields the turns and stores them; the file is complete when the last one has been yielded."""
    file.parent.mkdir(parents=True, exist_ok=True)
    making = file.with_name(file.name + ".making")
    with gzip.open(making, "wb", compresslevel=6) as stored:
        stored.write(pickle.dumps(FORMAT, protocol=5))
        for turn in turns:
            stored.write(pickle.dumps(turn, protocol=5))
            yield turn
    making.rename(file)


def read_turns(file: Path) -> Iterator[StoredTurn]:
    """The turns of a file that you wrote yourself.

    Raises:
        ValueError: The file was stored by other code.
    """
    with gzip.open(file, "rb") as stored:
        if pickle.load(stored) != FORMAT:
            raise ValueError(f"{file} was stored by other code; store it again")
        while True:
            try:
                turn: StoredTurn = pickle.load(stored)
            except EOFError:
                return
            yield turn
