"""What the advice knows of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game.changes import Sentence
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Chances:
    """What the advice knows of a position: chance per card this turn, chance to win per seat, dice to set aside.

    beat: in the final round, the chance to reach what must be beaten.
    """

    cards: Mapping[str, float] = field(default_factory=dict)
    wins: Mapping[str, float] = field(default_factory=dict)
    set_aside: Faces = ()
    advice: tuple[Sentence, ...] = ()
    why_not: tuple[Sentence, ...] = ()
    beat: float | None = None
