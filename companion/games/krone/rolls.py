"""Explains rolls of the player on turn in Um Krone und Kragen: of all dice in play, or of some with a card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from companion.game.referee.distances import SAME_STAY, apart
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.stays import Sighting, Snapshot, Stay
from companion.game.referee.successors import landed, rolled_there
from companion.games.krone.cards_used import by_hand, card_cost, unused
from engine.krone.cards import CARDS


def same_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: all dice in play were rolled, or some by a card. Unseen dice count as rolled."""
    if h.cleared:
        h = h.weighted(PRIORS.after_clearing)
    lying = [die for die in h.dice if die.zone is Zone.ACTIVE and die.seen]
    gone = [die for die in h.dice if die.zone is Zone.ACTIVE and not die.seen]
    aside_gone = [die for die in h.dice if die.zone is Zone.ASIDE and not die.seen]
    if not snapshot.has_kept_zone:
        h = h.weighted(rolled_there(h, thrown))
    if h.step_log_chance < least:
        return
    rolls = not lying and not h.pending
    if rolls or not (snapshot.has_kept_zone or h.pending):
        left = h.weighted(PRIORS.aside_unmoved * len(lying))
        left = left.replace(dice=tuple(d._replace(zone=Zone.ASIDE) if d in lying else d for d in h.dice))
        for begun, some in ((left, gone), *_put_aside_unseen(left, gone, len(thrown), snapshot)):
            for ready, its in _gathered(begun, some, aside_gone, len(thrown), least):
                yield from _rolled_all(ready, its, thrown, snapshot)
    if h.step_log_chance + PRIORS.card >= least:
        yield from _by_card(h, gone, aside_gone, thrown, snapshot, rolls, least)


def _by_card(
    h: Hypothesis,
    gone: Sequence[Die],
    aside_gone: Sequence[Die],
    thrown: Sequence[Sighting],
    snapshot: Snapshot,
    rolls: bool,
    least: float,
) -> Iterator[Hypothesis]:
    """Hypotheses in which the Fool or the Merchant rolled some dice in play. `rolls`: a normal roll is possible too."""
    for card in unused(h, "reroll"):
        for some, cost in _perhaps_hidden(gone, len(thrown), snapshot.hidden):
            begun = h.weighted(cost).weighted(card_cost(card, False))
            begun = begun.replace(
                dice=tuple(d._replace(out=cost) if d in gone and d not in some else d for d in h.dice)
            )
            for ready, its in _gathered(begun, some, aside_gone, len(thrown), least):
                if not its:
                    continue
                could = rolls and len(some) == len(gone) and (not ready.state.turn.duty or ready.set_aside())
                could = could and not _stayed(_lay_before(ready), thrown)
                ready = ready.weighted(PRIORS.needless if could else 0.0)
                act = Act(ready.state.seat, "use", card, its, throws=True)
                for one in _shown(ready, act, thrown, snapshot) if ready.step_log_chance >= least else ():
                    after = one.weighted(PRIORS.second_card) if one.pending else one  # dice were turned since
                    yield from by_hand(after, (), False, False, True, least)


def _put_aside_unseen(
    h: Hypothesis, gone: Sequence[Die], count: int, snapshot: Snapshot
) -> Iterator[tuple[Hypothesis, Sequence[Die]]]:
    """Assumes that the `count` visible dice of those that left their places were rolled, and that the others were set
    aside out of view.

    Yields:
        The hypothesis and the rolled dice, for each choice of dice.
    """
    tried = set()
    for some in combinations(gone, count) if len(gone) > count else ():
        rest = [die for die in gone if die not in some]
        showing = tuple(sorted(h.faces[die.var] for die in rest))
        if showing in tried:
            continue
        tried.add(showing)
        dice = tuple(Die(d.var, Zone.ASIDE, out=snapshot.hidden) if d in rest else d for d in h.dice)
        yield h.weighted(together([snapshot.hidden] * len(rest))).replace(dice=dice), some


def _perhaps_hidden(gone: Sequence[Die], count: int, hidden: float) -> Iterator[tuple[Sequence[Die], float]]:
    """The dice that a card may have rolled: all that left their places, or all but a hidden one if fewer are seen.

    Yields:
        The dice and the log chance.
    """
    yield gone, 0.0
    for place in range(len(gone)) if len(gone) > count else ():
        yield (*gone[:place], *gone[place + 1 :]), hidden


def _gathered(
    h: Hypothesis, gone: Sequence[Die], aside: Sequence[Die], count: int, least: float
) -> Iterator[tuple[Hypothesis, tuple[int, ...]]]:
    """The rolled dice, at least `count`: those that left their places.

    If these are too few, others were taken back from those set aside, or added by cards whose use was not seen.

    Yields:
        The hypothesis and the variables of the rolled dice.
    """
    names = tuple(die.var for die in gone)
    more = count - len(names)
    if h.step_log_chance < least:
        return
    if more <= 0:
        yield h, names
        return
    if more <= len(aside):
        taken = {die.var for die in aside[:more]}
        dice = tuple(die._replace(zone=Zone.ACTIVE) if die.var in taken else die for die in h.dice)
        yield h.replace(dice=dice).weighted(PRIORS.taken_back * more), (*names, *taken)
    if h.step_log_chance + (PRIORS.card + PRIORS.second_card) * more < least:
        return
    for cards in combinations(unused(h, "add"), more):
        ready: Hypothesis | None = h
        added: list[int] = []
        for card in cards:
            if ready is not None:
                ready, name = ready.with_variable(CARDS[card].pips or 6, None)
                added.append(name)
                ready = ready.then(Act(h.state.seat, "use", card, after=(name,)), card_cost(card, True))
        if ready is not None:
            dice = tuple(Die(name, Zone.ACTIVE) for name in added)
            yield ready.replace(dice=(*ready.dice, *dice)), (*names, *added)


def _rolled_all(
    h: Hypothesis, its: tuple[int, ...], thrown: Sequence[Sighting], snapshot: Snapshot
) -> Iterator[Hypothesis]:
    aside = h.set_aside()
    if h.state.turn.duty and not aside:
        last = h.acts[-1] if h.acts else None
        if last is not None and last.verb == "roll" and len(its) == len(last.after) == len(thrown):
            begun = h.replace(acts=h.acts[:-1]).replayed()
            if begun is not None:
                # A leaning die is read with low confidence.
                stays = [stay for name in last.after for stay in h.stays[name]]
                unclear = not all(h.values(last.after)) or any(stay.confidence < PRIORS.confident for stay in stays)
                cost = PRIORS.again_unclear if unclear else PRIORS.again
                yield from _shown(
                    begun.weighted(cost), Act(last.seat, "roll", before=its, throws=True), thrown, snapshot
                )
        return
    ready = h.weighted(PRIORS.ghost if _stayed(_lay_before(h), thrown) else 0.0).kept(aside)
    if ready is not None and its:
        yield from _shown(ready, Act(h.state.seat, "roll", before=its, throws=True), thrown, snapshot)


def _lay_before(h: Hypothesis) -> list[Stay]:
    """The former stays, in other places, of dice that were set aside since the last roll."""
    aside = [(die.stay, h.stays[die.var]) for die in h.dice if die.zone is Zone.ASIDE]
    return [old for now, stays in aside for old in stays if now is None or apart(old.box, now.box) >= SAME_STAY]


def _stayed(stays: Iterable[Stay], thrown: Sequence[Sighting]) -> bool:
    """Whether one of these stays was still seen after the first rolled die came to rest.

    Such a die was neither rolled with the others nor set aside before.
    """
    rested = min((sighting.stay.began for sighting in thrown if sighting.shift is None), default=math.inf)
    return any(stay.last_seen > rested for stay in stays)


def _shown(h: Hypothesis, act: Act, thrown: Sequence[Sighting], snapshot: Snapshot) -> Iterator[Hypothesis]:
    """Hypotheses in which the act rolled its dice and they show the faces of `thrown`."""
    gone = set(act.before)
    stayed = _stayed([stay for name in gone for stay in h.stays[name]], thrown)
    h = h.weighted(PRIORS.ghost if stayed else 0.0)
    h, names, dice = landed(h, thrown, max(0, len(gone) - len(thrown)), snapshot)
    before = act.before if act.verb == "use" else ()
    done = h.then(act._replace(before=before, after=names))
    if done is not None:
        rest = tuple(die for die in h.dice if die.var not in gone)
        yield done.replace(dice=(*rest, *dice), cleared=False)
