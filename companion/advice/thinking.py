"""Time and threads for computing advice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from companion.game.changes import Sentence
from engine.advice.remark import Remark

_STATE_SECONDS = 5.0  # time limit for one state


class Thinking:
    """The budget for one state.

    Args:
        wanted: Returns whether the state is still the current one.
        mapped: `map` over several threads.
    """

    def __init__(self, wanted: Callable[[], bool], mapped: Callable[..., Any] = map) -> None:
        self.wanted, self.mapped = wanted, mapped
        self.restart()

    def restart(self) -> None:
        """Restarts the time limit."""
        self._until = time.monotonic() + _STATE_SECONDS

    def expired(self) -> bool:
        """Whether the time is over or the state is no longer wanted."""
        return time.monotonic() > self._until or not self.wanted()


def sentences(said: Iterable[Remark]) -> tuple[Sentence, ...]:
    """Remarks of the engine as sentences of the companion."""
    return tuple(Sentence(remark.template, remark.values) for remark in said)
