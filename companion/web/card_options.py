"""What a card may turn chosen dice into: the choices a page offers."""

from __future__ import annotations

from engine.dice import Faces, faces, rolls
from engine.krone.cards import CARDS
from engine.krone.events import Use
from engine.krone.rules import can
from engine.krone.state import State

_MOST_LISTED = 24


def possible_afters(state: State, card: str, before: Faces) -> tuple[Faces, ...]:
    """Every result the rules allow when the card works on these dice; () when they do not suit it or it re-rolls."""
    if CARDS[card].ability == "reroll":
        return ()
    if card == "queen":
        return tuple((face,) for face in range(1, 7) if can(state, state.seat, Use(card, (), (face,))))
    if not before:
        return ()
    before = faces(before)
    if card in ("noblewoman", "nobleman"):
        raised = tuple(face + (1 if card == "noblewoman" else 2) for face in before)
        candidates: tuple[Faces, ...] = (raised,) if raised[-1] <= 6 else ()
    else:
        candidates = rolls(len(before)) if len(before) <= 3 else ()
    return tuple(after for after in candidates if can(state, state.seat, Use(card, before, after)))[:_MOST_LISTED]


def may_reroll(state: State, card: str, before: Faces) -> bool:
    """Whether the card may throw these dice again."""
    if CARDS[card].ability != "reroll" or not before:
        return False
    return can(state, state.seat, Use(card, before, before))
