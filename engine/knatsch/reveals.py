"""Applies what becomes known about cards: castles dealt, tops revealed, combinations learned."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Illegal
from engine.knatsch.attempts import with_player
from engine.knatsch.combination import Combination
from engine.knatsch.deck import Card, is_castle
from engine.knatsch.events import SIDES, Learn, Place, Reveal, Side, TheKing, Top
from engine.knatsch.state import Player, State
from engine.registry import SEATS


def revealed_card(state: State, card: str, shows: Combination | None) -> Card:
    """The card of the deck that was revealed.

    Raises:
        Illegal: The deck has none left, or several different ones match.
    """
    left = [one for one, _ in state.unseen if one.id == card]
    if not left:
        raise Illegal("the deck has no {card} left", card=card)
    if shows is None:
        if len(left) > 1:
            known = " or ".join(str(one.shows) if one.shows else "something not known yet" for one in left)
            raise Illegal("the {card} can show {known}. Choose one", card=card, known=known)
        return left[0]
    if card == "tournament":
        raise Illegal("a tournament card shows no combination")
    if not any(one.shows in (shows, None) for one in left):
        known = " or ".join(str(one.shows) for one in left)
        raise Illegal("in this deck the {card} shows {known}, not {shows}", card=card, known=known, shows=str(shows))
    return Card(card, shows)


def deal_refusal(state: State, card: str, shows: Combination | None) -> Illegal | None:
    """Reason this castle cannot have been dealt, or None."""
    if not is_castle(card):
        return Illegal("every player starts with a castle, not with the {card}", card=card)
    if any(player.has(card) for player in state.seated):
        return Illegal("all dealt castles have different crests, and the {card} has already been dealt", card=card)
    revealed_card(state, card, shows)
    return None


def reveal_refusal(state: State, event: Reveal) -> Illegal | None:
    """Reason this card cannot have been revealed, or None."""
    if not state.hidden(event.side):
        return _nothing_hidden(state, event.side)
    revealed_card(state, event.card, event.shows)
    return None


def _nothing_hidden(state: State, side: Side) -> Illegal:
    if state.stack(side):
        return Illegal("the top card of the {side} is already known", side=f"{side} stack")
    return Illegal("the {side} is empty", side=f"{side} stack")


def learn_refusal(state: State, place: Place) -> Illegal | None:
    """Reason the combination at this place cannot become known, or None."""
    if isinstance(place, TheKing):
        return Illegal("the King’s combination is already known") if state.king else None
    card = state.card_at(place)
    if card is None:
        return Illegal("this card has not been revealed yet")
    if card.id == "tournament":
        return Illegal("a tournament card shows no combination")
    return Illegal("the combination of the {card} is already known", card=card.id) if card.shows else None


def deal_card(state: State, card: Card) -> State:
    """The state after the castle was dealt to the player on turn; after the last one the stacks are formed."""
    state = with_player(state, state.turn, Player((card,))).counted()
    following = SEATS.index(state.turn) + 1
    if following < state.players:
        return replace(state, turn=SEATS[following])
    rest = len(state.deck.cards) - state.players
    left: tuple[Card | None, ...] = (None,) * ((rest + 1) // 2)
    return replace(state, turn="A", round=1, stacks=(left, (None,) * (rest // 2)))


def learn_combination(state: State, event: Learn) -> State:
    """The state with this combination known."""
    if isinstance(event.place, TheKing):
        return replace(state, king=event.shows)
    known = state.card_at(event.place)
    assert known is not None
    return with_card(state, event.place, Card(known.id, event.shows))


def with_card(state: State, place: Place, card: Card) -> State:
    """The state with this card known at this place."""
    if isinstance(place, Top):
        left, right = state.stacks
        stack = (card, *state.stack(place.side)[1:])
        return replace(state, stacks=(stack, right) if place.side == SIDES[0] else (left, stack)).counted()
    assert not isinstance(place, TheKing)
    player = state.player(place.seat)
    cards = tuple(card if own.id == card.id else own for own in player.cards)
    return with_player(state, place.seat, replace(player, cards=cards)).counted()
