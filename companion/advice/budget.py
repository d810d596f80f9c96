"""Advice as it is computed, and the time and threads for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game.changes import Sentence
from engine.advice.remark import Remark
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Chances:
    """The advice on a state: odds of each card this turn, win probability of each seat, dice to set aside.

    Attributes:
        beat: Probability of beating the result that must be beaten; None if there is none.
    """

    cards: Mapping[str, float] = field(default_factory=dict)
    wins: Mapping[str, float] = field(default_factory=dict)
    set_aside: Faces = ()
    advice: tuple[Sentence, ...] = ()
    why_not: tuple[Sentence, ...] = ()
    beat: float | None = None


_STATE_SECONDS = 5.0  # time limit for one state


class Budget:
    """The budget for one state.

    Args:
        wanted: Returns whether the state is still the current one.
        mapped: `map` over several threads.
    """

    def __init__(self, is_current: Callable[[], bool], parallel_map: Callable[..., Any] = map) -> None:
        self.is_current, self.parallel_map = is_current, parallel_map
        self.restart()

    def restart(self) -> None:
        """Restarts the time limit."""
        self._until = time.monotonic() + _STATE_SECONDS

    def expired(self) -> bool:
        """Whether the time is over or the state is no longer wanted."""
        return time.monotonic() > self._until or not self.is_current()


def sentences(remarks: Iterable[Remark]) -> tuple[Sentence, ...]:
    """Remarks of the engine as sentences of the companion."""
    return tuple(Sentence(remark.template, remark.values) for remark in remarks)
