"""The cards of Um Krone und Kragen in words."""

from __future__ import annotations

from companion.i18n.languages import gettext
from engine.krone.advice.words import TEMPLATES
from engine.krone.cards import CARDS
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
