"""Tries purchases that no player has entered, where they explain the observations better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.game.changes import Line
from companion.game.referee.model import Hypothesis, Purchase
from companion.game.referee.priors import PRIORS
from companion.game.timeline import Timeline, legal
from companion.plugins import plugin

MAX_PURCHASES = 2
LAST_OPEN = 3  # last turns of a player whose purchases may still show


def bought(timeline: Timeline, most: int = MAX_PURCHASES) -> Iterator[tuple[Timeline, tuple[Purchase, ...], float]]:
    """Courses in which open purchases of one player are made, with these purchases and the log chance that no player
    entered them.

    Only the player's last turns count: an older purchase would have shown, and a whole evening may leave them all open.
    """
    turns = list(timeline.open_turns())
    for seat in sorted({turn.seat for turn in turns}):
        own = [turn.index for turn in turns if turn.seat == seat]
        yield from _bought(timeline, seat, own[-LAST_OPEN:][0], (), 0.0, most)


def _bought(
    timeline: Timeline, seat: str, first: int, found: tuple[Purchase, ...], cost: float, most: int
) -> Iterator[tuple[Timeline, tuple[Purchase, ...], float]]:
    for turn in timeline.open_turns() if most else ():
        if turn.index < first or turn.seat != seat:
            continue
        for place, card in enumerate(plugin(timeline.game.ID).bought_late):
            event = f"{turn.seat} buy {card}"
            if not legal(timeline.game, timeline.replay.states[turn.index], event):
                continue
            then = timeline.spliced(turn.index, 0, [Line(0, event, "camera")])
            if then.replay.broken is None:
                more, price = (*found, Purchase(event, turn.index)), cost + PRIORS.bought + PRIORS.dearer * place
                yield then, more, price
                yield from _bought(then, seat, turn.index + 1, more, price, most - 1)


def richer(timeline: Timeline, begin: int, hypotheses: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    """Copies of the hypotheses, which begin at this place of the record, preceded by purchases that no player has
    entered."""
    for then, purchases, cost in bought(timeline):
        if purchases[-1].at <= begin and then.replay.states != timeline.replay.states:
            base = then.replay.states[begin + len(purchases)]
            others = (h.replace(bought=purchases).weighted(cost).replayed(base) for h in hypotheses)
            yield from (other for other in others if other is not None)
