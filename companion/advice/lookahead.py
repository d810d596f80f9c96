"""Odds of every player's next turn, computed in the background and never while a board is rendered."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from engine.advice.deadline import Expired
from engine.krone.advice.odds import odds
from engine.krone.advice.position import Position
from engine.krone.advice.tables import QUICK_CELLS

Chances = tuple[tuple[str, float], ...]
_TURN_SECONDS = 5.0  # time limit for one turn
_MOST_KEPT = 64  # states: five players, some rounds


class Lookahead:
    """Odds by state; the newest are kept. `known` is called when one more is computed."""

    def __init__(self, known: Callable[[], None]) -> None:
        self._tell = known
        self._kept: OrderedDict[tuple[Position, tuple[str, ...]], Chances | None] = OrderedDict()
        self._lock = threading.Lock()
        self._thinking = ThreadPoolExecutor(1, "ahead")

    def chances(self, position: Position, goals: tuple[str, ...]) -> Chances:
        """Card and probability for each goal; () while being computed, or if that takes too long."""
        key = (position, goals)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key] or ()
            self._kept[key] = None
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        with suppress(RuntimeError):  # the application is closing
            self._thinking.submit(self._think, position, goals)
        return ()

    def close(self) -> None:
        """Stops computing."""
        self._thinking.shutdown(wait=False, cancel_futures=True)

    def _think(self, position: Position, goals: tuple[str, ...]) -> None:
        until = time.monotonic() + _TURN_SECONDS
        try:
            found = odds(position, goals, expired=lambda: time.monotonic() > until, most_cells=QUICK_CELLS)
        except Expired:
            return
        with self._lock:
            self._kept[position, goals] = tuple((goal, chance.p) for goal, chance in found.items())
        self._tell()
