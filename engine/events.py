"""Events that several games share, and their text in records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Faces, dice_text, faces, read_dice
from engine.errors import Unreadable


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll and the faces it shows."""

    verb: ClassVar[str] = "roll"

    dice: Faces

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", faces(self.dice))


@dataclass(frozen=True, slots=True)
class Keep:
    """Dice that are kept or set aside, as the rules of the game define it."""

    verb: ClassVar[str] = "keep"

    dice: Faces

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", faces(self.dice))


@dataclass(frozen=True, slots=True)
class Pass:
    """The player declines to act."""

    verb: ClassVar[str] = "pass"


def dice_event_text(event: Roll | Keep) -> str:
    """The event without its seat: `roll 6 5 2`, `keep none`."""
    return f"{event.verb} {dice_text(event.dice) or 'none'}"


def read_roll(words: Sequence[str]) -> Roll:
    """Parses the words after `roll`. Raises Unreadable."""
    return Roll(some_dice(words, "roll"))


def read_keep(words: Sequence[str]) -> Keep:
    """Parses the words after `keep`: dice, or `none`. Raises Unreadable."""
    if not words:
        raise Unreadable("“keep” needs the dice to keep, or “none”")
    return Keep(() if [word.lower() for word in words] == ["none"] else read_dice(words))


def some_dice(words: Sequence[str], verb: str) -> Faces:
    """Parses at least one die. Raises Unreadable."""
    if not words:
        raise Unreadable("“{verb}” needs dice", verb=verb)
    return read_dice(words)


def nothing_after(words: Sequence[str], verb: str) -> None:
    """Checks that no words follow the verb. Raises Unreadable."""
    if words:
        raise Unreadable("“{verb}” takes nothing after it; remove “{rest}”", verb=verb, rest=" ".join(words))
