"""Who was winning when: every player's chance over the course of a recorded game, by the same worth as live."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.advice.winning import win_chances
from engine.advice.worth import WorthTable
from engine.krone.events import Buy, Pass
from engine.krone.state import State
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Standing:
    """The chances when a turn began. moment: events played before; name: whose turn begins, "" after the game."""

    moment: int
    round: int
    name: str
    chances: tuple[float, ...]


def winning_course(replay: Replay, worth: WorthTable, expired: Callable[[], bool]) -> tuple[Standing, ...]:
    """One standing a turn of a game of Um Krone und Kragen, and one for its end.

    Stops early once `expired` says so: odds in the final round take their time.
    """
    found: list[Standing] = []
    for moment in _turns(replay):
        if expired():
            break
        state: State = replay.states[moment]
        name = "" if state.finished else replay.record.name(state.seat)
        found.append(Standing(moment, state.round, name, win_chances(state, worth)))
    return tuple(found)


def _turns(replay: Replay) -> Sequence[int]:
    """The moments at which turns begin, and the last one."""
    last = len(replay.states) - 1
    ended = [i for i, entry in enumerate(replay.record.entries[:last], 1) if isinstance(entry.event, Buy | Pass)]
    return sorted({0, *ended, last})
