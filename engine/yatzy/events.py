"""The events of the game as values, and their one-line text.

    roll 6 5 5 2 1 · keep 5 5 · keep none · score full-house

`keep` names all dice that stay, also those kept before. An event does not know its seat; the record's entry does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import Unreadable
from engine.events import Keep as Keep
from engine.events import Roll as Roll
from engine.events import dice_event_text, read_keep, read_roll
from engine.yatzy.names import box_named


@dataclass(frozen=True, slots=True)
class Score:
    """The dice were scored in this box; the turn ends."""

    verb: ClassVar[str] = "score"

    box: str


Event = Roll | Keep | Score


def event_text(event: Event) -> str:
    """The event as in a record, without the seat."""
    return f"score {event.box}" if isinstance(event, Score) else dice_event_text(event)


def read_event(text: str) -> Event:
    """Parses an event without its seat, in any case, with names of boxes in any language.

    Raises:
        Unreadable: It is not an event.
    """
    verb, *words = text.split() or [""]
    match verb.lower():
        case "roll":
            return read_roll(words)
        case "keep":
            return read_keep(words)
        case "score":
            box = box_named(" ".join(words))
            if box is None:
                raise Unreadable("there is no box “{text}” on the scoresheet", text=" ".join(words))
            return Score(box)
    raise Unreadable("“{verb}” is not a known entry. Write roll, keep or score", verb=verb)
