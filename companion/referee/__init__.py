"""From readings to events: what the dice on the table mean for the running game."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from companion.game.referee import knatsch as knatsch_habits
from companion.game.referee import krone as krone_habits
from companion.game.referee.referee import BeliefReferee
from companion.referee.krone import KroneReferee
from companion.referee.verdict import Referee
from engine.record import Record

_REFEREES: Mapping[str, Callable[[], Referee]] = {
    "krone": KroneReferee,
    "knatsch": lambda: BeliefReferee(knatsch_habits),
}


def referee_for(record: Record) -> Referee | None:
    """Who explains the camera's readings in this game."""
    if record.game.ID == "krone" and os.environ.get("COURTSIDE_REFEREE") == "belief":  # while it is being built
        return BeliefReferee(krone_habits)
    return _REFEREES[record.game.ID]()


__all__ = ["Referee", "referee_for"]
