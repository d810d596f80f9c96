"""Finds the events that must be recorded before a person's line so that it is legal."""

from __future__ import annotations

from companion.game.moves import played, read_moves
from companion.game.referee import Referee
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline, implied, legal


def what_comes_before(
    timeline: Timeline, referee: Referee | None, seen: Verdict, event: str
) -> tuple[Verdict, tuple[str, ...]] | None:
    """Events from the camera and events implied by the line; None if nothing makes the line legal.

    Args:
        referee: None if nothing has been seen.
        seen: Its last verdict.
    """
    game = timeline.game
    shown = [one.event for one in seen.preview]
    if event in shown:  # the player confirms a reading that was only shown
        return Verdict(seen.preview[: shown.index(event)]), ()
    verdicts = [Verdict(), Verdict(seen.preview)]
    if referee is not None and game.ends_turn(game.read_event(event[2:])):
        ending = referee.ending(timeline, event)
        verdicts += [ending] if ending.appends else []
    states = [
        played(game, timeline.state, read_moves(game, (found.event for found in verdict.findings)))
        for verdict in verdicts
    ]
    for verdict, state in zip(verdicts, states, strict=True):
        if state is not None and legal(game, state, event):
            return verdict, ()
    for verdict, state in zip(reversed(verdicts), reversed(states), strict=True):
        implied_events = () if state is None else implied(game, state, event)
        if implied_events and legal(game, played(game, state, read_moves(game, implied_events)), event):
            return verdict, implied_events
    return None
