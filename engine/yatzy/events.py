"""The events of the game as values, and their one-line text.

    roll 6 5 5 2 1 · keep 5 5 · keep none · score full-house

An event does not know its seat; the record's entry does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Faces, dice_text, faces, read_dice
from engine.errors import Unreadable
from engine.yatzy.names import box_named


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice that are not kept were rolled and show this."""

    verb: ClassVar[str] = "roll"

    dice: Faces

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", faces(self.dice))


@dataclass(frozen=True, slots=True)
class Keep:
    """All dice that stay on the table, including those kept before; the others will be rolled. May be none."""

    verb: ClassVar[str] = "keep"

    dice: Faces

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", faces(self.dice))


@dataclass(frozen=True, slots=True)
class Score:
    """The dice were scored in this box; the turn ends."""

    verb: ClassVar[str] = "score"

    box: str


Event = Roll | Keep | Score


def event_text(event: Event) -> str:
    """The event as in a record, without the seat."""
    match event:
        case Roll(dice):
            return f"roll {dice_text(dice)}"
        case Keep(dice):
            return f"keep {dice_text(dice) or 'none'}"
        case Score(box):
            return f"score {box}"


def read_event(text: str) -> Event:
    """Parses an event without its seat, in any case, with names of boxes in any language.

    Raises:
        Unreadable: It is not an event.
    """
    verb, rest = [*text.split(None, 1), "", ""][:2]
    match verb.lower():
        case "roll":
            if not rest.strip():
                raise Unreadable("“{verb}” needs dice", verb="roll")
            return Roll(read_dice(rest.split()))
        case "keep":
            if not rest.strip():
                raise Unreadable("“keep” needs the dice to keep, or “none”")
            return Keep(() if rest.strip().lower() == "none" else read_dice(rest.split()))
        case "score":
            box = box_named(rest)
            if box is None:
                raise Unreadable("there is no box “{text}” on the scoresheet", text=rest.strip())
            return Score(box)
    raise Unreadable("“{verb}” is not a known entry. Write roll, keep or score", verb=verb)
