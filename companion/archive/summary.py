"""A game of the archive as lists show it: its row, its stored facts, and whether it is intact."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.archive.facts import Facts
from companion.archive.listing import ArchivedGame


@dataclass(frozen=True, slots=True)
class Summary:
    """A line in a list of games. The facts of a damaged game cover only the readable part, which may be empty.

    Attributes:
        damage: What is wrong with the game; "" if it is intact or unchecked.
        pending: Only the players are known yet.
    """

    row: ArchivedGame
    facts: Facts
    damage: str = ""
    pending: bool = False

    @property
    def id(self) -> str:
        """The game's id in the archive."""
        return self.row.id

    @property
    def game(self) -> str:
        """The id of the kind of game, as in `engine.registry`."""
        return self.row.game

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seat order."""
        return self.facts.players

    @property
    def events(self) -> int:
        """Number of lines of its record."""
        return self.facts.events

    @property
    def winners(self) -> tuple[str, ...]:
        """Names of the winners: several after a tie, () while the game is running."""
        return self.facts.winners

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.facts.winners)

    @property
    def begun(self) -> datetime:
        """Time of its start, UTC."""
        return self.row.begun

    @property
    def touched(self) -> datetime:
        """Time of its last change, UTC."""
        return self.row.touched

    @property
    def club_table(self) -> str:
        """The table of a club that played it, "" at home."""
        return self.row.club_table

    def body(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "id": self.id,
            "game": self.game,
            "ruleset": self.facts.ruleset,
            "players": list(self.players),
            "begun": self.begun.isoformat(),
            "touched": self.touched.isoformat(),
            "events": self.events,
            "finished": self.finished,
            "winner": self.winners[0] if len(self.winners) == 1 else None,
            "winners": list(self.winners),
            "club_table": self.club_table,
            "damage": self.damage or None,
        }
