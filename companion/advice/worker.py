"""The adviser's thread: computes advice for each new state and is interrupted by a newer one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from companion.advice.chances import Chances
from companion.advice.thinking import Thinking
from companion.game.broadcast import Broadcast
from companion.plugins import plugin


class Adviser:
    """Advises on the current game until `broadcast` closes.

    Args:
        broadcast: Signals that the board may have changed.
        position: Returns the current state; None without a game.
        advise: Receives a state and the advice computed for it so far, repeatedly.
        finish: Receives each state once its advice is complete.
    """

    def __init__(
        self,
        broadcast: Broadcast,
        position: Callable[[], Any],
        advise: Callable[[Any, Chances], None],
        finish: Callable[[Any], None],
    ) -> None:
        self._broadcast, self._position, self._advise, self._finish = broadcast, position, advise, finish
        self._pool = ThreadPoolExecutor(2, "odds")
        self._thread = threading.Thread(target=self._run, name="adviser", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def _run(self) -> None:
        thought_about: Any = None
        edition = None
        while not self._broadcast.closed:
            edition = self._broadcast.after(edition, timeout=1.0) or edition
            state = self._position()
            if state is None or state == thought_about:
                continue
            thought_about = state
            think = plugin(state.GAME).think
            if think is not None:
                for chances in think(state, Thinking(lambda was=state: self._position() == was, self._pool.map)):  # type: ignore[misc]
                    self._advise(state, chances)
            self._finish(state)
