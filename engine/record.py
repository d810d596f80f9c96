"""The record of a game as a value: header tags and entries.

The state of a game is the replay of its record (`engine.replay`). Its text form is in `engine.record_text`, its header
in `engine.record_header`. No rules are in here: each game defines its events (`engine.games`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from engine.games import GAME_IDS, SEATS, Event, Game, Setup, game

Witness = Literal["camera", "person"]
UNFINISHED = "*"


@dataclass(frozen=True, slots=True)
class Tag:
    """A header line `[Name "value" …]`.

    Attributes:
        line: Its 1-based line in a file; it does not count for equality.
    """

    name: str
    values: tuple[str, ...]
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the record.

    Attributes:
        seat: The player's seat.
        by: Who reported it.
        confidence: Probability that the camera read it correctly, 0..1; None for other witnesses.
        comments: Remarks in braces after it.
        line: Its 1-based line in a file; it does not count for equality.
    """

    seat: str
    event: Event
    by: Witness | None = None
    confidence: float | None = None
    comments: tuple[str, ...] = ()
    line: int | None = field(default=None, compare=False)

    def followed_by(self, other: Entry, event: Event) -> Entry:
        """This entry and the next one merged into one entry of `event`, with the less certain witness of the two."""
        by, sure = self.by, self.confidence
        if by != other.by:
            by, sure = ("person" if "person" in (by, other.by) else None), None
        elif sure is not None and other.confidence is not None:
            sure = min(sure, other.confidence)
        else:
            sure = None
        return replace(self, event=event, by=by, confidence=sure, comments=self.comments + other.comments)


@dataclass(frozen=True, slots=True)
class Record:
    """Header, remarks before the first event, and the events of the game in their current version."""

    tags: tuple[Tag, ...]
    entries: tuple[Entry, ...] = ()
    preface: tuple[str, ...] = ()

    def tag(self, name: str) -> Tag | None:
        """The header tag of this name; None if it is absent."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def value(self, name: str) -> str | None:
        """The single value of a tag; None if it is absent."""
        tag = self.tag(name)
        return tag.values[0] if tag and tag.values else None

    @property
    def game(self) -> Game:
        """The rules of the game, by default of the first one in the registry."""
        return game(self.value("Game") or GAME_IDS[0])

    @property
    def ruleset(self) -> str:
        """The ruleset, by default the first one of the game."""
        return self.value("Ruleset") or self.game.RULESETS[0]

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seat order."""
        tag = self.tag("Players")
        return tag.values if tag else ()

    def name(self, seat: str) -> str:
        """The name of the player in that seat."""
        return self.players[SEATS.index(seat)]

    def with_tag(self, name: str, *values: str) -> Record:
        """The record with this tag set, in its old place or at the end."""
        kept = tuple(Tag(name, values, tag.line) if tag.name == name else tag for tag in self.tags)
        return replace(self, tags=kept if self.tag(name) else (*self.tags, Tag(name, values)))

    def setup(self) -> Setup:
        """The data with which the game starts."""
        tags = {tag.name: tag.values for tag in self.tags}
        return Setup(len(self.players), self.ruleset, self.value("Position"), tags)
