"""Who was winning when: every player's chance over the course of a recorded game, by the same worth as live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.advice.worth import knatsch_worth, worth_table
from engine.advice.kernel import Expired
from engine.advice.winning import win_chances
from engine.knatsch.state import State as KnatschState
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


def winning_course(replay: Replay, expired: Callable[[], bool]) -> tuple[Standing, ...]:
    """One standing a turn, and one for the end of the game.

    Stops early once `expired` says so: odds in the final round of Um Krone und Kragen take their time.
    """
    found: list[Standing] = []
    for moment in sorted({0, *_turns(replay), len(replay.states) - 1}):
        state = replay.states[moment]
        try:
            chances = _chances(state, expired)
        except Expired:
            break
        name = "" if state.finished else replay.record.name(_whose(state))
        found.append(Standing(moment, state.round, name, chances))
    return tuple(found)


def _chances(state: State | KnatschState, expired: Callable[[], bool]) -> tuple[float, ...]:
    if expired():
        raise Expired
    if isinstance(state, KnatschState):
        return knatsch_worth().of(state)
    return win_chances(state, worth_table(), expired)


def _whose(state: State | KnatschState) -> str:
    """Whose turn it is: in Knatsch somebody else may be the one to throw."""
    return state.turn if isinstance(state, KnatschState) else state.seat


def _turns(replay: Replay) -> Iterator[int]:
    """The moments at which turns begin, but for the first."""
    states = replay.states
    for moment, entry in enumerate(replay.record.entries[: len(states) - 1], 1):
        if isinstance(states[moment], KnatschState):
            before, after = states[moment - 1], states[moment]
            if (before.turn, before.round) != (after.turn, after.round):
                yield moment
        elif isinstance(entry.event, Buy | Pass):
            yield moment
