"""One event of the record, taken apart for display."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One event as the page lists it. verb: roll, keep, use, buy, pass …; dice: after the event, where it names any;
    words: what else the event names; owner: the player whose card that is; shows: the combination on it; instead:
    the lines of what it may have been, where that does not matter enough to ask; () = nothing happened."""

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
