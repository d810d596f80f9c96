"""The events of the game as values, and their one-line text. The package's docstring explains the verbs.

    deal castle-red 3-3-3+2 · reveal left dice-4 4-4-4+1 · combination B castle-red 3-3-3+1 · under right · guard
    castle-red castle-blue target left · target B castle-red · target king · roll 6 6 5 5 3 2 · keep 5 5 · keep none
    · stop · pass · lose castle-red left

An event does not know its seat; the record's entry does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.events import Keep as Keep
from engine.events import Pass as Pass
from engine.events import Roll as Roll
from engine.events import dice_event_text
from engine.knatsch.combination import Combination

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")


@dataclass(frozen=True, slots=True)
class Top:
    """The top card of a stack."""

    side: Side


@dataclass(frozen=True, slots=True)
class Held:
    """A card in front of a player."""

    seat: str
    card: str


@dataclass(frozen=True, slots=True)
class TheKing:
    """The King, on the goal card."""


Place = Top | Held | TheKing


@dataclass(frozen=True, slots=True)
class Deal:
    """Setup: the player drew this castle."""

    verb: ClassVar[str] = "deal"

    card: str
    shows: Combination | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """This card is on top of the stack. `shows` may be omitted if the deck has it or it becomes known later."""

    verb: ClassVar[str] = "reveal"

    side: Side
    card: str
    shows: Combination | None = None


@dataclass(frozen=True, slots=True)
class Learn:
    """The combination of a card becomes known (verb `combination`)."""

    verb: ClassVar[str] = "combination"

    place: Place
    shows: Combination


@dataclass(frozen=True, slots=True)
class Under:
    """The top card was put under its stack."""

    verb: ClassVar[str] = "under"

    side: Side


@dataclass(frozen=True, slots=True)
class Guard:
    """The Castle Guard protects these one or two castles now, or the Special Guard this special card; replaces
    earlier ones."""

    verb: ClassVar[str] = "guard"

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class Target:
    """The player named the card to capture."""

    verb: ClassVar[str] = "target"

    place: Place


@dataclass(frozen=True, slots=True)
class Stop:
    """The player makes no more throws."""

    verb: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Lose:
    """The King's revenge: this castle goes under that stack."""

    verb: ClassVar[str] = "lose"

    card: str
    side: Side


Event = Deal | Reveal | Learn | Under | Guard | Target | Roll | Keep | Stop | Pass | Lose


def place_text(place: Place) -> str:
    """The place as in a record: `left`, `B castle-red` or `king`."""
    match place:
        case Top(side):
            return side
        case Held(seat, card):
            return f"{seat} {card}"
        case TheKing():
            return "king"


def event_text(event: Event) -> str:
    """The event as in a record, without the seat."""
    match event:
        case Deal(card, shows):
            return f"deal {card}{_shown(shows)}"
        case Reveal(side, card, shows):
            return f"reveal {side} {card}{_shown(shows)}"
        case Learn(place, shows):
            return f"combination {place_text(place)} {shows}"
        case Under(side):
            return f"under {side}"
        case Guard(cards):
            return f"guard {' '.join(cards)}"
        case Target(place):
            return f"target {place_text(place)}"
        case Roll() | Keep():
            return dice_event_text(event)
        case Stop():
            return "stop"
        case Pass():
            return "pass"
        case Lose(card, side):
            return f"lose {card} {side}"


def _shown(shows: Combination | None) -> str:
    return "" if shows is None else f" {shows}"
