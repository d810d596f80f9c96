"""The players' actions as steps, and the conversion of a record into steps.

Each step has the line of the record that it makes true. Steps that no record contains (a resting hand, a bumped camera)
are added by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Dice = tuple[int, ...]
ADDERS = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action. `line` is the line of the record that it makes true, if any."""

    seat: str = "A"
    line: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDice(Step):
    """All active dice, or those in the hand, are rolled and show `values`.

    Attributes:
        lost: Number of dice that roll off the table, the first ones of `values`.
        cocked: Number of dice that lean against something.
    """

    values: Dice
    lost: int = 0
    cocked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(Step):
    """Active dice are set aside one by one."""

    values: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Step):
    """Dice that were set aside are taken up for the next roll (Knatsch)."""

    values: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Step):
    """Active dice are turned by hand, each face of `before` to the corresponding one of `after`."""

    before: Dice
    after: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Step):
    """A die that shows `value` is placed among the active ones."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollDice(Step):
    """Some active dice are rolled again, and the others stay."""

    before: Dice
    after: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Step):
    """All dice are taken from the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Step):
    """A person enters `line` (a purchase, a pass); nothing happens on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(Step):
    """Nothing happens for this many seconds."""

    seconds: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Step):
    """A hand rests in the image for this many seconds, over the dice if `hide`."""

    seconds: float = 3.0
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge(Step):
    """An active die is pushed a little and keeps its face."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump(Step):
    """A knock turns the camera, by millimetres on the table and degrees."""

    mm: float = 12.0
    degrees: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dim(Step):
    """The light changes by the factor `gain` within this many seconds."""

    gain: float = 0.6
    seconds: float = 0.4


def steps(record: str, *, late: Sequence[int] = ()) -> Iterator[Step]:
    """The steps that a record (text, header optional) describes.

    late: Indices (from 0) of purchases that are entered after the next player's first roll.
    """
    owed: list[Step] = []
    rolled, turn = False, 0
    for raw in record.splitlines():
        line = re.sub(r"\{[^}]*\}", "", raw).strip()
        if not line or line.startswith("["):
            continue
        seat, verb, *words = line.split()
        dice = tuple(int(word) for word in words if word in "123456")
        match verb:
            case "roll":
                yield RollDice(seat=seat, values=dice, line=line)
                rolled = True
                yield from owed
                owed.clear()
            case "keep":
                yield Keep(seat=seat, values=dice, line=line)
            case "use" if rolled:
                yield _use(seat, words, line)
            case "buy" | "pass":
                entered = Enter(seat=seat, line=line)
                if turn in late:
                    owed.append(entered)
                else:
                    yield entered
                if rolled:
                    yield Clear(seat=seat)
                rolled, turn = False, turn + 1
    yield from owed


def _use(seat: str, words: list[str], line: str) -> Step:
    card = words[0]
    if card in ADDERS:
        return Add(seat=seat, value=ADDERS[card], line=line)
    if card == "queen":
        return Add(seat=seat, value=int(words[1]), line=line)
    cut = words.index(">")
    before, after = tuple(map(int, words[1:cut])), tuple(map(int, words[cut + 1 :]))
    if card in ("fool", "merchant"):
        return RerollDice(seat=seat, before=before, after=after, line=line)
    return Turn(seat=seat, before=before, after=after, line=line)


def most_dice(script: Sequence[Step]) -> int:
    """The largest number of dice on the table at the same time."""
    active, kept, most = 0, 0, 0
    for step in script:
        match step:
            case RollDice(values=values):
                active = len(values)
            case Keep(values=values):
                active, kept = active - len(values), kept + len(values)
            case Add():
                active += 1
            case Clear():
                active = kept = 0
            case _:
                pass
        most = max(most, active + kept)
    return most
