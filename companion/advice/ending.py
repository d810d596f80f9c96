"""The end of a game: winner, last dice of each player, and the turning point."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from companion.advice.win_curve import WinChancesAt, winning_course
from engine.dice import Faces
from engine.registry import SEATS
from engine.replay import Replay

_MOST_SECONDS = 90.0  # time limit for one game


@dataclass(frozen=True, slots=True)
class LastDice:
    """The dice at the end of a player's last turn, in descending order."""

    seat: str
    name: str
    dice: Faces


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn that gained the winner most.

    Attributes:
        first, last: Its events (1, 2, …).
        round: Its round.
        name: The player on turn.
        before, after: The winner's win probability.
    """

    first: int
    last: int
    round: int
    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a finished game.

    Attributes:
        seats: Of the winner, or of all players who tie.
        winner: Their names.
        rounds: Number of rounds.
        cards: The winner's cards; of the first seat after a tie.
    """

    seats: tuple[str, ...]
    winner: str
    tie: bool
    rounds: int
    cards: tuple[str, ...]
    last_dice: tuple[LastDice, ...]


def ending(replay: Replay) -> Ending | None:
    """The end of this game; None while it is running."""
    state, record = replay.state, replay.record
    if replay.broken or not state.finished:
        return None
    seats = state.winners
    cards = tuple(replay.game.tableaux(state)[SEATS.index(seats[0])])
    return Ending(seats, " & ".join(map(record.name, seats)), len(seats) > 1, state.round, cards, _last_dice(replay))


def _last_dice(replay: Replay) -> tuple[LastDice, ...]:
    found: dict[str, Faces] = {}
    for state in replay.states:
        active, kept = replay.game.on_table(state)
        if active or kept:
            found[state.seat] = (*active, *kept)
    names = zip(SEATS, replay.record.players, strict=False)
    return tuple(
        LastDice(seat, name, tuple(sorted(found[seat], reverse=True))) for seat, name in names if seat in found
    )


def turning_point(replay: Replay, course: tuple[WinChancesAt, ...]) -> TurningPoint | None:
    """The turn that raised the winner's win probability most.

    None if it never rose, the course is incomplete or the game is a tie.
    """
    if len(replay.state.winners) != 1 or len(course) < 2 or course[-1].name:
        return None
    place = SEATS.index(replay.state.winners[0])
    rises = [after.chances[place] - before.chances[place] for before, after in pairwise(course)]
    best = max(range(len(rises)), key=rises.__getitem__)
    if rises[best] <= 0:
        return None
    before, after = course[best], course[best + 1]
    return TurningPoint(
        before.moment + 1, after.moment, before.round, before.name, before.chances[place], after.chances[place]
    )


class Once(Protocol):
    """A cache that computes each value only once, even if several threads ask at the same time."""

    def once(self, key: Hashable, draw: Callable[[], Any]) -> Any:
        """The value for this key, computed by `draw` if missing."""


class TurningPoints:
    """Turning points of finished games, computed in the background.

    Args:
        cache: Keeps the course of a game under `("chances", its record)`.
        announce: Called when one more is known.
    """

    def __init__(self, cache: Once, announce: Callable[[], None]) -> None:
        self._cache, self._tell = cache, announce
        self._found: dict[str, TurningPoint | None] = {}
        self._lock = threading.Lock()
        self._thinking = ThreadPoolExecutor(1, "turning point")

    def of(self, replay: Replay) -> TurningPoint | None:
        """The turning point; None while it is being computed or if there is none."""
        if replay.broken or not replay.state.finished:
            return None
        text = replay.text()
        with self._lock:
            if text in self._found:
                return self._found[text]
            if len(self._found) > 8:
                self._found.clear()
            self._found[text] = None
        with suppress(RuntimeError):  # the application is closing
            self._thinking.submit(self._think, text, replay)
        return None

    def close(self) -> None:
        """Stops computing."""
        self._thinking.shutdown(wait=False, cancel_futures=True)

    def _think(self, text: str, replay: Replay) -> None:
        until = time.monotonic() + _MOST_SECONDS
        course = self._cache.once(("chances", text), lambda: winning_course(replay, lambda: time.monotonic() > until))
        with self._lock:
            self._found[text] = turning_point(replay, course)
        self._tell()
