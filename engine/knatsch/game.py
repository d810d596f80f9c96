"""The interface of Knatsch to records: the functions of `engine.games.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Faces, without
from engine.errors import Unreadable, reading_tag
from engine.games import Setup
from engine.knatsch.deck import BOX, Card, Deck, read_deck
from engine.knatsch.event_parser import read_event
from engine.knatsch.events import SIDES, event_text, place_text
from engine.knatsch.explain import explain
from engine.knatsch.legal import legal
from engine.knatsch.position import position_text, read_position
from engine.knatsch.rules import can, play, verify
from engine.knatsch.state import State, new_game

__all__ = ["can", "event_text", "explain", "legal", "play", "position_text", "read_event", "verify"]

ID = "knatsch"
RULESETS = ("abacus2000",)
PLAYERS = range(2, 7)
TAGS = ("Deck",)


def start(setup: Setup) -> State:
    """The first state: castles to be dealt, or the header's `[Position]`.

    Raises:
        Unreadable: Naming the tag at fault.
    """
    deck = deck_of(setup.tags)
    if len(deck.crests) < setup.players:
        raise Unreadable("this deck has castles of only {n} crests", tag="Deck", n=len(deck.crests))
    if setup.position is None:
        return new_game(setup.players, deck)
    with reading_tag("Position"):
        return read_position(setup.position, setup.players, deck)


def deck_of(tags: Mapping[str, tuple[str, ...]]) -> Deck:
    """The deck named in the header; by default the box according to the rules."""
    values = tags.get("Deck")
    if not values:
        return BOX
    with reading_tag("Deck"):
        return read_deck(values[0])


def on_turn(state: State) -> str:
    """The player whose turn it is, even while another one rolls."""
    return state.turn


def on_table(state: State) -> tuple[Faces, Faces]:
    """As `Game.on_table`: dice to be rolled, and dice kept; both empty before the first throw."""
    attempt = state.attempt
    if attempt is None or attempt.dice is None:
        return (), ()
    return without(attempt.dice, attempt.kept or ()) or (), attempt.kept or ()


def tableaux(state: State) -> Sequence[Sequence[str]]:
    """As `Game.tableaux`."""
    return tuple(state.tableau(seat) for seat in state.seats)


def display(state: State) -> Mapping[str, int | None]:
    """Card id → how many are still in the stacks, seen or not, for every card of the deck."""
    owned = [card for seat in state.seats for card in state.tableau(seat)]
    return {card: sum(one.id == card for one in state.deck.cards) - owned.count(card) for card in state.deck.ids}


def rematch_tags(state: State) -> Mapping[str, str]:
    """The deck with every combination learned in this game, so that players enter it only once in an evening."""
    return {"Deck": str(state.learned())}


def details(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    """Data for other programs.

    Returns:
        guards: By player, the guarded cards. stacks: From the top down, null for an unseen card. king: The King's
            combination, null if unknown. attempt: The current one, or null.
    """
    called = dict(zip(state.seats, names, strict=True))
    return {
        "guards": {
            called[seat]: {"castles": list(player.guarded_castles), "special": player.guarded_special}
            for seat, player in zip(state.seats, state.seated, strict=True)
        },
        "stacks": {side: [_card(card) for card in state.stack(side)] for side in SIDES},
        "king": None if state.king is None else str(state.king),
        "attempt": _attempt(state, called),
    }


def _card(card: Card | None) -> Mapping[str, Any] | None:
    return None if card is None else {"card": card.id, "shows": None if card.shows is None else str(card.shows)}


def _attempt(state: State, called: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The current attempt: throws left; to_beat (`nothing` for the first throw of a tournament); dice and kept (null
    before the first throw, and before the player has decided)."""
    attempt = state.attempt
    if attempt is None:
        return None
    return {
        "target": place_text(attempt.place),
        "player": called[attempt.seat],
        "throws": attempt.throws,
        "to_beat": str(attempt.leading),
        "leader": None if attempt.leader is None else called[attempt.leader],
        "dice": None if attempt.dice is None else list(reversed(attempt.dice)),
        "kept": None if attempt.kept is None else list(reversed(attempt.kept)),
    }
