"""The cards of Um Krone und Kragen in the visitor's language, filtered by a search."""

from __future__ import annotations

from typing import Any

from companion.games.krone.board import ROWS
from companion.games.krone.words import card_cost
from companion.games.parts import fits
from companion.i18n.words import card_does, card_name
from engine.krone.cards import CARDS, copies


def krone_catalogue(search: str, position: object) -> dict[str, Any]:
    """The cards row by row, with the number of copies for two players and more."""
    found = [
        card
        for _, row in (*ROWS, (5, ("queen",)))
        for card in row
        if fits(search, card, card_name(card), card_cost(card), card_does(card))
    ]
    return {"cards": found, "copies": {card: [copies(card, players) for players in range(2, 6)] for card in CARDS}}
