"""Announcements of Knatsch."""

from __future__ import annotations

from companion.game.changes import Line, Sentence
from companion.games.parts import Announcement, win_announcement
from engine.knatsch.events import Held, TheKing
from engine.knatsch.state import State


def knatsch_moment(before: State, after: State, line: Line) -> Announcement | None:
    """The announcement of an event; None for events within an attempt."""
    verb, *words = line.move.split()
    if after.finished and not before.finished:
        return win_announcement(after)
    if verb == "lose":
        return Sentence("{seat} loses the {card} to the King.", {"seat": line.seat, "card": words[0]}), "none"
    if verb == "target" and len(words) == 2:
        values = {"seat": line.seat, "owner": words[0], "card": words[1]}
        return Sentence("{seat} attacks {owner}: {card}.", values), "alert"
    attempt = before.attempt
    if attempt is None or after.attempt == attempt:
        return None
    if after.attempt and after.attempt.seat != attempt.seat:
        return _defence(before, after)
    return None if after.attempt else _outcome(before, after)


def _defence(before: State, after: State) -> Announcement | None:
    """The announcement that another player rolls: an owner defends a castle, or a tournament continues."""
    assert after.attempt is not None
    if not isinstance(after.attempt.place, Held):
        return None
    values = {"seat": before.turn, "owner": after.attempt.seat, "card": after.attempt.place.card}
    return Sentence("{seat} beats the {card}. {owner} may defend it.", values), "alert"


def _outcome(before: State, after: State) -> Announcement | None:
    """The result of an attempt: who got a card, or who failed."""
    attempt = before.attempt
    assert attempt is not None
    for seat in before.seats:
        for card in {card.id for card in after.player(seat).cards}:
            if _count(after, seat, card) <= _count(before, seat, card):
                continue
            if card == "tournament":
                return Sentence("{seat} wins the tournament.", {"seat": seat}), "gain"
            if isinstance(attempt.place, Held):
                values = {"seat": seat, "owner": attempt.place.seat, "card": card}
                return Sentence("{seat} captures the {card} from {owner}.", values), "great"
            return Sentence("{seat} captures the {card}.", {"seat": seat, "card": card}), "gain"
    if isinstance(attempt.place, TheKing):
        if after.revenge:
            return Sentence("{seat} does not beat the King and loses a castle.", {"seat": before.turn}), "great"
        return Sentence("{seat} does not beat the King.", {"seat": before.turn}), "none"
    if isinstance(attempt.place, Held) and attempt.seat == attempt.place.seat:
        return Sentence("{owner} defends the {card}.", {"owner": attempt.seat, "card": attempt.place.card}), "gain"
    target = before.card_at(attempt.place)
    values = {"seat": before.turn, "card": target.id if target else ""}
    return Sentence("{seat} does not beat the {card}.", values), "none"


def _count(state: State, seat: str, card: str) -> int:
    return sum(own.id == card for own in state.player(seat).cards)
