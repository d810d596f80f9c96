"""All cards of both games in the visitor's language, searchable."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from companion.game.decks import shipped_deck
from companion.i18n.languages import gettext
from companion.i18n.words import card_cost, card_does, card_name
from companion.i18n.words_knatsch import GOT, KING_DOES
from companion.web.app_state import app_state
from companion.web.pairing import Right
from companion.web.security import needs
from companion.web.view_models.krone import ROWS
from engine.knatsch.deck import Deck
from engine.knatsch.state import State as KnatschState
from engine.krone.cards import CARDS, copies

blueprint = Blueprint("cards", __name__)
_GAMES = ("krone", "knatsch")


@dataclass(frozen=True, slots=True)
class Listed:
    """One card of Knatsch's catalogue. shows: the combinations known; count: how many cards of this name there are."""

    id: str
    does: str
    shows: tuple[str, ...]
    count: int


@blueprint.get("/cards")
@needs(Right.NONE)
def page() -> str:
    """The catalogue of one game, the one being played unless `game` says otherwise; `search` narrows it down."""
    search = request.args.get("search", "").strip()[:80]
    game = request.args.get("game", "")
    if game not in _GAMES:
        game = "knatsch" if isinstance(app_state().position(), KnatschState) else "krone"
    shown = {"search": search, "game": game, "games": _GAMES}
    if game == "knatsch":
        found = [card for card in _knatsch(_deck()) if _fits(search, card.id, card_name(card.id), card.does)]
        return render_template("cards_knatsch.html", cards=found, ways=_ways(), **shown)
    krone = [
        card
        for _, row in (*ROWS, (5, ("queen",)))
        for card in row
        if _fits(search, card, card_name(card), card_cost(card), card_does(card))
    ]
    numbers = {card: [copies(card, players) for players in range(2, 6)] for card in CARDS}
    return render_template("cards.html", cards=krone, copies=numbers, **shown)


def _deck() -> Deck:
    """The deck of the running game with what it has taught so far, else the one of the box."""
    state = app_state().position()
    return state.learned() if isinstance(state, KnatschState) else shipped_deck().deck


def _knatsch(deck: Deck) -> list[Listed]:
    counted = Counter(card.id for card in deck.cards)
    found = []
    for id in deck.ids:
        shows = tuple(dict.fromkeys(str(card.shows) for card in deck.cards if card.id == id and card.shows))
        found.append(Listed(id, card_does(id), shows, counted[id]))
    king = (str(deck.king),) if deck.king else ()
    return [*found, Listed("king", gettext(KING_DOES), king, 1)]


def _ways() -> list[tuple[str, str]]:
    """How each kind of card is won: its name and the sentence."""
    names = {"castle": gettext("Castles"), "special": gettext("Special cards"), "tournament": card_name("tournament")}
    return [(names.get(kind) or card_name(kind), gettext(said)) for kind, said in GOT.items()]


def _fits(search: str, *texts: str) -> bool:
    text = " ".join(texts).casefold()
    return all(word in text for word in search.casefold().split())
