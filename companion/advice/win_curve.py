"""Every player's win probability over the course of a recorded game, from the same value function as live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from companion.plugins import plugin
from engine.advice.deadline import Expired
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class WinChancesAt:
    """The win probabilities at the start of a turn.

    Attributes:
        moment: Number of events before it.
        name: The player on turn, "" after the game.
    """

    moment: int
    round: int
    name: str
    chances: tuple[float, ...]


def win_curve(replay: Replay, expired: Callable[[], bool]) -> tuple[WinChancesAt, ...]:
    """The win probabilities at the start of each turn and at the end of the game.

    Stops early when `expired` returns true, because the odds of some turns take long. () for a game without win
    probabilities.
    """
    found: list[WinChancesAt] = []
    win_chances = plugin(replay.game.ID).win_chances
    if win_chances is None:
        return ()
    for moment in sorted({0, *_turns(replay), len(replay.states) - 1}):
        state = replay.states[moment]
        try:
            if expired():
                raise Expired
            chances = win_chances(state, expired)
        except Expired:
            break
        name = "" if state.finished else replay.record.name(replay.game.on_turn(state))
        found.append(WinChancesAt(moment, state.round, name, chances))
    return tuple(found)


def _turns(replay: Replay) -> Iterator[int]:
    """The moments at which turns begin, without the first."""
    whose = [(replay.game.on_turn(state), state.round) for state in replay.states]
    for moment, (before, now) in enumerate(pairwise(whose), 1):
        if before != now:
            yield moment
