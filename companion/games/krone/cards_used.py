"""What hands do with cards between two snapshots of Um Krone und Kragen: dice added, dice turned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from companion.game.referee.model import Act, Hypothesis
from companion.game.referee.priors import PRIORS
from engine.krone.cards import CARDS, ORDER

SEVERAL = ("philosopher", "alchemist", "noblewoman", "nobleman")  # cards that turn several dice, one after the other


def added(h: Hypothesis) -> set[int]:
    """As `Transitions.added`."""
    return {CARDS[card].pips for card in unused(h, "add")}


def turns(h: Hypothesis) -> bool:
    """As `Transitions.turns`."""
    return bool(unused(h, "change"))


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.by_hand`: cards added dice and turned some."""
    if new and not h.state.turn.rolled:
        return
    for more in _added(h, new, busy=False):
        if more.step_log_chance >= least:
            yield from _turned(more, throwing, aside, turned, bool(new), least)
    if new and h.pending:  # … or the other way about
        for one in _turned(h, throwing, aside, turned, False, least):
            if one.step_log_chance >= least and not one.pending:
                yield from _added(one, new, busy=True)


def unused(h: Hypothesis, *abilities: str) -> list[str]:
    """Cards of these abilities that the seat on turn may still use, the cheapest first."""
    own = h.state.tableau(h.state.seat)
    found = {card for card in own if CARDS[card].ability in abilities and card not in h.state.turn.used}
    return sorted(found, key=ORDER.__getitem__)


def _added(h: Hypothesis, names: Sequence[int], busy: bool) -> Iterator[Hypothesis]:
    """Card uses that add these dice."""
    if not names:
        yield h
        return
    name, rest = names[0], names[1:]
    for card in unused(h, "add"):
        if CARDS[card].pips not in (0, h.faces[name]):
            continue
        done = h.then(Act(h.state.seat, "use", card, after=(name,)), card_cost(card, busy) - PRIORS.card)
        if done is not None:
            yield from _added(done, rest, True)


def _turned(
    h: Hypothesis, throwing: bool, moved_aside: bool, turned: bool, busy: bool, least: float
) -> Iterator[Hypothesis]:
    """Card uses that explain the turned dice."""
    if not h.pending:
        yield h
        return
    real = tuple((old, new) for old, new in h.pending if h.faces[old] != h.faces[new])
    begun = h.weighted(PRIORS.put_back * (len(h.pending) - len(real)))  # a die was turned and turned back
    cards = unused(h, "change")
    named = turned or throwing  # a player who turns no dice now was finished before
    if named and begun.step_log_chance + PRIORS.card >= least:
        for card in cards:
            yield from _used(begun, card, real, h.pending, busy)
    several = named and 1 < len(real) <= 4 and begun.step_log_chance + 2 * PRIORS.card + PRIORS.second_card >= least
    for some in (some for size in range(1, len(real)) for some in combinations(real, size)) if several else ():
        others = tuple(pair for pair in real if pair not in some)
        for half in (half for card in cards for half in _used(begun, card, some, some, busy)):
            for card in unused(half, "change"):
                yield from _used(half, card, others, h.pending, True)
    if throwing or (not moved_aside and any(card in SEVERAL for card in cards)):
        # After the roll, or a card has turned only some of its dice so far, such as two of three.
        yield h


def _used(
    h: Hypothesis, card: str, pairs: Sequence[tuple[int, int]], settled: Iterable[tuple[int, int]], busy: bool
) -> Iterator[Hypothesis]:
    """The use of this card for these dice, where it is legal."""
    act = Act(h.state.seat, "use", card, tuple(old for old, _ in pairs), tuple(new for _, new in pairs))
    done = h.then(act, card_cost(card, busy))
    if done is None and card == "astronomer":  # it copies a die set aside, so the others set aside are final
        turned = {new for _, new in pairs}
        ready = h.kept(tuple(name for name in h.set_aside() if name not in turned))
        done = None if ready is None else ready.then(act, card_cost(card, busy))
    if done is not None:
        explained = set(settled)
        yield done.replace(pending=tuple(pair for pair in h.pending if pair not in explained))


def card_cost(card: str, busy: bool) -> float:
    """Log chance that this card is used. busy: directly after another one, with no snapshot in between."""
    return PRIORS.card + PRIORS.dearer * ORDER[card] + (PRIORS.second_card if busy else 0.0)
