"""Previews a correction: the later lines that would become illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from companion.game.changes import Line
from companion.game.timeline import Timeline, after, legal
from engine.errors import Illegal

MAX_LISTED = 4


@dataclass(frozen=True, slots=True)
class Consequences:
    """The result of a preview.

    Attributes:
        refused: Why the new line itself is illegal there.
        corrected_too: Lines that are corrected with it.
        broken: The first later lines that become illegal, each with the reason.
        more: There are more of them.
    """

    refused: Illegal | None
    corrected_too: tuple[Line, ...]
    broken: tuple[tuple[Line, Illegal], ...]
    more: bool


def consequences(timeline: Timeline, place: int, removed: int, lines: tuple[Line, ...], event: str) -> Consequences:
    """The preview of replacing the `removed` lines at `place` by `lines`.

    Args:
        event: The event that a person enters, "" for a removal.
    """
    old_events = {line.event for line in timeline.lines[place : place + removed]}
    changed = timeline.spliced(place, removed, lines)
    old_states = {line.number: state for line, state in zip(timeline.lines, timeline.replay.states, strict=False)}
    illegal = list(islice(_illegal_lines(changed, place, old_states), MAX_LISTED + 2))
    refused = next((why for line, why in illegal if line in lines and line.event == event), None)
    later = tuple(one for one in illegal if one[1] is not refused)
    corrected_too = tuple(line for line in lines if line.event != event and line.event not in old_events)
    return Consequences(refused, corrected_too, later[:MAX_LISTED], len(later) > MAX_LISTED)


def _illegal_lines(timeline: Timeline, place: int, old_states: Mapping[int, Any]) -> Iterator[tuple[Line, Illegal]]:
    """Lines from `place` on that are illegal, each with its reason.

    An illegal line is skipped. If the next player cannot act then, the game continues from the state that this line had
    before the correction (`former`, by line number).
    """
    game, states = timeline.game, timeline.replay.states
    place = min(place, len(states) - 1)
    state = states[place]
    for index, line in enumerate(timeline.lines[place:], place):
        try:
            state = after(game, state, line.event)
        except Illegal as why:
            yield line, why
            following = timeline.lines[index + 1 : index + 2]
            if following and following[0].seat != state.seat and not legal(game, state, following[0].event):
                state = old_states.get(following[0].number, state)
