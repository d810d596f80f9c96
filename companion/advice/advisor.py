"""The advice on the running game: what the adviser has found, and when the pages show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from companion.advice.chances import Chances
from companion.advice.ending import Once, Turning, TurningPoints
from companion.advice.lookahead import Ahead
from companion.advice.worker import Adviser
from companion.game.session import GameSession
from engine.advice.words import BUY, BUY_NOTHING
from engine.krone.state import State

AdviceWhen = Literal["now", "after", "off"]


def followed(before: Any, chances: Chances, now: Any) -> bool | None:
    """Whether a player of Um Krone und Kragen did what was advised in `before`; None where that cannot be told."""
    if not isinstance(before, State) or not isinstance(now, State):
        return None
    said = chances.advice[0]
    if said.template in (BUY, BUY_NOTHING):
        taken = [card for card in now.tableau(before.seat) if card not in before.tableau(before.seat)]
        return taken == [said.values[name] for name in ("card",) if name in said.values]
    kept = sorted((*before.turn.kept, *chances.set_aside))
    if not chances.set_aside or now.seat != before.seat or len(now.turn.kept) <= len(before.turn.kept):
        return None
    return sorted(now.turn.kept) == kept


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
        """Whose decision the advice shown afterwards was for, and whether they followed it, None where that cannot be
        told. The seat's letter; None while the advice is not shown afterwards."""
        earlier = self._earlier
        if self._when != "after" or earlier is None or not earlier[1].advice:
            return None
        return earlier[0].seat, followed(*earlier, self._session.position())

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
