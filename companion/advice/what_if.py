"""What if: the odds of a turn with other dice or cards.

Each game provides its own (`companion.plugins.WhatIf`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.changes import Sentence
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class TurnVariation:
    """The parts of a turn that a visitor may change.

    Attributes:
        active: Dice that may be rolled again, or all dice if none is set aside for good.
        kept: Dice set aside.
        cards: Of the player on turn.
        throws: Rolls left; None if unlimited.
    """

    active: Faces
    kept: Faces = ()
    cards: tuple[str, ...] = ()
    throws: int | None = None


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """The result.

    Attributes:
        cards: Id and probability, the likeliest first.
        options: What to do, with the probability of success.
        advice: What to do now, in sentences.
    """

    cards: tuple[tuple[str, float], ...] = ()
    options: tuple[tuple[Sentence, float], ...] = ()
    advice: tuple[Sentence, ...] = ()
