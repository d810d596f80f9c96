"""What if the dice or the cards of a turn had been others: what may be changed, and what the change promises.

Each game changes its positions and works them out itself (`companion.plugins.WhatIf`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.changes import Sentence
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Changed:
    """What may be changed of a turn.

    Attributes:
        active: dice that may be rolled again, or all dice where none is set aside for good.
        kept: set aside.
        cards: of the player whose turn it is.
        throws: rolls left, None where their number is not limited.
    """

    active: Faces
    kept: Faces = ()
    cards: tuple[str, ...] = ()
    throws: int | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What could be had.

    Attributes:
        cards: id and chance, the likeliest first.
        ways: what to do, with the chance of success.
        said: the advice.
    """

    cards: tuple[tuple[str, float], ...] = ()
    ways: tuple[tuple[Sentence, float], ...] = ()
    said: tuple[Sentence, ...] = ()
