"""The events that are announced on every screen: results of turns, what a player must react to, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game.changes import Line, Sentence
from companion.games.parts import Announcement, AnnouncementKind

Describe = Callable[[Any, Any, Line], Announcement | None]
_NEWEST = 8  # lines searched for the latest announcement


@dataclass(frozen=True, slots=True)
class Moment:
    """One announced event.

    Attributes:
        number: Of its line in the record; the page announces each number once.
        sentence: What happened.
        kind: Which sound belongs to it.
        great: Whether the moment is announced across the whole width.
    """

    number: int
    sentence: Sentence
    kind: AnnouncementKind

    @property
    def great(self) -> bool:
        """Whether the moment is announced across the whole width."""
        return self.kind == "great"


def latest_moment(lines: Sequence[Line], states: Sequence[Any], describe: Describe) -> Moment | None:
    """The latest announced event.

    Args:
        states: The state before each line, and after the last one.
    """
    last = min(len(lines), len(states) - 1)
    for place in range(last, max(0, last - _NEWEST), -1):
        announcement = describe(states[place - 1], states[place], lines[place - 1])
        if announcement is not None:
            return Moment(lines[place - 1].number, *announcement)
    return None
