"""The cards of Um Krone und Kragen: row, copies, ability. Costs are in `costs`, names in `names`.

Copies by number of players follow the table in the rules; "IV: 1 1 1 1" in the German text's last line is row V.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Ability = Literal["start", "add", "reroll", "change", "none"]


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card.

    Attributes:
        ability: "start" adds dice at the start of the turn, "add" adds a die during it, "reroll" rerolls active dice,
            "change" turns active dice.
        pips: Number of dice added ("start"), or the value of the added die ("add"; 0 for any value, the Queen).
    """

    id: str
    row: int
    ability: Ability
    pips: int
    does: str


_TABLE: tuple[tuple[str, int, Ability, int, str], ...] = (
    ("fool", 0, "reroll", 0, "rerolls one active die"),
    ("charlatan", 0, "start", 1, "roll one extra die each turn"),
    ("farmer", 1, "start", 1, "roll one extra die each turn"),
    ("maid", 1, "change", 0, "adds 1, 2 or 3 to one active die"),
    ("philosopher", 1, "change", 0, "moves pips between two active dice"),
    ("laborer", 1, "add", 1, "adds an active die showing 1"),
    ("guard", 1, "add", 2, "adds an active die showing 2"),
    ("hunter", 2, "add", 3, "adds an active die showing 3"),
    ("astronomer", 2, "change", 0, "turns one active die to a value you have set aside"),
    ("merchant", 2, "reroll", 0, "rerolls any number of active dice"),
    ("noblewoman", 3, "change", 0, "adds 1 to any number of active dice"),
    ("pawnbroker", 3, "add", 4, "adds an active die showing 4"),
    ("knight", 3, "add", 5, "adds an active die showing 5"),
    ("magician", 3, "change", 0, "turns one active die to any value"),
    ("alchemist", 4, "change", 0, "moves pips among up to three active dice"),
    ("bishop", 4, "add", 6, "adds an active die showing 6"),
    ("nobleman", 4, "change", 0, "adds exactly 2 to any number of active dice"),
    ("general", 4, "start", 2, "roll two extra dice each turn"),
    ("queen", 5, "add", 0, "adds an active die showing any value"),
    ("king", 5, "none", 0, "starts the final round"),
)
CARDS: dict[str, Card] = {row[0]: Card(*row) for row in _TABLE}
ORDER: dict[str, int] = {card: place for place, card in enumerate(CARDS)}
START_DICE: dict[str, int] = {card.id: card.pips for card in CARDS.values() if card.ability == "start"}

_COPIES = {1: (2, 2, 3, 4), 2: (1, 2, 3, 3), 3: (1, 2, 2, 3), 4: (1, 2, 2, 3), 5: (1, 1, 1, 1)}


def copies(card: str, players: int) -> int:
    """Number of copies for sale at the start. The Charlatan is the back of the Fool and is never for sale."""
    if card == "fool":
        return players
    return 0 if card == "charlatan" else _COPIES[CARDS[card].row][players - 2]
