"""What a game's advice is given to think with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from companion.game.changes import Sentence
from engine.advice.remark import Remark

_SECONDS = 5.0  # no position is thought about for longer


class Thinking:
    """The time and the threads that one position may take.

    Args:
        wanted: whether the position is still the one on the table.
        mapped: `map` over several threads.
    """

    def __init__(self, wanted: Callable[[], bool], mapped: Callable[..., Any] = map) -> None:
        self.wanted, self.mapped = wanted, mapped
        self.restart()

    def restart(self) -> None:
        """Allow the full time from now on."""
        self._until = time.monotonic() + _SECONDS

    def expired(self) -> bool:
        return time.monotonic() > self._until or not self.wanted()


def sentences(said: Iterable[Remark]) -> tuple[Sentence, ...]:
    return tuple(Sentence(remark.template, remark.values) for remark in said)
