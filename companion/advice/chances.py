"""The advice on a state, as far as it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game.changes import Sentence
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
