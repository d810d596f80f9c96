"""The adviser's thread: thinks about each new position; a newer one interrupts it."""

from __future__ import annotations

import threading
import time
from typing import Any

from companion.room import Room
from companion.scoreboard import Chances
from engine.advice.goals import GOALS, Threshold
from engine.advice.kernel import Expired
from engine.advice.odds import BEAT, odds
from engine.advice.position import Position
from engine.krone.state import State, for_sale

_SECONDS = 5.0  # no position is thought about for longer


class Adviser:
    """Advises one room until the room is closed."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._thread = threading.Thread(target=self._run, name="adviser", daemon=True)

    def start(self) -> None:
        """Begin to think."""
        self._thread.start()

    def _run(self) -> None:
        thought_about: Any = None
        edition = None
        while not self._room.news.closed:
            edition = self._room.news.after(edition, timeout=1.0) or edition
            state = self._room.position()
            if not isinstance(state, State) or state == thought_about:
                continue
            thought_about = state
            chances = self._think(state)
            if chances is not None:
                self._room.advise(state, chances)

    def _think(self, state: State) -> Chances | None:
        """What is known of a position; None when it changed in the meantime."""
        if state.finished:
            return Chances()
        until = time.monotonic() + _SECONDS

        def expired() -> bool:
            return time.monotonic() > until or self._room.position() != state

        threshold = Threshold(*state.threshold) if state.final and state.threshold else None
        goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
        try:
            found = odds(Position.of(state), goals, threshold, expired=expired)
        except Expired:
            return None
        chances = {goal: chance.p for goal, chance in found.items()}
        beat = chances.pop(BEAT, None)
        return Chances(cards=chances, beat=beat)
