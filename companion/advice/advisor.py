"""The advice on the running game: what the adviser has found, and when the pages show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from companion.advice.chances import Chances
from companion.advice.ending import Once, Turning, TurningPoints
from companion.advice.lookahead import Ahead
from companion.advice.worker import Adviser
from companion.game.session import GameSession
from companion.plugins import plugin

AdviceWhen = Literal["now", "after", "off"]


class Advisor:
    """What is known of the running game's position.

    Attributes:
        ahead: what the next turns promise.
    """

    def __init__(self, session: GameSession, win_curves: Once) -> None:
        """win_curves: keeps the win chances over finished games, for the turn in which each was decided."""
        self._session = session
        self.ahead = Ahead(session.board_changed)
        self._turning_points = TurningPoints(win_curves, session.board_changed)
        self._known: tuple[Any, Chances] | None = None  # a position, and what is known of it
        self._earlier: tuple[Any, Chances] | None = None  # the same of the position before it
        self._when: AdviceWhen = "now"

    def start(self) -> None:
        """Think about each position of the running game, in a thread of its own."""
        Adviser(self._session.broadcast, self._session.position, self.advise).start()

    def advise(self, position: Any, chances: Chances) -> None:
        """This is known of this position now."""
        if self._known is not None and self._known[0] != position:
            self._earlier = self._known
        self._known = (position, chances)
        self._session.board_changed()

    def chances(self) -> Chances | None:
        """What is known of the present position and shown now, None while it is still being thought about."""
        known = self._known
        if known is None or known[0] != self._session.position():
            return None
        if self._when == "now":
            return known[1]
        said = self._earlier[1].advice if self._earlier and self._when == "after" else ()
        return replace(known[1], advice=said, why_not=(), set_aside=())

    def last_decision(self) -> tuple[str, bool | None] | None:
        """Seat of the decision that the advice shown afterwards was for, and whether the player followed it (None where
        that is unknown). None while the advice is not shown afterwards."""
        earlier = self._earlier
        if self._when != "after" or earlier is None or not earlier[1].advice:
            return None
        before, now = earlier[0], self._session.position()
        followed = plugin(before.GAME).followed
        if followed is None or type(now) is not type(before):  # another game may have begun
            return before.seat, None
        return before.seat, followed(before, earlier[1], now)

    @property
    def when(self) -> AdviceWhen:
        """When the advice is shown."""
        return self._when

    def show(self, when: AdviceWhen) -> None:
        """Show the advice now, only after the decision it was for, or not at all."""
        self._when = when
        self._session.board_changed()

    def dice_to_set_aside(self) -> tuple[int, ...]:
        """What the advice would set aside now."""
        known = self.chances()
        return known.set_aside if known else ()

    def turning_point(self) -> Turning | None:
        """Of the finished game on the table; None while it is being thought about, and where there is none."""
        running = self._session.running
        return None if running is None else self._turning_points.of(running.table.replay)

    def close(self) -> None:
        """Think no more."""
        self.ahead.close()
        self._turning_points.close()
