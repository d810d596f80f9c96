"""Announcements of Um Krone und Kragen."""

from __future__ import annotations

from companion.game.changes import Line, Sentence
from companion.games.parts import Announcement
from engine.krone.state import State


def krone_moment(before: State, after: State, line: Line) -> Announcement | None:
    """The announcement of an event; None for events within a turn."""
    verb, *words = line.move.split()
    if after.finished and not before.finished:
        return Sentence("{seat} wins the crown.", {"seat": after.winner or line.seat}), "great"
    if before.final and (before.seat != after.seat or before.turn.over != after.turn.over):
        return _challenge(before, after, line.seat)
    if verb == "buy" and words[0] == "king" and after.threshold:
        count, face = after.threshold
        values = _values(line.seat, count, face)
        return Sentence("{seat} claims the King. Final round: beat {count} × {face}.", values), "great"
    if verb == "buy":
        return Sentence("{seat} takes the {card}.", {"seat": line.seat, "card": words[0]}), "gain"
    if verb == "pass":
        return Sentence("{seat} takes no card.", {"seat": line.seat}), "none"
    return None


def _challenge(before: State, after: State, seat: str) -> Announcement | None:
    """The result of a turn in the final round."""
    if after.threshold and after.threshold != before.threshold:
        count, face = after.threshold
        return Sentence("{seat} takes the King. Now beat {count} × {face}.", _values(seat, count, face)), "great"
    if before.seat == after.seat or not before.threshold:
        return None
    count, face = before.threshold
    return Sentence("{seat} does not beat {count} × {face}.", _values(seat, count, face)), "none"


def _values(seat: str, count: int, face: int) -> dict[str, str | int]:
    return {"seat": seat, "count": count, "face": face}
