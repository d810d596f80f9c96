"""The cards and events of Knatsch in words: abilities, how cards are won, what players do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.games.parts import matches_search
from companion.i18n.languages import gettext
from companion.i18n.words import card_does, card_name
from engine.errors import Unreadable
from engine.knatsch.deck import BOX, Deck, is_castle, is_special
from engine.knatsch.state import State

# What each kind of card does. The King is separate, because another game has a card of that name.
DOES: Mapping[str, str] = {
    "castle": "you win with four different castles, with three and beating the King, or with two and three tournaments",
    "tournament": "you win with three of them and two castles",
    "dice": "counts as an extra die of this value in every roll",
    "catapult": "four rolls instead of three against another player’s castle",
    "champion": "four rolls instead of three in every tournament",
    "stack": "you may put two cards under a stack each turn instead of one",
    "castle-guard": "guards two of your castles; they cannot be attacked",
    "special-guard": "guards one of your special cards; it cannot be taken",
    "betrayal": "every castle on a stack counts as 2-2-2+4 for you",
    "protection": "you lose no castle to the King",
}
KING_DOES = "challenge him if you start your turn with three castles; beat him to win, otherwise you lose a castle"
# How each kind is won.
GOT: Mapping[str, str] = {
    "castle": "beat its combination; if it belongs to a player, they may defend it and keep it by beating your roll",
    "special": "beat its combination; if you take it from a stack, you get another attempt",
    "tournament": "all players roll for it, the active player up to four times; the best roll takes it",
    "king": "beat his combination",
}
MESSAGES = (*DOES.values(), KING_DOES, *GOT.values())


def card_kind(card: str) -> str:
    """`castle`, `tournament`, `special` or `king`; "" for an unknown card."""
    if card in ("king", "tournament"):
        return card
    if is_castle(card):
        return "castle"
    return "special" if is_special(card) else ""


def card_crest(card: str) -> str:
    """The crest of a castle, else ""."""
    return card.removeprefix("castle-") if is_castle(card) else ""


def does_template(card: str) -> str:
    """The effect of a card of the deck, as a message to translate; "" for cards of another game."""
    if is_castle(card):
        return DOES["castle"]
    return DOES.get("dice" if card.startswith("dice-") else card, "")


def verbs() -> dict[str, str]:
    """Sentences of a record's lines, by verb."""
    return {
        "deal": gettext("draws %(what)s"),
        "reveal": gettext("reveals %(what)s"),
        "combination": gettext("%(what)s shows"),
        "under": gettext("puts the top card under the %(what)s"),
        "guard": gettext("guards %(what)s"),
        "target": gettext("attacks %(what)s"),
        "lose": gettext("loses %(what)s"),
        "stop": gettext("stops rolling"),
        "keep": gettext("keeps no dice"),
        "decline": gettext("passes"),
    }


def places() -> dict[str, str]:
    """The two stacks."""
    return {"left": gettext("left stack"), "right": gettext("right stack")}


def asked_combination(form: MultiDict[str, str]) -> str:
    """The combination that a player enters for a card, as in a record.

    Raises:
        Unreadable: A part of it is missing.
    """
    alike, reserve = form.get("alike", ""), form.get("reserve", "")
    if not {alike, reserve} <= set("12345") or not alike or not reserve:
        raise Unreadable("choose the three alike and the reserve die")
    return " ".join(("combination", *form.getlist("ask")[:3], f"{alike}-{alike}-{alike}+{reserve}"))


def buttons() -> dict[str, str]:
    """Texts of the buttons of legal moves, by verb."""
    return {
        "pass": gettext("Pass"),
        "stop": gettext("Stop rolling"),
        "under": gettext("Put it under the %(what)s"),
        "guard": gettext("Guard %(what)s"),
        "lose": gettext("Give up %(what)s"),
    }


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
    found = [card for card in _listed(deck) if matches_search(search, card.id, card_name(card.id), card.does)]
    return {"cards": found, "ways": _how_to_win()}


def _listed(deck: Deck) -> list[Listed]:
    counted = Counter(card.id for card in deck.cards)
    found = []
    for id in deck.ids:
        shows = tuple(dict.fromkeys(str(card.shows) for card in deck.cards if card.id == id and card.shows))
        found.append(Listed(id, card_does(id), shows, counted[id]))
    king = (str(deck.king),) if deck.king else ()
    return [*found, Listed("king", gettext(KING_DOES), king, 1)]


def _how_to_win() -> list[tuple[str, str]]:
    """Each kind of card: its name, and a sentence about how it is won."""
    names = {"castle": gettext("Castles"), "special": gettext("Special cards"), "tournament": card_name("tournament")}
    return [(names.get(kind) or card_name(kind), gettext(how)) for kind, how in GOT.items()]
