"""Advice on the current game, and when the pages show it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, Protocol

from companion.advice.background import Background
from companion.advice.budget import Budget, Chances
from companion.advice.ending import TurningPoint, turning_point
from companion.advice.win_curve import win_curve
from companion.game.session import GameSession
from companion.plugins import plugin

AdviceWhen = Literal["now", "after", "off"]
_TURN_SECONDS, _MAX_TURNS = 5.0, 64  # for the odds of one turn; turns kept: all players, some rounds
_CURVE_SECONDS, _MAX_CURVES = 90.0, 8  # for the win probabilities over one game; games kept


class Cache(Protocol):
    """A cache that computes each value only once, even if several threads ask at the same time."""

    def get_or_compute(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """The value for this key, computed by `compute` if missing."""


class Advisor:
    """The advice on the current game's state.

    Attributes:
        ahead: Odds of the next turns, by game-specific questions.
        when: When the advice is shown.
    """

    def __init__(self, session: GameSession, win_curves: Cache) -> None:
        """Prepares the advisor.

        Args:
            win_curves: Cache of win probabilities over finished games, under ("chances", the game's record).
        """
        self._session, self._win_curves = session, win_curves
        self.ahead: Background[Any] = Background("ahead", _TURN_SECONDS, _MAX_TURNS, session.board_changed)
        self._turning_points: Background[TurningPoint | None] = Background(
            "turning point", _CURVE_SECONDS, _MAX_CURVES, session.board_changed
        )
        self._current: tuple[Any, Chances] | None = None  # a state and the advice on it so far
        self._previous: tuple[Any, Chances] | None = None  # the same for the previous state
        self._completed: Any = None  # the last state on which nothing is left to compute
        self.when: AdviceWhen = "now"

    def start(self) -> None:
        """Starts a thread that computes advice for each state of the current game. A newer state interrupts it."""
        threading.Thread(target=self._run, name="adviser", daemon=True).start()

    def _run(self) -> None:
        pool, broadcast, position = ThreadPoolExecutor(2, "odds"), self._session.broadcast, self._session.position
        latest = done = None
        while not broadcast.closed:
            latest = broadcast.wait(latest, timeout=1.0) or latest
            state = position()
            if state is None or state == done:
                continue
            done = state
            think = plugin(state.GAME).think
            if think is not None:
                for chances in think(state, Budget(lambda was=state: position() == was, pool.map)):  # type: ignore[misc]
                    self._advise(state, chances)
            self.mark_completed(state)

    def _advise(self, position: Any, chances: Chances) -> None:
        """Stores the advice computed so far for this state."""
        if self._current is not None and self._current[0] != position:
            self._previous = self._current
        self._current = (position, chances)
        self._session.board_changed()

    def mark_completed(self, position: Any) -> None:
        """Records that all of this state's advice has been computed; some states have none."""
        self._completed = position
        current = self._current
        if current is None or current[0] != position or not current[1].advice:
            self._session.board_changed()  # the page still says that the advice is being calculated

    def calculating(self) -> bool:
        """Whether advice on the current state is wanted and not complete yet."""
        position = self._session.position()
        return self.when == "now" and position is not None and position != self._completed

    def chances(self) -> Chances | None:
        """The advice on the current state that may be shown; None while there is none."""
        current = self._current
        if current is None or current[0] != self._session.position():
            return None
        if self.when == "now":
            return current[1]
        advice = self._previous[1].advice if self._previous and self.when == "after" else ()
        return replace(current[1], advice=advice, why_not=(), set_aside=())

    def last_decision(self) -> tuple[str, bool | None] | None:
        """The seat of the last decision and whether it followed the advice (None if unknown). None unless advice is
        shown after decisions."""
        previous = self._previous
        if self.when != "after" or previous is None or not previous[1].advice:
            return None
        before, now = previous[0], self._session.position()
        followed = plugin(before.GAME).followed
        if followed is None or type(now) is not type(before):  # another game may have started
            return before.seat, None
        return before.seat, followed(before, previous[1], now)

    def show(self, when: AdviceWhen) -> None:
        """Shows advice now, only after each decision, or never."""
        self.when = when
        self._session.board_changed()

    def dice_to_set_aside(self) -> tuple[int, ...]:
        """Faces of the dice that the advice would set aside now."""
        current = self.chances()
        return current.set_aside if current else ()

    def turning_point(self) -> TurningPoint | None:
        """The turning point of the finished game on the table; None while it is being computed or if there is none."""
        running = self._session.running
        if running is None or running.table.broken or not running.table.state.finished:
            return None
        replay = running.table.replay
        key = ("chances", replay.text())
        return self._turning_points.answer(
            key,
            lambda expired: turning_point(
                replay, self._win_curves.get_or_compute(key, lambda: win_curve(replay, expired))
            ),
        )

    def close(self) -> None:
        """Stops computing."""
        self.ahead.close()
        self._turning_points.close()
