"""The referee as one belief about the running turn, filtered from what vision sees.

`observation` turns readings into evidence (`distances` between dice), `model` is the hidden state, `association` and
`successors` say what may have happened between two scenes, with the `Transitions` of each game, `beam` keeps the likeliest
ones; `card_marks` weighs which cards lie across; `questions` asks where they differ, `purchases` tries what nobody has
entered, `publish` compares them with the record, `conclude` says what is told and what is asked now, `answers` tells a
turn anew; `referee` speaks to the table and begins at a `checkpoint`. `counting` says what is missing, `sentences`
holds all that is said.
"""

from __future__ import annotations

from companion.game.referee.referee import BeliefReferee
from companion.game.referee.verdict import Referee
from companion.plugins import plugin
from engine.record import Record


def referee_for(record: Record) -> Referee | None:
    """Who explains the camera's readings in this game; None where its dice are entered by hand only."""
    transitions = plugin(record.game.ID).transitions
    return None if transitions is None else BeliefReferee(transitions)


__all__ = ["Referee", "referee_for"]
