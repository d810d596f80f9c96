"""Compares the dice on the table with the record: their number, and whether they rest as recorded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from companion.game.referee.distances import SAME_STAY, distance
from companion.game.referee.stays import Stay
from companion.game.timeline import Timeline
from companion.plugins import plugin
from engine.dice import union
from vision.types import Reading, SeenDie


def due(state: Any) -> int:
    """The number of dice that rest on the table after a roll, as far as the record says; the smallest of several
    possible numbers."""
    return plugin(state.GAME).expected_dice(state)


def on_record(timeline: Timeline, reading: Reading) -> bool:
    """Whether the dice rest as the record already says: entered by a person, or from before a restart."""
    seen = union(reading.active, reading.kept)
    for state in reversed(timeline.replay.states):
        on_table = union(*timeline.game.on_table(state))
        if on_table:
            return seen == on_table
    return False


def without(reading: Reading, idle: Collection[Stay]) -> Reading:
    """The reading without the dice in the places of these stays, which are not part of the game."""

    def is_idle(die: SeenDie) -> bool:
        here = (stay for stay in idle if distance(stay.box, die.xyxy) < SAME_STAY)
        return any(stay.track == die.track or stay.value == die.value for stay in here)

    return replace(reading, dice=tuple(die for die in reading.dice if not is_idle(die)))
