"""The bundled demo game: a film of a table, and what the people at it enter on the page meanwhile."""

from __future__ import annotations

import json
from dataclasses import dataclass

from companion.game.recording import Recording
from companion.game.table import Table
from companion.resources import resource
from engine.record_text import read_record
from vision.types import Reading


@dataclass(frozen=True, slots=True)
class Demo:
    """The film's path, its game, who plays, and (seconds, line) of everything a person enters."""

    film: str
    game: str
    players: tuple[str, ...]
    entered: tuple[tuple[float, str], ...]


def bundled_demo() -> Demo:
    """The demo that travels with the program. Raises FileNotFoundError naming what is missing."""
    told = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    entered = tuple((float(moment["seconds"]), str(moment["line"])) for moment in told["person"])
    record = read_record(resource("datasets", "demo", "demo.txt").read_text(encoding="utf-8"))
    return Demo(str(resource("datasets", "demo", "demo.mp4")), record.game.ID, record.players, entered)


class DemoHand:
    """Sees for the demo's table, and enters what people enter at the moment of the film at which they do."""

    def __init__(self, demo: Demo, table: Table) -> None:
        self.table = table
        self.over = False
        self._waiting = list(demo.entered)
        self._recording = Recording(table, tell=lambda line: None, complain=lambda sentence: None)

    def see(self, reading: Reading) -> None:
        """One reading of the film."""
        while self._waiting and self._waiting[0][0] <= reading.seconds:
            self._recording.typed(self._waiting.pop(0)[1])
        self._recording.see(reading)

    def finish(self) -> None:
        """The film is over."""
        self._recording.finish()
        self.over = True
