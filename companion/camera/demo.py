"""The bundled demo game: a film of a table, and what its players enter on the page."""

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
    """The film's path, the players, and (seconds, line) of everything they enter."""

    film: str
    game: str
    players: tuple[str, ...]
    entered: tuple[tuple[float, str], ...]


def bundled_demo() -> Demo:
    """The demo installed with the program.

    Raises:
        FileNotFoundError: It is missing; the message names the file.
    """
    script = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    entered = tuple((float(moment["seconds"]), str(moment["line"])) for moment in script["person"])
    record = read_record(resource("datasets", "demo", "demo.txt").read_text(encoding="utf-8"))
    return Demo(str(resource("datasets", "demo", "demo.mp4")), record.game.ID, record.players, entered)


class DemoPlayer:
    """Processes the readings of the demo and enters the players' lines at the right time of the film."""

    def __init__(self, demo: Demo, table: Table) -> None:
        self.table = table
        self.ended = False
        self._entries = list(demo.entered)
        self._recording = Recording(table, output=lambda line: None, warn=lambda sentence: None)

    def see(self, reading: Reading) -> None:
        """Processes one reading of the film."""
        while self._entries and self._entries[0][0] <= reading.seconds:
            self._recording.typed(self._entries.pop(0)[1])
        self._recording.see(reading)

    def finish(self) -> None:
        """Handles the end of the film."""
        self._recording.finish()
        self.ended = True
