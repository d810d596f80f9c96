"""Who was winning when: every player's chance over the course of a recorded game, by the same worth as live."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from companion.advice.worth import knatsch_worth, worth_table
from engine.advice.kernel import Expired
from engine.advice.winning import win_chances
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
            if expired():
                raise Expired
            chances = _CHANCES[replay.game.ID](state, expired)
        except Expired:
            break
        name = "" if state.finished else replay.record.name(replay.game.on_turn(state))
        found.append(Standing(moment, state.round, name, chances))
    return tuple(found)


_CHANCES: Mapping[str, Callable[[Any, Callable[[], bool]], tuple[float, ...]]] = {
    "krone": lambda state, expired: win_chances(state, worth_table(), expired),
    "knatsch": lambda state, expired: knatsch_worth().of(state),
}


def _turns(replay: Replay) -> Iterator[int]:
    """The moments at which turns begin, but for the first."""
    whose = [(replay.game.on_turn(state), state.round) for state in replay.states]
    for moment, (before, now) in enumerate(pairwise(whose), 1):
        if before != now:
            yield moment
