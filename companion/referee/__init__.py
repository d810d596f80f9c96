"""From readings to events: what the dice on the table mean for the running game."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from companion.referee.knatsch import KnatschReferee
from companion.referee.krone import KroneReferee
from companion.referee.verdict import Referee
from engine.record import Record

_REFEREES: Mapping[str, Callable[[], Referee]] = {"krone": KroneReferee, "knatsch": KnatschReferee}


def referee_for(record: Record) -> Referee | None:
    """Who explains the camera's readings in this game."""
    if os.environ.get("COURTSIDE_REFEREE") == "belief":  # while it is being built
        from companion.game.referee import knatsch, krone
        from companion.game.referee.referee import BeliefReferee

        return BeliefReferee(krone) if record.game.ID == "krone" else BeliefReferee(knatsch)
    return _REFEREES[record.game.ID]()


__all__ = ["Referee", "referee_for"]
