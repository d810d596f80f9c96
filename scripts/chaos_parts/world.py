"""The table that goes on lying there while the program dies: a game played on it, and the program that watches."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from engine.krone.events import Buy, Event, Keep, Pass, Roll
from engine.krone.rules import play
from engine.krone.state import RULESETS, new_game
from engine.record import Entry
from engine.record_header import new_record
from engine.record_text import entry_text
from tests.laid_table import LaidTable
from tests.simulated.script import steps
from vision.seen import Reading

ROOT = Path(__file__).resolve().parent.parent.parent


def script(seed: int, events: int = 120) -> str:
    """The events of a random game of Anna and Bert in which nothing is left to guess: no cards used, none left open."""
    dice, state = random.Random(seed), new_game(2, RULESETS["amigo2006"])
    record = new_record("krone", ("Anna", "Bert"))
    lines: list[str] = []
    while len(lines) < events and not state.finished:
        event: Event
        if state.turn.over:
            bought = state.purchases()
            event = Buy(dice.choice(bought)) if bought else Pass()
        elif state.turn.duty:
            most = max(state.turn.active, key=lambda face: (state.turn.active.count(face), face))
            event = Keep((most,) * state.turn.active.count(most))
        else:
            event = Roll(tuple(dice.randint(1, 6) for _ in range(state.to_roll)))
        lines.append(entry_text(record.game, Entry(state.seat, event)))
        state = play(state, state.seat, event)
    return "\n".join(lines)


class World:
    """Dice on a table, moved one step at a time. lines: every event of the game that is played."""

    def __init__(self, seed: int) -> None:
        self._table = LaidTable(seed)
        self._throws_before = 0
        text = script(seed)
        self.lines = text.splitlines()
        self._steps = steps(text)

    def messages(self) -> Iterator[dict[str, Any]]:
        """One for every move of the game."""
        for told in self._table.perform(self._steps):
            yield {"enter": told} if isinstance(told, str) else {"reading": self._seen(told)}

    def look(self) -> dict[str, Any]:
        """What a camera switched on again sees: the same dice, and a count of throws that begins anew."""
        self._throws_before = self._table.throw_count - (1 if self._table.dice else 0)
        return {"reading": self._seen(self._table.read())}

    def _seen(self, reading: Reading) -> dict[str, Any]:
        return asdict(replace(reading, throw=reading.throw - self._throws_before))


class Program:
    """The recorder as a process. Its answers are what the page would show."""

    def __init__(self, url: str, before: tuple[str, ...] = ()) -> None:
        self._url = url
        self.before = before  # words put before the command
        self.game: str | None = None
        self.shown: list[str] = []
        self.notices: list[str] = []
        self.start()

    def start(self) -> float:
        """Begin, or resume after a death; returns the seconds until the game is shown again."""
        began = time.monotonic()
        command = [*self.before, sys.executable, "-m", "scripts.chaos_parts.recorder", self._url]
        self._process = subprocess.Popen(
            [*command, *([self.game] if self.game else [])],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._read()
        return time.monotonic() - began

    def send(self, message: Mapping[str, Any]) -> None:
        """Tell, without waiting for the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Tell, and wait for what is shown then."""
        self.send(message)
        self._read()

    def kill(self) -> None:
        """As the power cut does it. What it had still shown counts as shown."""
        self._process.kill()
        assert self._process.stdout is not None
        for line in self._process.stdout.read().splitlines(keepends=True):
            if line.endswith("\n"):
                self._take(line)
        self._process.wait()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise RuntimeError(f"the program has ended by itself (status {self._process.wait()})")
        self._take(line)

    def _take(self, line: str) -> None:
        body = json.loads(line)
        self.shown, self.notices = body["lines"], body["notices"]
        self.game = body.get("game", self.game)
