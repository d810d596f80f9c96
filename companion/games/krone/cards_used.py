"""Explains dice that were added or turned with cards between two snapshots of Um Krone und Kragen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.game.referee.model import Act, Hypothesis, Zone
from companion.game.referee.priors import PRIORS
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Event, Keep, Use
from engine.krone.explain import EXCHANGED, MAX_CARDS, RAISED, explain

Pairs = Sequence[tuple[int, int]]  # variables of turned dice, before and after


def added(h: Hypothesis) -> set[int]:
    """As `Transitions.added`."""
    return {CARDS[card].pips for card in unused(h, "add")}


def turns(h: Hypothesis) -> bool:
    """As `Transitions.turns`."""
    return bool(unused(h, "change"))


def card_uses(
    h: Hypothesis, new: Sequence[int], before_roll: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.card_uses`: cards added or turned dice."""
    if not h.pending:
        yield from _explained(h, (), new, least)
        return
    if turned or before_roll:  # if no dice turn in this step, the earlier changes are complete
        real = [(old, now) for old, now in h.pending if h.faces[old] != h.faces[now]]
        begun = h.weighted(PRIORS.put_back * (len(h.pending) - len(real)))  # a die was turned and turned back
        for one in _explained(begun, real, new, least):
            yield one.replace(pending=())
    several = (card for card in unused(h, "change") if card in RAISED or card in EXCHANGED)
    if before_roll or (not aside and any(several)):
        # The changes may belong after the roll, or a card has turned only some of its dice so far.
        yield from _explained(h, (), new, least)


def unused(h: Hypothesis, *abilities: str) -> list[str]:
    """Cards with these abilities that the seat on turn can still use, the cheapest first."""
    own = h.state.tableau(h.state.seat)
    found = {card for card in own if CARDS[card].ability in abilities and card not in h.state.turn.used}
    return sorted(found, key=ORDER.__getitem__)


def _explained(h: Hypothesis, pairs: Pairs, new: Sequence[int], least: float) -> Iterator[Hypothesis]:
    """The card uses that turned these dice, with at most two cards, and added the new ones."""
    if not (pairs or new):
        yield h
        return
    turning = range(bool(pairs), min(len(pairs), MAX_CARDS) + 1)
    costs = (PRIORS.card * count + PRIORS.second_card * (count + len(new) - 1) for count in turning)
    likely = sum(h.step_log_chance + cost >= least for cost in costs)
    if h.state.turn.rolled and likely:
        most = turning[likely - 1] + len(new)
        unturned = {now: old for old, now in h.pending if (old, now) not in pairs}
        shown = [(die.zone, h.faces[unturned.get(die.var, die.var)]) for die in h.dice]
        active = tuple(sorted(face for zone, face in shown if zone is Zone.ACTIVE))
        kept = tuple(sorted((*h.state.turn.kept, *(face for zone, face in shown if zone is Zone.ASIDE))))
        turned = h.values(now for _, now in pairs)
        for course in explain(h.state, active, kept, most, roll_count=0, turned=turned):
            yield from _entered(h, course.events, pairs, new, False)


def _entered(
    h: Hypothesis, events: Sequence[Event], pairs: Pairs, new: Sequence[int], busy: bool
) -> Iterator[Hypothesis]:
    """The events as acts of these dice, without the last dice set aside, because these can still be moved."""
    if all(isinstance(event, Keep) for event in events):
        if not (pairs or new):
            yield h
        return
    event, *rest = events
    if isinstance(event, Keep):  # the Astronomer copies this die, so all dice set aside are final
        turned = {now for _, now in pairs}
        ready = h.kept(tuple(name for name in h.set_aside() if name not in turned))
        if ready is not None:
            yield from _entered(ready, rest, pairs, new, busy)
        return
    assert isinstance(event, Use)
    cost = card_cost(event.card, busy)
    if CARDS[event.card].ability == "add":
        shows = event.after or (CARDS[event.card].pips,)
        if new and h.values(new[:1]) == shows:  # the new dice are in the order in which they were added
            done = h.then(Act(h.state.seat, "use", event.card, after=(new[0],)), cost - PRIORS.card)
            if done is not None:
                yield from _entered(done, rest, pairs, new[1:], True)
        return
    for some in combinations(pairs, len(event.before)):
        old, now = tuple(pair[0] for pair in some), tuple(pair[1] for pair in some)
        if (h.values(old), h.values(now)) == (event.before, event.after):
            done = h.then(Act(h.state.seat, "use", event.card, old, now), cost)
            if done is not None:
                yield from _entered(done, rest, [pair for pair in pairs if pair not in some], new, True)


def card_cost(card: str, busy: bool) -> float:
    """Log chance of using this card. `busy`: directly after another card, without a snapshot in between."""
    return PRIORS.card + PRIORS.dearer * ORDER[card] + (PRIORS.second_card if busy else 0.0)
