"""The events of a game that are announced on every screen: what a turn came to, attacks, the King, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game.changes import Line, Sentence
from companion.games.parts import AnnouncementKind, Said

Describe = Callable[[Any, Any, Line], Said | None]
_NEWEST = 8  # lines among which the latest announcement is looked for


@dataclass(frozen=True, slots=True)
class Moment:
    """One announced event.

    Attributes:
        number: of its line in the record; the page announces each number once.
        sentence: what happened.
        kind: which sound belongs to it.
        great: it is announced across the whole width.
    """

    number: int
    sentence: Sentence
    kind: AnnouncementKind

    @property
    def great(self) -> bool:
        """Whether everybody at the table looks up."""
        return self.kind == "crown"


def latest_moment(lines: Sequence[Line], states: Sequence[Any], describe: Describe) -> Moment | None:
    """The latest announced event. states: the position before each line, and after the last one."""
    last = min(len(lines), len(states) - 1)
    for place in range(last, max(0, last - _NEWEST), -1):
        said = describe(states[place - 1], states[place], lines[place - 1])
        if said is not None:
            return Moment(lines[place - 1].number, *said)
    return None
