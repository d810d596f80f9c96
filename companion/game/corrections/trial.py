"""Tries a correction before it is made."""

from __future__ import annotations

from companion.game.changes import Kind
from companion.game.consequences import Consequences, consequences
from companion.game.corrections.writing import replacing
from companion.game.log import GameLog
from companion.game.timeline import canonical


def tried_out(book: GameLog, kind: Kind, number: int, event: str) -> Consequences:
    """The consequences of replacing or removing the line of this number, or of inserting `event` before it.

    Args:
        book: A branch of the game's own.

    Raises:
        Illegal, LookupError: As the change itself would raise.
    """
    if kind == "replace":
        right = replacing(book, number, event, "person")
        place, removed, lines = right.place, right.removed, right.lines
    else:
        place, removed = book.place(number), int(kind == "remove")
        lines = (book.line(event, "person"),) if kind == "insert" else ()
    return consequences(book.timeline, place, removed, lines, canonical(book.game, event) if lines else "")
