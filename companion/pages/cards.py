"""All cards of the game in the visitor's language, searchable."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.pairing import Role
from companion.scoreboard import ROWS
from companion.security import open_to
from companion.words import card_cost, card_does, card_name
from engine.krone.cards import CARDS, copies

blueprint = Blueprint("cards", __name__)


@blueprint.get("/cards")
@open_to(Role.NOBODY)
def page() -> str:
    """The catalogue of cards; `search` narrows it down, also without scripts."""
    search = request.args.get("search", "").strip()[:80]
    found = [card for _, row in (*ROWS, (5, ("queen",))) for card in row if _fits(card, search)]
    numbers = {card: [copies(card, players) for players in range(2, 6)] for card in CARDS}
    return render_template("cards.html", cards=found, search=search, copies=numbers)


def _fits(card: str, search: str) -> bool:
    text = " ".join((card, card_name(card), card_cost(card), card_does(card)))
    return all(word in text.casefold() for word in search.casefold().split())
