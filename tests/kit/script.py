"""What the players do, step by step, and how a game's record becomes such steps.

A step knows the record's line that is true once it is done. Steps that no record knows (a hand that rests in the
picture, a bumped camera) are mixed in by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Dice = tuple[int, ...]
ADDERS = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Somebody does something. line: the record's line it makes true, if any."""

    seat: str = "A"
    line: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Step):
    """All active dice, or those in the hand, are thrown and show `values`.

    lost: so many of them roll off the table, the first of `values`; cocked: so many lean on something.
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
    """Dice that were set aside are taken up again, to be thrown with the next throw (Knatsch)."""

    values: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Step):
    """Active dice are turned by hand: each of `before` to its fellow of `after`."""

    before: Dice
    after: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Step):
    """A die is laid down among the active ones showing `value`."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rethrow(Step):
    """Some active dice are thrown again, the others stay as they lie."""

    before: Dice
    after: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Step):
    """All dice are taken up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Step):
    """A person enters `line` (a purchase, a pass); nothing happens on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(Step):
    """Nothing happens for so many seconds."""

    seconds: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Step):
    """A hand lies in the picture for so many seconds; over the dice if `hide`."""

    seconds: float = 3.0
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge(Step):
    """An active die is pushed a little and shows what it showed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump(Step):
    """Somebody knocks against the camera: it looks elsewhere by so many mm on the table and degrees."""

    mm: float = 12.0
    degrees: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dim(Step):
    """The light changes to `gain` of what it was, within so many seconds."""

    gain: float = 0.6
    seconds: float = 0.4


def steps(record: str, *, late: Sequence[int] = ()) -> Iterator[Step]:
    """The steps that a record (text, header optional) describes.

    late: numbers (from 0) of the purchases entered only after the next player's first throw.
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
                yield Throw(seat=seat, values=dice, line=line)
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
        return Rethrow(seat=seat, before=before, after=after, line=line)
    return Turn(seat=seat, before=before, after=after, line=line)


def most_dice(script: Sequence[Step]) -> int:
    """The most dice that lie on the table at once."""
    active, kept, most = 0, 0, 0
    for step in script:
        match step:
            case Throw(values=values):
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
