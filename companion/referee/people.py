"""What the lines of a game say of the running turn and of the people who entered some of them."""

from __future__ import annotations

from companion.game.timeline import Timeline


def turn_began(timeline: Timeline) -> int:
    """The place of the running turn's first line."""
    states = timeline.replay.states
    place = max((i for i, state in enumerate(states) if not state.turn.rolled), default=0)
    while place and not states[place - 1].turn.rolled and states[place - 1].seat == states[place].seat:
        place -= 1  # cards used before the first roll
    return place


def person_was_here(timeline: Timeline, known: tuple[int, ...]) -> bool:
    """Whether lines were changed by a person since, or a purchase was entered because its card was seen: dice never
    say what was bought."""
    numbers = {line.number for line in timeline.lines}
    return any(n not in numbers for n in known) or any(
        line.by == "person" or (line.number > 0 and line.move.startswith("buy "))
        for line in timeline.lines
        if line.number not in known
    )


def person_threw(timeline: Timeline, known: tuple[int, ...]) -> bool:
    """Whether a throw was entered by hand: the dice on the table may be that throw."""
    return any(line.move.startswith(("roll ", "use ")) for line in timeline.lines if line.number not in known)
