"""Purchases that nobody has entered: what else may be on record, where that explains what is seen better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.game.changes import Line
from companion.game.referee.priors import PRIORS
from companion.game.timeline import Timeline, legal
from engine.krone.cards import CARDS, ORDER

if TYPE_CHECKING:
    from companion.game.referee.model import Hypothesis

MOST_PURCHASES = 2
LAST_OPEN = 3  # turns of a player whose purchases may still show


class Purchase(NamedTuple):
    """One purchase. event: seat and text; at: its place in the record, with those before it made."""

    event: str
    at: int


def bought(timeline: Timeline, most: int = MOST_PURCHASES) -> Iterator[tuple[Timeline, tuple[Purchase, ...], float]]:
    """The course with open purchases of one player made, these, and the log chance of nobody having entered them.

    Only her last turns: what she bought before would have shown, and an evening may leave them all open.
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
        for card in CARDS:
            event = f"{turn.seat} buy {card}"
            if card == "king" or not legal(timeline.game, timeline.replay.states[turn.index], event):
                continue
            then = timeline.spliced(turn.index, 0, [Line(0, event, "camera")])
            if then.replay.broken is None:
                more, price = (*found, Purchase(event, turn.index)), cost + PRIORS.bought + PRIORS.dearer * ORDER[card]
                yield then, more, price
                yield from _bought(then, seat, turn.index + 1, more, price, most - 1)


def richer(timeline: Timeline, begin: int, hypotheses: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    """These, which begin at this place of the record, with purchases made before that nobody has entered."""
    for then, purchases, cost in bought(timeline):
        if purchases[-1].at <= begin and then.replay.states != timeline.replay.states:
            base = then.replay.states[begin + len(purchases)]
            others = (h.replace(bought=purchases).weighted(cost).replayed(base) for h in hypotheses)
            yield from (other for other in others if other is not None)
