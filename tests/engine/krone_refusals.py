"""Why a card cannot be bought or used now, and what the list of legal moves contains: questions that only tests ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.dice import Faces, union
from engine.errors import Illegal
from engine.krone.abilities import card_ready
from engine.krone.cards import CARDS
from engine.krone.costs import COSTS
from engine.krone.events import Event
from engine.krone.legal import AnyRoll, Move, legal
from engine.krone.rules import not_for_sale, not_paid
from engine.krone.state import State


def accepts(moves: Iterable[Move | AnyRoll], seat: str, event: Event) -> bool:
    """Whether this event is in a result of `legal`."""
    return any((seat, event) in move if isinstance(move, AnyRoll) else move == (seat, event) for move in moves)


def every_move(moves: Iterable[Move | AnyRoll]) -> Iterator[Move]:
    """The moves of `legal` with the patterns expanded."""
    for move in moves:
        if isinstance(move, AnyRoll):
            yield from move
        else:
            yield move


def why_not_buy(state: State, card: str, preview: Faces = ()) -> Illegal | None:
    """Why the kept dice, with those of `preview`, do not certainly pay for this card; None if they do."""
    if state.finished or state.final:
        return Illegal("you cannot buy cards in the final round")  # R17
    refusal = not_for_sale(state, card)
    if refusal is not None or card in state.purchases(preview):
        return refusal
    dice = union(state.turn.kept, preview)
    return not_paid(card, dice) if dice else Illegal("the {card} costs {cost}", card=card, cost=COSTS[card][1])


def why_not_use(state: State, card: str) -> Illegal | None:
    """Why the seat on turn cannot use this card on any dice; None if it can."""
    try:
        card_ready(state, card)
    except Illegal as refusal:
        return refusal
    uses = (getattr(event, "card", None) for _, event in every_move(legal(state)))
    if card in uses:
        return None
    return Illegal("the {card} ({does}) fits no active die", card=card, does=CARDS[card].does)
