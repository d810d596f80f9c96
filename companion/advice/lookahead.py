"""Odds of the next turns, computed in the background and never while a board is rendered."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from engine.advice.deadline import Expired

CardChances = tuple[tuple[str, float], ...]
"""Card and chance, for each card asked about."""
ComputeChances = Callable[[Callable[[], bool]], CardChances]
"""Whether its time is over → chances. Raises Expired."""
_TURN_SECONDS = 5.0  # time limit for one turn
_MOST_KEPT = 64  # questions: all players, some rounds


class Lookahead:
    """Odds by question; the newest are kept. `known` is called when one more is computed."""

    def __init__(self, known: Callable[[], None]) -> None:
        self._tell = known
        self._kept: OrderedDict[Hashable, CardChances | None] = OrderedDict()
        self._lock = threading.Lock()
        self._thinking = ThreadPoolExecutor(1, "ahead")

    def chances(self, question: Hashable, answer: ComputeChances) -> CardChances:
        """The answer to a question; () while it is being computed, or if that takes too long.

        Args:
            answer: Computes the answer. Its argument returns whether the time is over; it may raise Expired.
        """
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
                return self._kept[question] or ()
            self._kept[question] = None
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        with suppress(RuntimeError):  # the application is closing
            self._thinking.submit(self._think, question, answer)
        return ()

    def close(self) -> None:
        """Stops computing."""
        self._thinking.shutdown(wait=False, cancel_futures=True)

    def _think(self, question: Hashable, answer: ComputeChances) -> None:
        until = time.monotonic() + _TURN_SECONDS
        try:
            found = answer(lambda: time.monotonic() > until)
        except Expired:
            return
        with self._lock:
            self._kept[question] = found
        self._tell()
