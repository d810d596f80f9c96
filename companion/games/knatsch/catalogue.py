"""The cards of Knatsch in the visitor's language, filtered by a search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from companion.games.knatsch.words import GOT, KING_DOES
from companion.games.parts import fits
from companion.i18n.languages import gettext
from companion.i18n.words import card_does, card_name
from engine.knatsch.deck import BOX, Deck
from engine.knatsch.state import State


@dataclass(frozen=True, slots=True)
class Listed:
    """One card of the catalogue.

    Attributes:
        shows: Known combinations.
        count: Number of cards of this name.
    """

    id: str
    does: str
    shows: tuple[str, ...]
    count: int


def knatsch_catalogue(search: str, position: State | None) -> dict[str, Any]:
    """The deck of the current game with what was learned so far, else the deck of the box."""
    deck = BOX if position is None else position.learned()
    found = [card for card in _listed(deck) if fits(search, card.id, card_name(card.id), card.does)]
    return {"cards": found, "ways": _won_how()}


def _listed(deck: Deck) -> list[Listed]:
    counted = Counter(card.id for card in deck.cards)
    found = []
    for id in deck.ids:
        shows = tuple(dict.fromkeys(str(card.shows) for card in deck.cards if card.id == id and card.shows))
        found.append(Listed(id, card_does(id), shows, counted[id]))
    king = (str(deck.king),) if deck.king else ()
    return [*found, Listed("king", gettext(KING_DOES), king, 1)]


def _won_how() -> list[tuple[str, str]]:
    """Each kind of card: its name, and a sentence about how it is won."""
    names = {"castle": gettext("Castles"), "special": gettext("Special cards"), "tournament": card_name("tournament")}
    return [(names.get(kind) or card_name(kind), gettext(said)) for kind, said in GOT.items()]
