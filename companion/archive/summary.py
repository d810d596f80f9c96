"""A game of the archive as lists show it: its row, what its replay told, and whether it is whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.archive.facts import Facts
from companion.archive.listing import ArchivedGame


@dataclass(frozen=True, slots=True)
class Summary:
    """damage: what is wrong with the game, "" where it is whole, or nobody has looked yet; pending: nothing but the
    players is known yet.

    The facts of a damaged game tell of the part that can be read, which may be nothing.
    """

    row: ArchivedGame
    facts: Facts
    damage: str = ""
    pending: bool = False

    @property
    def id(self) -> str:
        """What the archive calls it."""
        return self.row.id

    @property
    def game(self) -> str:
        """Its id, as in `engine.registry`."""
        return self.row.game

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seat order."""
        return self.facts.players

    @property
    def events(self) -> int:
        """How many lines its record has."""
        return self.facts.events

    @property
    def winners(self) -> tuple[str, ...]:
        """Names of the winners: several after a tie, () while the game runs."""
        return self.facts.winners

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.facts.winners)

    @property
    def begun(self) -> datetime:
        """When, UTC."""
        return self.row.begun

    @property
    def touched(self) -> datetime:
        """When something was last recorded in it, UTC."""
        return self.row.touched

    @property
    def club_table(self) -> str:
        """Which table of a club played it, "" at home."""
        return self.row.club_table

    def body(self) -> dict[str, Any]:
        """As plain data for JSON."""
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
