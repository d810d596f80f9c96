"""Explains rolls of the player on turn in Um Krone und Kragen: of all dice in play, or of some with a card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from companion.game.referee.distances import SAME_STAY, distance
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.stays import Sighting, Snapshot, Stay
from companion.game.referee.successors import landed, rolled_there
from companion.games.krone.cards_used import card_cost, card_uses, unused
from engine.krone.cards import CARDS


def same_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: all dice in play were rolled, or some by a card. Unseen dice count as rolled."""
    if h.cleared:
        h = h.weighted(PRIORS.after_clearing)
    resting = [die for die in h.dice if die.zone is Zone.ACTIVE and die.seen]
    missing = [die for die in h.dice if die.zone is Zone.ACTIVE and not die.seen]
    aside_gone = [die for die in h.dice if die.zone is Zone.ASIDE and not die.seen]
    if not snapshot.has_kept_zone:
        h = h.weighted(rolled_there(h, rolled))
    if h.step_log_chance < least:
        return
    normal_roll = not resting and not h.pending
    if normal_roll or not (snapshot.has_kept_zone or h.pending):
        kept_unmoved = h.weighted(PRIORS.aside_unmoved * len(resting))
        kept_unmoved = kept_unmoved.replace(
            dice=tuple(d._replace(zone=Zone.ASIDE) if d in resting else d for d in h.dice)
        )
        for begun, some in ((kept_unmoved, missing), *_put_aside_unseen(kept_unmoved, missing, len(rolled), snapshot)):
            for ready, names in _gathered(begun, some, aside_gone, len(rolled), least):
                yield from _rolled_all(ready, names, rolled, snapshot)
    if h.step_log_chance + PRIORS.card >= least:
        yield from _by_card(h, missing, aside_gone, rolled, snapshot, normal_roll, least)


def _by_card(
    h: Hypothesis,
    missing: Sequence[Die],
    aside_gone: Sequence[Die],
    rolled: Sequence[Sighting],
    snapshot: Snapshot,
    normal_roll: bool,
    least: float,
) -> Iterator[Hypothesis]:
    """Hypotheses in which the Fool or the Merchant rolled some dice in play. `normal_roll`: it is possible too."""
    for card in unused(h, "reroll"):
        for some, cost in _perhaps_hidden(missing, len(rolled), snapshot.hidden):
            begun = h.weighted(cost).weighted(card_cost(card, False))
            begun = begun.replace(
                dice=tuple(d._replace(unseen_cost=cost) if d in missing and d not in some else d for d in h.dice)
            )
            for ready, names in _gathered(begun, some, aside_gone, len(rolled), least):
                if not names:
                    continue
                could = normal_roll and len(some) == len(missing) and (not ready.state.turn.duty or ready.set_aside())
                could = could and not _seen_after(_earlier_stays(ready), rolled)
                ready = ready.weighted(PRIORS.needless if could else 0.0)
                act = Act(ready.state.seat, "use", card, names, rolls=True)
                for one in _shown(ready, act, rolled, snapshot) if ready.step_log_chance >= least else ():
                    after = one.weighted(PRIORS.second_card) if one.pending else one  # dice were turned since
                    yield from card_uses(after, (), False, False, True, least)


def _put_aside_unseen(
    h: Hypothesis, missing: Sequence[Die], count: int, snapshot: Snapshot
) -> Iterator[tuple[Hypothesis, Sequence[Die]]]:
    """Assumes that the `count` visible dice of those that left their places were rolled, and that the others were set
    aside out of view.

    Yields:
        The hypothesis and the rolled dice, for each choice of dice.
    """
    tried = set()
    for some in combinations(missing, count) if len(missing) > count else ():
        rest = [die for die in missing if die not in some]
        showing = tuple(sorted(h.faces[die.var] for die in rest))
        if showing in tried:
            continue
        tried.add(showing)
        dice = tuple(Die(d.var, Zone.ASIDE, unseen_cost=snapshot.hidden) if d in rest else d for d in h.dice)
        yield h.weighted(together([snapshot.hidden] * len(rest))).replace(dice=dice), some


def _perhaps_hidden(missing: Sequence[Die], count: int, hidden: float) -> Iterator[tuple[Sequence[Die], float]]:
    """The dice that a card may have rolled: all that left their places, or all but a hidden one if fewer are seen.

    Yields:
        The dice and the log chance.
    """
    yield missing, 0.0
    for place in range(len(missing)) if len(missing) > count else ():
        yield (*missing[:place], *missing[place + 1 :]), hidden


def _gathered(
    h: Hypothesis, missing: Sequence[Die], aside: Sequence[Die], count: int, least: float
) -> Iterator[tuple[Hypothesis, tuple[int, ...]]]:
    """The rolled dice, at least `count`: those that left their places.

    If these are too few, others were taken back from those set aside, or added by cards whose use was not seen.

    Yields:
        The hypothesis and the variables of the rolled dice.
    """
    names = tuple(die.var for die in missing)
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
    h: Hypothesis, names: tuple[int, ...], rolled: Sequence[Sighting], snapshot: Snapshot
) -> Iterator[Hypothesis]:
    aside = h.set_aside()
    if h.state.turn.duty and not aside:
        last = h.acts[-1] if h.acts else None
        if last is not None and last.verb == "roll" and len(names) == len(last.after) == len(rolled):
            begun = h.replace(acts=h.acts[:-1]).replayed()
            if begun is not None:
                # A leaning die is read with low confidence.
                stays = [stay for name in last.after for stay in h.stays[name]]
                unclear = not all(h.values(last.after)) or any(stay.confidence < PRIORS.confident for stay in stays)
                cost = PRIORS.again_unclear if unclear else PRIORS.again
                yield from _shown(
                    begun.weighted(cost), Act(last.seat, "roll", before=names, rolls=True), rolled, snapshot
                )
        return
    ready = h.weighted(PRIORS.ghost if _seen_after(_earlier_stays(h), rolled) else 0.0).kept(aside)
    if ready is not None and names:
        yield from _shown(ready, Act(h.state.seat, "roll", before=names, rolls=True), rolled, snapshot)


def _earlier_stays(h: Hypothesis) -> list[Stay]:
    """The former stays, in other places, of dice that were set aside since the last roll."""
    aside = [(die.stay, h.stays[die.var]) for die in h.dice if die.zone is Zone.ASIDE]
    return [old for now, stays in aside for old in stays if now is None or distance(old.box, now.box) >= SAME_STAY]


def _seen_after(stays: Iterable[Stay], rolled: Sequence[Sighting]) -> bool:
    """Whether one of these stays was still seen after the first rolled die came to rest.

    Such a die was neither rolled with the others nor set aside before.
    """
    rested = min((sighting.stay.began for sighting in rolled if sighting.shift is None), default=math.inf)
    return any(stay.last_seen > rested for stay in stays)


def _shown(h: Hypothesis, act: Act, rolled: Sequence[Sighting], snapshot: Snapshot) -> Iterator[Hypothesis]:
    """Hypotheses in which the act rolled its dice and they show the faces of `rolled`."""
    before_roll = set(act.before)
    stayed = _seen_after([stay for name in before_roll for stay in h.stays[name]], rolled)
    h = h.weighted(PRIORS.ghost if stayed else 0.0)
    h, names, dice = landed(h, rolled, max(0, len(before_roll) - len(rolled)), snapshot)
    before = act.before if act.verb == "use" else ()
    done = h.then(act._replace(before=before, after=names))
    if done is not None:
        rest = tuple(die for die in h.dice if die.var not in before_roll)
        yield done.replace(dice=(*rest, *dice), cleared=False)
