"""The referee: a Bayes filter over histories of the running turn. docs/how-it-works/live-table.md explains it.

Evidence: `observation` turns readings into `stays` and snapshots (`same_die`, `distances`).
Hypotheses: `model`, scored with `priors`; `beam` keeps the likeliest ones and starts from a `checkpoint`.
Transitions: `successors` and `association`, `suspension` (not this game), `purchases` (not entered), `card_marks`
(turned cards), and each game's transition model, in its plug-in.
Results: `publish` compares the belief with the record, `questions`, `effects` and `alike` say what to ask, `conclude`
decides what to record now, `answers` explains a turn again after an answer, `counting` and `sentences` say what is
missing.
`referee` is what the table talks to; its results are `verdict`s, and `faults` keeps it running.
"""

from __future__ import annotations

from companion.game.referee.referee import Referee
from companion.plugins import plugin
from engine.record import Record


def referee_for(record: Record) -> Referee | None:
    """The referee for this game; None if its dice are entered by hand only."""
    transitions = plugin(record.game.ID).transitions
    return None if transitions is None else Referee(transitions)


__all__ = ["Referee", "referee_for"]
