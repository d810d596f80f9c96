"""The possible uses of a card on chosen dice, as options on a page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engine.dice import Faces, faces, rolls
from engine.krone.cards import CARDS
from engine.krone.events import Use
from engine.krone.rules import can
from engine.krone.state import State

_MAX_LISTED = 24


def possible_afters(state: State, card: str, before: Faces) -> tuple[Faces, ...]:
    """Every legal result of using the card on these dice; () if it cannot be used on them or rerolls."""
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
    return tuple(after for after in candidates if can(state, state.seat, Use(card, before, after)))[:_MAX_LISTED]


def may_reroll(state: State, card: str, before: Faces) -> bool:
    """Whether the card may reroll these dice."""
    if CARDS[card].ability != "reroll" or not before:
        return False
    return can(state, state.seat, Use(card, before, before))


def use_dialog(state: State, card: str, places: Collection[int]) -> dict[str, Any] | None:
    """The dialog of a card: the chosen dice, and what they can become; None for an unknown card.

    Args:
        places: Indices of the chosen dice among the active ones in descending order.
    """
    if card not in CARDS:
        return None
    active = tuple(reversed(state.turn.active))
    chosen_places = {place for place in places if 0 <= place < len(active)}
    chosen = tuple(active[place] for place in sorted(chosen_places))
    return {
        "card": card,
        "seat": state.seat,
        "active": active,
        "chosen_places": chosen_places,
        "chosen": chosen,
        "rerolls": may_reroll(state, card, chosen),
        "afters": possible_afters(state, card, chosen),
        "ability": CARDS[card].ability,
    }
