"""The interface of a game, through which records, pages and commands play any of them.

A game is a package `engine/<id>/` with a module `game` that holds the functions of `Game` below. Seats are letters from
"A". An event is a frozen value of the game; other code treats it as opaque.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, cast

from engine.dice import Faces
from engine.errors import Unreadable
from engine.game_defaults import DEFAULTS
from engine.registry import GAME_IDS, SEATS

__all__ = ["GAME_IDS", "SEATS", "Event", "Game", "Setup", "game"]

Event = Any
"""An event of some game: frozen, hashable, equal by value.

Its class attribute `verb` is the first word of its text. Three verbs mean the same in every game and bring the same
attributes: a `roll` and a `keep` have `dice`; a `use` has `card`, and the dice `before` and `after`.
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a game from a record's header: number of players, ruleset, `[Position]` if any, and all tags
    (name → values)."""

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
    TAGS: tuple[str, ...]  # header tags of this game only, in the order of the writer

    def start(self, setup: Setup) -> Any:
        """The first state.

        Raises:
            Unreadable: A tag's value makes no sense; `tag` names it.
        """

    def verify(self, state: Any, seat: str, event: Event) -> None:
        """Raises Illegal unless this seat may do this now."""

    def can(self, state: Any, seat: str, event: Event) -> bool:
        """Whether `verify` accepts the event."""

    def play(self, state: Any, seat: str, event: Event) -> Any:
        """The state after the event.

        Raises:
            Illegal: As `verify` does.
        """

    def implied(self, state: Any, seat: str, event: Event) -> Sequence[Event]:
        """Events that this one requires and that players leave unsaid, in order; usually ()."""

    def legal(self, state: Any) -> Sequence[Any]:
        """All events that `play` accepts: (seat, event) pairs, or patterns if they are too many to list."""

    def explain(
        self, state: Any, active: Faces, kept: Faces, cards: int = 2, roll_count: int | None = None
    ) -> Sequence[Course]:
        """Every legal course of the seat on turn with at most one roll that leaves these dice, the inverse of `play`.

        Dice are set aside as late as the rules allow. Courses with needless events are left out.

        Args:
            active, kept: The dice on the table, as `on_table` returns them; 0 for an unread one.
            cards: The largest number of cards used.
            roll_count: The number of rolls, normal ones and those by cards; None if unknown.
        """

    def read_event(self, text: str) -> Event:
        """Parses the event of a record's line without its seat.

        Raises:
            Unreadable: The text is not an event.
        """

    def event_text(self, event: Event) -> str:
        """The canonical text of the event, which `read_event` parses."""

    def merged(self, first: Event, second: Event) -> Event | None:
        """Two adjacent events of one seat as the one event that a record writes; None if they stay two."""

    def on_turn(self, state: Any) -> str:
        """The seat on turn, even while another seat rolls."""

    def on_table(self, state: Any) -> tuple[Faces, Faces]:
        """The dice of the rolling seat: those that may be rolled again, and those that stay."""

    def rolled(self, event: Event) -> Faces:
        """The dice that this event rolled, 0 for an unread one; () if it rolls none."""

    def ends_turn(self, event: Event) -> bool:
        """Whether this event completes a turn that was left open: a purchase, or declining one."""

    def position_text(self, state: Any) -> str:
        """The state in one line without double quotes; `start` parses it."""

    def tableaux(self, state: Any) -> Sequence[Sequence[str]]:
        """Card ids in front of each player, in seat order."""

    def display(self, state: Any) -> Mapping[str, int | None]:
        """Card id → copies for sale, for every card; None means unlimited."""

    def rematch_tags(self, state: Any) -> Mapping[str, str]:
        """Header tags with which the same players start the next game: options and what was learned about the deck."""

    def details(self, state: Any, names: Sequence[str]) -> Mapping[str, Any]:
        """Further data about this game's state for other programs, ready for JSON. `names` are in seat order."""


@cache
def game(name: str) -> Game:
    """The game with this id.

    Raises:
        Unreadable: Unknown id.
    """
    if name not in GAME_IDS:
        known = " and ".join(GAME_IDS)
        raise Unreadable("there is no game “{name}”. Courtside knows {known}", tag="Game", name=name, known=known)
    module = import_module(f"engine.{name}.game")
    for answer in DEFAULTS:
        vars(module).setdefault(answer.__name__, answer)
    return cast(Game, module)
