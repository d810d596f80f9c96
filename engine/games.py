"""The games by id, and the one small interface through which records, pages and commands play them.

A game is a package `engine/<id>/` with a module `game` holding the functions of `Game` below. Seats are letters from
"A". An event is a frozen value of the game's own making; everybody else treats it as opaque and passes it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, cast

from engine.dice import Faces
from engine.errors import Unreadable
from engine.registry import GAME_IDS, SEATS

__all__ = ["GAME_IDS", "SEATS", "Event", "Game", "Setup", "State", "game"]

Event = Any
"""An event of some game: frozen, hashable, equal by value."""


class State(Protocol):
    """What every game's position can say."""

    GAME: ClassVar[str]  # its game's id

    @property
    def seat(self) -> str:
        """Whose turn it is (the last one's when finished)."""

    @property
    def round(self) -> int: ...
    @property
    def finished(self) -> bool: ...
    @property
    def winner(self) -> str | None:
        """The winner's seat."""

    @property
    def open(self) -> tuple[str, ...]:
        """Seats with a purchase still open; () in a game that knows no late purchases."""

    @property
    def waiting(self) -> Sequence[object]:
        """One value for each past turn whose purchase is still open; () likewise."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a header says about the start: number of players, ruleset, `[Position]` if any, and all tags (name →
    values)."""

    players: int
    ruleset: str
    position: str | None = None
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


class Course(NamedTuple):
    """Events of the running turn and the position after them.

    Attributes:
        events: Of the seat on turn, in order.
        state: The position after the last one.
    """

    events: tuple[Event, ...]
    state: Any


class Game(Protocol):
    """The functions of a game's `game` module."""

    ID: str
    RULESETS: tuple[str, ...]  # the first is the default
    PLAYERS: range
    TAGS: tuple[str, ...]  # header tags of this game alone, in the order the writer puts them

    def start(self, setup: Setup) -> Any:
        """The first position. Raises Unreadable with `tag` set when a tag's value makes no sense."""

    def verify(self, state: Any, seat: str, event: Event) -> None:
        """Raises Illegal unless this seat may do this now."""

    def can(self, state: Any, seat: str, event: Event) -> bool: ...

    def play(self, state: Any, seat: str, event: Event) -> Any:
        """The position after; raises Illegal as verify does."""

    def implied(self, state: Any, seat: str, event: Event) -> Sequence[Event]:
        """What goes without saying before this event because it needs it, in order; () mostly."""

    def legal(self, state: Any) -> Sequence[Any]:
        """What play accepts: (seat, event) pairs, or patterns where there are too many to list."""

    def read_event(self, text: str) -> Event:
        """The event of a record's line without its seat. Raises Unreadable."""

    def event_text(self, event: Event) -> str:
        """The canonical text of the event, read_event's inverse."""

    def merged(self, first: Event, second: Event) -> Event | None:
        """Two adjacent events of one seat as the one event a record writes for them; None where they stay two."""

    def on_turn(self, state: Any) -> str:
        """Whose turn it is, also while it is another seat that throws."""

    def on_table(self, state: Any) -> tuple[Faces, Faces]:
        """The dice that lie there, of the seat that throws: those that may be thrown again, and those that stay."""

    def rolled(self, event: Event) -> Faces:
        """The dice that this event rolled, 0 for an unread one; () for an event that rolls none."""

    def ends_turn(self, event: Event) -> bool:
        """Whether this event can fill in a turn that was left open (Krone: buy, pass)."""

    def position_text(self, state: Any) -> str:
        """The position in one line, without double quotes or line breaks; `start` reads it back."""

    def tableaux(self, state: Any) -> Sequence[Sequence[str]]:
        """Card ids in front of each player, in seat order."""

    def display(self, state: Any) -> Mapping[str, int | None]:
        """Card id → copies still for sale, every card, None = unlimited."""

    def rematch_tags(self, state: Any) -> Mapping[str, str]:
        """Header tags with which the same players begin another game with the same box: options, what was learned."""

    def details(self, state: Any, names: Sequence[str]) -> Mapping[str, Any]:
        """What other programs want to know besides of this game's position, as plain data for JSON; `names` in seat
        order."""


@cache
def game(name: str) -> Game:
    """The game of this id. Raises Unreadable for an unknown one."""
    if name not in GAME_IDS:
        known = " and ".join(GAME_IDS)
        raise Unreadable("there is no game “{name}”. Courtside knows {known}", tag="Game", name=name, known=known)
    return cast(Game, import_module(f"engine.{name}.game"))
