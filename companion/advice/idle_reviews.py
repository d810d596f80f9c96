"""Reviews past games while no page asks for anything: one at a time, the newest first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from companion.advice.review_desk import ReviewDesk
from engine.replay import Replay

_FIRST_SECONDS, _PAUSE_SECONDS = 120.0, 20.0


class IdleReviews:
    """Passes games to the review desk when `quiet` returns true. `waiting` yields games without a review."""

    def __init__(self, desk: ReviewDesk, waiting: Callable[[], Iterable[Replay]], quiet: Callable[[], bool]) -> None:
        self._desk, self._waiting, self._quiet = desk, waiting, quiet
        self._closed = threading.Event()

    def start(self, first: float = _FIRST_SECONDS, pause: float = _PAUSE_SECONDS) -> None:
        """Starts in `first` seconds and checks every `pause` seconds whether there is something to do."""
        threading.Thread(target=self._work, args=(first, pause), name="idle reviews", daemon=True).start()

    def close(self) -> None:
        """Stops."""
        self._closed.set()

    def _work(self, wait: float, pause: float) -> None:
        given: set[str] = set()  # a game that takes too long is not tried again
        while not self._closed.wait(wait):
            wait = pause
            if not self._quiet() or not self._desk.idle:
                continue
            for replay in self._waiting():
                if (text := replay.text()) not in given:
                    given.add(text)
                    self._desk.of(replay, hurry=False, idly=True)
                    break
