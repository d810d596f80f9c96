"""The table, whose dice stay where they are while the program is down, and the game played on it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from engine.krone.events import Buy, Event, Keep, Pass, Roll
from engine.krone.rules import play
from engine.krone.state import RULESETS, new_game
from engine.record import Entry
from engine.record_header import new_record
from engine.record_text import entry_text
from tests.kit.laid_table import LaidTable
from tests.kit.script import steps
from vision.types import Reading


def script(seed: int, events: int) -> str:
    """The events of an unambiguous random game of Anna and Bert: no cards used, no purchases left open.

    It does not end with dice set aside, because these may still change and so are not on record yet.
    """
    dice, state = random.Random(seed), new_game(2, RULESETS["amigo2006"])
    record = new_record("krone", ("Anna", "Bert"))
    lines: list[str] = []
    while not state.finished and (len(lines) < events or lines[-1][2:].startswith("keep")):
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
    """Dice on a table that advances one step at a time. `lines`: all events of the game."""

    def __init__(self, seed: int, events: int = 120) -> None:
        self._table = LaidTable(seed)
        self._rolls_before = self._rolls_unseen = 0
        text = script(seed, events)
        self.lines = text.splitlines()
        self._steps = steps(text)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yields a message for every move of the game."""
        for step in self._table.perform(self._steps):
            yield {"enter": step} if isinstance(step, str) else {"reading": self._seen(step)}

    def look(self) -> dict[str, Any]:
        """The reading of a restarted camera: the same dice, none rolling, and rolls counted from 0."""
        self._rolls_unseen = self._table.throw_count
        self._rolls_before = self._table.throw_count - (1 if self._table.dice else 0)
        return {"reading": self._seen(self._table.read())}

    def unrecorded(self, shown: list[str]) -> list[str]:
        """The played lines up to the last roll that the page does not show.

        A restarted camera sees dice that rest, but neither the roll nor when dice were set aside before it.
        """
        rolls = [number for number, line in enumerate(self.lines, 1) if " roll " in line]
        return self.lines[len(shown) : rolls[self._table.throw_count - 1]] if self._table.throw_count else []

    def _seen(self, reading: Reading) -> dict[str, Any]:
        dice = tuple(
            replace(die, rested_since=None, rolled=0.5)
            if die.rested_since is not None and die.rested_since <= self._rolls_unseen
            else replace(die, rested_since=None if die.rested_since is None else die.rested_since - self._rolls_before)
            for die in reading.dice
        )
        return asdict(replace(reading, dice=dice, rolls=reading.rolls - self._rolls_before))
