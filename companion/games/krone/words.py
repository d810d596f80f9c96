"""The cards of Um Krone und Kragen in words, and their catalogue, filtered by a search."""

from __future__ import annotations

from typing import Any

from companion.games.krone.board import ROWS
from companion.games.parts import matches_search
from companion.i18n.languages import gettext
from companion.i18n.words import card_does, card_name
from engine.krone.advice.words import TEMPLATES
from engine.krone.cards import CARDS, copies
from engine.krone.costs import COSTS

QUEEN_COMES_WITH = "comes with the King"


def card_cost(card: str) -> str:
    """The dice that a result must contain to buy the card, in words."""
    if card == "queen":
        return gettext(QUEEN_COMES_WITH)
    return gettext(COSTS[card][1]) if card in COSTS else ""


def card_row(card: str) -> int:
    """Row of a card: 0 for the Fool, then 1 to 5."""
    return CARDS[card].row if card in CARDS else 0


def does_template(card: str) -> str:
    """The effect of the card, as a message to translate."""
    return CARDS[card].does if card in CARDS else ""


def messages() -> tuple[str, ...]:
    """Translation ids that are in tables rather than in calls."""
    costs, does = (cost for _, cost in COSTS.values()), (card.does for card in CARDS.values())
    return (*TEMPLATES, *costs, *does, QUEEN_COMES_WITH)


def krone_catalogue(search: str, position: object) -> dict[str, Any]:
    """The cards row by row, with the number of copies for two players and more."""
    found = [
        card
        for _, row in (*ROWS, (5, ("queen",)))
        for card in row
        if matches_search(search, card, card_name(card), card_cost(card), card_does(card))
    ]
    return {"cards": found, "copies": {card: [copies(card, players) for players in range(2, 6)] for card in CARDS}}
