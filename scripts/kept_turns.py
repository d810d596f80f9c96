"""Turns with what was seen of them, kept in one file: what a referee is judged by without looking again.

    python -m scripts.measure_table --turns 1500 --seed 7 --hurried --fps 8 --observations local/hurried-8.seen

draws the turns once and keeps them (about 10 kB a turn). The same command with the file there judges what the file
holds: every referee sees exactly the same readings, a thousand turns a minute. `read_turns` is the way in for scripts:

    for turn in read_turns(Path("local/hurried-8.seen")):
        table = table_for(turn.begun)
        questions = recorded(table, turn.seen)
        print(score(turn.begun, turn.lines, table, questions))

The file is a gzip of pickles, one a turn: read none that you did not write. It belongs into a folder that git ignores,
and becomes unreadable when a class in it moves to another module.
"""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kit.played_turns import Shown


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die on the table: its number, where it counts ("active", "kept"), its value (None: it rolls), its box."""

    number: int
    place: str
    value: int | None
    xyxy: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Lain:
    """What was true at one moment: the dice on the table, the throws so far."""

    throws: int
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """One turn. number: in its series; layout: what was known of the table; begun: the position before; lines: the
    truth, as in a record; seen: every reading, and the lines a person entered then; truths: what was true when the
    reading with the same place was made, as far as it is known (not of films)."""

    number: int
    layout: str
    begun: Any
    lines: tuple[str, ...]
    seen: tuple[Shown, ...]
    truths: tuple[Lain, ...] = ()


def keep_turns(file: Path, turns: Iterable[KeptTurn]) -> Iterator[KeptTurn]:
    """Hand the turns on and keep them; the file is there when the last has been handed on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    making = file.with_name(file.name + ".making")
    with gzip.open(making, "wb", compresslevel=6) as kept:
        for turn in turns:
            kept.write(pickle.dumps(turn, protocol=5))
            yield turn
    making.rename(file)


def read_turns(file: Path) -> Iterator[KeptTurn]:
    """The turns of a file that you wrote yourself."""
    with gzip.open(file, "rb") as kept:
        while True:
            try:
                turn: KeptTurn = pickle.load(kept)
            except EOFError:
                return
            yield turn
