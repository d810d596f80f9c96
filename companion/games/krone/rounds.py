"""The cards bought in each round of Um Krone und Kragen."""

from __future__ import annotations

from companion.advice.statistics import Taken
from engine.games import SEATS
from engine.krone.events import Buy, Pass
from engine.replay import Replay


def cards_by_round(replay: Replay) -> tuple[Taken, ...]:
    """Purchases by round. A player who plays twice in a row does so in two rounds."""
    taken: dict[int, list[tuple[str, ...]]] = {}
    players = len(replay.record.players)
    for entry, before in zip(replay.record.entries, replay.states, strict=False):
        if isinstance(entry.event, Buy | Pass) and not before.final:
            row = taken.setdefault(before.round, [()] * players)
            row[SEATS.index(entry.seat)] = (entry.event.card,) if isinstance(entry.event, Buy) else ()
    return tuple(Taken(number, tuple(cards)) for number, cards in sorted(taken.items()))
