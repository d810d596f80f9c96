"""The alternatives for one line of the record, as plain data without language and HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.game.changes import Line
from companion.game.record_line import RecordLine
from companion.games.parts import Group, Needs
from companion.plugins import plugin
from engine.dice import Faces, read_dice
from engine.games import Game


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative.

    Attributes:
        head: Its text up to the dice.
        needs: Which dice it names (both: those it was used on and what they became).
        line: For its words.
        fits: It is legal there, as far as the record says.
        chosen: It is what is recorded.
    """

    head: str
    group: Group
    needs: Needs
    line: RecordLine
    fits: bool
    chosen: bool


def split_dice(event: str) -> tuple[str, Faces]:
    """An event's text up to its last dice, and those dice."""
    words = event.split()
    first = len(words)
    while first and (words[first - 1].isdigit() or words[first - 1] == "?"):
        first -= 1
    return " ".join(words[:first]), read_dice(words[first:])


def parts(event: str) -> tuple[str, Faces, Faces]:
    """Head, dice it was used on, and the dice at its end: `A use fool 5 > 3` → `A use fool`, (5,), (3,)."""
    head, after = split_dice(event)
    if not head.endswith(">"):
        return head.removesuffix(" none"), (), after
    head, before = split_dice(head.removesuffix(">").strip())
    return head, before, after


def choices(game: Game, state: Any, line: Line, names: Mapping[str, str]) -> list[Alternative]:
    """The possible events of this seat in this state, and always the recorded one."""
    now, _, _ = parts(line.event)
    seat = line.seat
    found = [
        Alternative(f"{seat} {verb}", "dice", "dice", _record_line(game, f"{seat} {verb} 1", names), True, False)
        for verb in ("roll", "keep")
    ]
    offered = plugin(game.ID).view.choices(state, line)
    found += [
        Alternative(head, group, needs, _record_line(game, head, names), fits, False)
        for head, group, needs, fits in offered
    ]
    if now not in {choice.head for choice in found}:
        found.append(Alternative(now, "other", "", _record_line(game, now, names), True, False))
    return [replace(choice, chosen=choice.head == now) for choice in found]


def _record_line(game: Game, event: str, names: Mapping[str, str]) -> RecordLine:
    """The words of an event, whose dice are shown beside it."""
    line: RecordLine = plugin(game.ID).view.lines([Line(0, event, "person")], names)[0]
    return line
