"""Generates the hypotheses that follow between two snapshots, whatever the game.

Hands may have moved dice, turned some or added some; then the player on turn or the next one may have rolled. Every
course that the rules allow and vision does not rule out becomes a hypothesis with its log chance. The game's
`Transitions` provide its specific parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from companion.game.referee.association import Match, Step, in_row, matches, not_played
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.rolled import RollChance, roll_chance, rolled_sets, rolled_together
from companion.game.referee.stays import Sighting, Snapshot, Stay
from companion.game.referee.suspension import resumptions, suspensions
from engine.dice import UNREAD

MAX_IDLE = 2  # dice that are not part of the game and appear with a roll


class Branch(NamedTuple):
    """Successors of a hypothesis that are generated when their turn comes.

    Attributes:
        bound: Log chance that none of them exceeds, relative to the hypothesis.
        follow: Yields those that reach a log chance, and narrower branches.
    """

    bound: float
    follow: Callable[[float], Iterable[Hypothesis | Branch]]


def successors(
    h: Hypothesis, snapshot: Snapshot, before: Snapshot | None, least: float
) -> Iterator[Hypothesis | Branch]:
    """Every hypothesis that leads from this one to the snapshot. least: the smallest log chance of interest."""
    h = h.replace(step_log_chance=0.0)
    yield from suspensions(h, snapshot, before)
    for one in resumptions(h, snapshot, before) if h.suspended else (h,):
        yield from _played(one, snapshot, before, least)


def _played(h: Hypothesis, snapshot: Snapshot, before: Snapshot | None, least: float) -> Iterator[Hypothesis | Branch]:
    """The successors in which the game goes on."""
    sightings = [sighting for sighting in snapshot.sightings if sighting.stay not in h.idle]
    if not sightings and not snapshot.whole:
        yield h
        return
    if not sightings:
        dice = tuple(die._replace(seen=False) for die in h.dice)
        empty = h.replace(dice=dice, cleared=True)
        yield from (empty,) if h.cleared else h.transitions.table_cleared(empty)
        return
    if before is None and snapshot.whole:  # all dice may have been there before the first snapshot
        idle = h.idle.union(sighting.stay for sighting in sightings)
        cost = together([not_played(h, sighting.stay, ()) for sighting in sightings])
        yield h.weighted(cost).replace(idle=idle)
    yield from _branches(h, sightings, (), snapshot, before, least)
    stays = {die.stay.number: die for die in h.dice if die.stay is not None}
    if all(sighting.stay.number in stays for sighting in sightings):
        return
    movable = {number for number, die in stays.items() if die.zone is Zone.ACTIVE}
    explained: tuple[Stay, ...] = ()
    # Dice that are not seen may be gone; equally doubtful ones go together.
    for cost in (PRIORS.long_hidden, PRIORS.lingers, PRIORS.hidden):
        ended = tuple(e.stay for e in sightings if e.departed >= cost and e.stay.number in movable)
        if ended != explained:
            dice = tuple(die._replace(seen=False, unseen_cost=cost) if die.stay in ended else die for die in h.dice)
            one = h.replace(dice=dice).weighted(together([cost] * len(ended)))
            others = [sighting for sighting in sightings if sighting.stay not in ended]
            yield Branch(one.step_log_chance, partial(_branches, one, others, ended, snapshot, before))
        explained = ended


def _branches(
    h: Hypothesis,
    sightings: Sequence[Sighting],
    ended: Sequence[Stay],
    snapshot: Snapshot,
    before: Snapshot | None,
    least: float,
) -> Iterator[Branch]:
    """A branch for each set of rolled dice that explains exactly these sightings. ended: stays that are over, although
    nothing shows it."""
    if h.step_log_chance < least:
        return
    odds = rolled_together([roll_chance(sighting, snapshot, before) for sighting in sightings])
    odds = [_first_sight(h, one) for one in odds]
    step = Step(snapshot, _moved_idle(h, snapshot, before))
    for rolled, not_rolled, cost in rolled_sets(odds, _suggested(h, sightings), least - h.step_log_chance):
        one = h.weighted(cost)
        yield Branch(one.step_log_chance, partial(_explained, one, rolled, not_rolled, ended, step))


def _explained(
    h: Hypothesis,
    rolled: Sequence[Sighting],
    not_rolled: Sequence[Sighting],
    ended: Sequence[Stay],
    step: Step,
    least: float,
) -> Iterator[Hypothesis]:
    """The successors in which exactly `rolled` were rolled."""
    if rolled:
        known = {die.stay for die in h.dice if die.stay is not None} | h.idle
        added_later = tuple(sighting for sighting in not_rolled if sighting.stay not in known)
        found = (
            done
            for added in dict.fromkeys(((), added_later))  # dice that a card has added since the roll
            for one in _rolled(
                h, rolled, [e for e in not_rolled if e not in added], step, least - PRIORS.card * len(added)
            )
            for done in _added_late(one, added, step.snapshot, least)
        )
    else:
        found = (one.replace(cleared=False) for one in moved_by_hand(h, not_rolled, step, False, least))
    for one in found:
        yield one.replace(idle=one.idle.union(ended).difference(die.stay for die in one.dice)) if ended else one


def _rolled(
    h: Hypothesis, rolled: Sequence[Sighting], not_rolled: Sequence[Sighting], step: Step, least: float
) -> Iterator[Hypothesis]:
    """The successors in which `rolled` were rolled and `not_rolled` were not."""
    snapshot = step.snapshot
    if h.transitions.rolling(h):
        for one in moved_by_hand(h, not_rolled, step, True, least):
            if h.transitions.rolling(one):  # another face of an earlier die may end the turn
                yield from h.transitions.same_turn(one, rolled, snapshot, least)
    if len(not_rolled) <= MAX_IDLE:
        cost = sum(not_played(h, sighting.stay, step.idle) for sighting in not_rolled)
        # Another die may come to rest in the place of a die that was taken.
        idle_here = h.idle if not snapshot.whole else (stay for stay in h.idle if stay.number in snapshot.numbers)
        others = h.weighted(cost).replace(idle=frozenset((*idle_here, *(sighting.stay for sighting in not_rolled))))
        yield from h.transitions.next_turn(others, rolled, snapshot, least)


def _added_late(h: Hypothesis, added: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """The successors in which cards have added these dice after the roll."""
    if not added:
        yield h
    elif h.transitions.added(h):
        for chosen, _ in matches(h, added, (), {}, Step(snapshot), {}, least):
            if all(match.die == -1 for match in chosen):
                yield from _matched(h.weighted(sum(match.cost for match in chosen)), chosen, True, False, least)


def _first_sight(h: Hypothesis, one: RollChance) -> RollChance:
    """The estimate for a die, raised if the record has dice that were never seen: it may be one of them."""
    if one.not_rolled < 0 and any(die.stay is None and not h.stays[die.var] for die in h.dice):
        return RollChance(one.sighting, one.rolled, 0.0, one.unseen)
    return one


def _suggested(h: Hypothesis, sightings: Sequence[Sighting]) -> Iterator[frozenset[int]]:
    """Sets of stays that the rules suggest as one roll."""
    yield frozenset(sighting.stay.number for sighting in sightings)
    aside = {die.stay.number for die in h.dice if die.stay is not None and die.zone is not Zone.ACTIVE}
    yield frozenset(sighting.stay.number for sighting in sightings if sighting.stay.number not in aside)
    known = {die.stay.number for die in h.dice if die.stay is not None}
    yield frozenset(sighting.stay.number for sighting in sightings if sighting.stay.number not in known)


# What hands did


def _moved_idle(h: Hypothesis, snapshot: Snapshot, before: Snapshot | None) -> frozenset[int]:
    """Between turns, the faces of idle dice that have left their places."""
    rested = () if before is None or h.transitions.rolling(h) else before.sightings
    return frozenset(e.stay.value for e in rested if e.stay in h.idle and e.stay.number not in snapshot.numbers)


def moved_by_hand(
    h: Hypothesis, not_rolled: Sequence[Sighting], step: Step, before_roll: bool, least: float
) -> Iterator[Hypothesis]:
    """The hypotheses about hands moving, turning or adding dice that were not rolled. before_roll: others were rolled
    after that."""
    snapshot = step.snapshot
    places = {die.stay.number: place for place, die in enumerate(h.dice) if die.stay is not None}
    dice, new, may_have_left = list(h.dice), [], dict[int, float]()
    for sighting in not_rolled:
        place = places.get(sighting.stay.number)
        if place is None:
            if sighting.stay not in h.idle:
                new.append(sighting)
            continue
        if sighting.departed > -math.inf:
            may_have_left[place] = sighting.departed
        zone = dice[place].zone
        if snapshot.has_kept_zone and zone is not Zone.KEPT:
            zone = Zone.ASIDE if sighting.kept else Zone.ACTIVE
        dice[place] = dice[place]._replace(seen=True, zone=zone, unseen_cost=0.0)
    here = {sighting.stay.number for sighting in not_rolled}
    missing = [place for place, die in enumerate(dice) if die.stay is None or die.stay.number not in here]
    new.sort(key=lambda sighting: sighting.stay.track)  # the older track was put down first
    hidden = 0.0 if before_roll else snapshot.hidden
    unseen_costs = {
        place: hidden - dice[place].unseen_cost for place in missing if _looked_for(dice[place], snapshot, hidden)
    }
    for chosen, unseen in matches(h.replace(dice=tuple(dice)), new, missing, may_have_left, step, unseen_costs, least):
        found = {match.die for match in chosen}
        left_behind = {die.stay for die in (dice[place] for place in found.intersection(may_have_left)) if die.stay}
        one = h.weighted(unseen + sum(match.cost for match in chosen))
        after = tuple(
            die._replace(seen=False, unseen_cost=die.unseen_cost + unseen_costs.get(place, 0.0))
            if place in missing and place not in found
            else die
            for place, die in enumerate(dice)
        )
        moved_aside = any(match.zone is Zone.ASIDE and not match.turned for match in chosen)
        one = one.replace(dice=after, idle=h.idle | left_behind)
        yield from _matched(one, chosen, before_roll, moved_aside, least)


def _looked_for(die: Die, snapshot: Snapshot, hidden: float) -> bool:
    """Whether this snapshot adds to the cost of a die being out of sight. hidden: log chance of not seeing a die that
    is there."""
    return hidden < die.unseen_cost and (die.stay is None or die.stay.number not in snapshot.numbers)


def _matched(
    h: Hypothesis, chosen: Sequence[Match], before_roll: bool, moved_aside: bool, least: float
) -> Iterator[Hypothesis]:
    added: list[int] = []
    dice, faces, stays = list(h.dice), list(h.faces), list(h.stays)
    pending, idle, reread = list(h.pending), set(h.idle), False
    for match in chosen:
        stay = match.sighting.stay
        if match.die == -2:
            idle.add(stay)
        elif match.die == -1 or match.turned:
            name = len(faces)
            faces.append(match.face)
            stays.append((stay,))
            if match.turned:
                was = dice[match.die].var
                reread = reread or faces[was] != match.was
                faces[was] = match.was
                dice[match.die] = Die(name, match.zone, stay, True)
                first = next((old for old, new in pending if new == was), was)
                pending = [pair for pair in pending if pair[1] != was] + [(first, name)]
            else:
                added.append(name)
                dice.append(Die(name, match.zone, stay, True))
        else:
            die = dice[match.die]
            if faces[die.var] != match.face:
                reread = True
                faces[die.var] = match.face
            stays[die.var] = (*stays[die.var], stay)
            dice[match.die] = Die(die.var, match.zone, stay, True)
    one = h.replace(
        dice=tuple(dice), faces=tuple(faces), stays=tuple(stays), pending=tuple(pending), idle=frozenset(idle)
    )
    again = one.replayed() if reread else one
    if again is None:
        return
    yield from h.transitions.card_uses(
        again, added, before_roll, moved_aside, len(again.pending) > len(h.pending), least
    )


def landed(
    h: Hypothesis, rolled: Sequence[Sighting], hidden: int, snapshot: Snapshot
) -> tuple[Hypothesis, tuple[int, ...], list[Die]]:
    """The hypothesis with variables for rolled dice, their names, and the dice. hidden: the number of rolled dice that
    are not seen."""
    zones = [Zone.ASIDE if snapshot.has_kept_zone and sighting.kept else Zone.ACTIVE for sighting in rolled]
    names = tuple(range(len(h.faces), len(h.faces) + len(rolled) + hidden))
    dice = [Die(name, zone, one.stay, True) for name, zone, one in zip(names, zones, rolled, strict=False)]
    dice += [Die(name, Zone.ACTIVE, unseen_cost=snapshot.hidden) for name in names[len(rolled) :]]
    h = h.replace(
        faces=(*h.faces, *(sighting.stay.value for sighting in rolled), *[UNREAD] * hidden),
        stays=(*h.stays, *((sighting.stay,) for sighting in rolled), *[()] * hidden),
    )
    unseen = together([snapshot.hidden] * hidden)  # one hand may hide several
    return h.weighted(unseen + (PRIORS.seen_late if Zone.ASIDE in zones else 0.0)), names, dice


def rolled_there(h: Hypothesis, rolled: Sequence[Sighting]) -> float:
    """Log chance that a single die was rolled to where it rests, close to the dice set aside or not."""
    return PRIORS.rolled_there if len(rolled) == 1 and in_row(h, rolled[0].stay) else 0.0
