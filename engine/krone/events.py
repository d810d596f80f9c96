"""The events of the game as values, and their one-line text.

    roll 5 5 2 · keep 5 5 · use laborer · use queen 6 · use fool 5 > 3 · use alchemist 6 2 1 > 3 3 3 · buy farmer ·
    pass

Dice lists are multisets on both sides of `>`, in descending order. An event does not know its seat; the record's entry
does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Faces, dice_text, faces, read_dice
from engine.errors import Unreadable
from engine.events import Keep as Keep
from engine.events import Pass as Pass
from engine.events import Roll as Roll
from engine.events import nothing_after, read_roll, some_dice
from engine.krone.names import read_card


@dataclass(frozen=True, slots=True)
class Use:
    """A card was used: the dice in `before` now show `after`. A card that adds a die has no `before`; the Queen has
    only `after`."""

    verb: ClassVar[str] = "use"

    card: str
    before: Faces = ()
    after: Faces = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "before", faces(self.before))
        object.__setattr__(self, "after", faces(self.after))


@dataclass(frozen=True, slots=True)
class Buy:
    """The card was bought with this turn's result; the turn ends."""

    verb: ClassVar[str] = "buy"

    card: str


Event = Roll | Keep | Use | Buy | Pass


def event_text(event: Event) -> str:
    """The event as in a record, without the seat."""
    match event:
        case Roll(dice) | Keep(dice):
            return f"{event.verb} {dice_text(dice)}"
        case Use(card, (), ()):
            return f"use {card}"
        case Use(card, (), after):
            return f"use {card} {dice_text(after)}"
        case Use(card, before, after):
            return f"use {card} {dice_text(before)} > {dice_text(after)}"
        case Buy(card):
            return f"buy {card}"
        case Pass():
            return "pass"


def read_event(text: str) -> Event:
    """Parses an event without its seat, in any case, with card names in any language.

    Raises:
        Unreadable: It is not an event.
    """
    verb, rest = [*text.split(None, 1), "", ""][:2]
    match verb.lower():
        case "roll":
            return read_roll(rest.split())
        case "keep":
            return Keep(some_dice(rest.split(), "keep"))
        case "buy":
            return Buy(read_card(rest))
        case "pass":
            nothing_after(rest.split(), "pass")
            return Pass()
        case "use":
            return _read_use(rest)
    raise Unreadable("“{verb}” is not a known entry. Write roll, keep, use, buy or pass", verb=verb)


def _read_use(text: str) -> Use:
    left, arrow, right = text.partition(">")
    words = left.split()
    split = next((i for i, word in enumerate(words) if word[0] in "0123456789?+-"), len(words))
    card, named = read_card(" ".join(words[:split])), read_dice(words[split:])
    if not arrow:
        return Use(card, after=named)
    if not named:
        raise Unreadable("write the dice before the change in front of “>”", line=None)
    return Use(card, named, some_dice(right.split(), ">"))


def merged(first: Event, second: Event) -> Event | None:
    """Two adjacent events as one if the record writes them so: dice set aside one after the other."""
    if isinstance(first, Keep) and isinstance(second, Keep):
        return Keep(first.dice + second.dice)
    return None
