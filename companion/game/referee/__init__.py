"""The referee: a Bayes filter over histories of the running turn. docs/how-it-works/live-table.md explains it.

Evidence: `observation` turns readings into `stays` and snapshots (`same_die`, `distances`).
Hypotheses: `model`, scored with `priors`; `beam` keeps the likeliest ones and starts from a `checkpoint`.
Transitions: `successors` and `association`, `suspension` (not this game), `purchases` (not entered), `card_marks`
(turned
cards), and for each game its `transitions`: `krone` with `krone_cards` and `krone_throws`, `knatsch`.
Results: `publish` compares the belief with the record, `questions`, `effects` and `alike` say what to ask, `conclude`
decides what to record now, `answers` explains a turn again after an answer, `counting` and `sentences` say what is
missing.
`referee` is what the table talks to; its results are `verdict`s, and `faults` keeps it running.
"""

from __future__ import annotations

from companion.game.referee import knatsch, krone
from companion.game.referee.referee import BeliefReferee
from companion.game.referee.transitions import Transitions
from companion.game.referee.verdict import Referee
from engine.record import Record

_HABITS: dict[str, Transitions] = {"krone": krone, "knatsch": knatsch}


def referee_for(record: Record) -> Referee:
    """The referee of this game."""
    return BeliefReferee(_HABITS[record.game.ID])


__all__ = ["Referee", "referee_for"]
