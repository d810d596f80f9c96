"""One event of the record, split into parts for display."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One event as the page lists it.

    Attributes:
        verb: roll, keep, use, buy, pass and others.
        dice: Dice after the event, if it names any.
        words: What else it names.
        owner: The player who has that card.
        shows: The dice printed on that card, in groups: 3-3-3+2.
        instead: Alternatives that do not matter enough to ask about; () means nothing happened.
    """

    number: int
    seat: str
    name: str
    verb: str
    card: str | None
    before: Faces
    dice: Faces
    by: str
    confidence: float | None
    begins_turn: bool
    words: tuple[str, ...] = ()
    owner: str = ""
    shows: str = ""
    instead: tuple[RecordLine, ...] | None = None
