"""Assigns new stays that were not rolled to known dice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from operator import attrgetter, itemgetter
from typing import NamedTuple

from companion.game.referee.distances import SAME_STAY, beside, distance
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.same_die import HANDLED
from companion.game.referee.stays import Sighting, Snapshot, Stay

MAX_MATCHES = 8
MAX_PARTIAL = 60  # the likeliest matches of the stays so far, which are continued with the next stay
UNLIKELY = -6.0  # log odds against the likeliest face from which another face is not tried
BESIDE = 2.25  # die widths: neighbouring dice set aside are at most this far apart


class Match(NamedTuple):
    """The assignment of one new stay.

    Attributes:
        die: Index among the hypothesis's dice; -1 for an additional die, -2 for one that is not part of the game.
        face: What the die shows.
        turned: A card has turned it to that face.
        was: The face before it was turned.
        cost: Log chance without the faces read.
        chance: Log chance with them.
        kind: Equal for assignments of one stay that differ only in equal dice.
    """

    sighting: Sighting
    die: int
    zone: Zone
    face: int
    turned: bool
    was: int
    cost: float
    chance: float
    kind: object


@dataclass(frozen=True, slots=True)
class Step:
    """What all branches from one hypothesis to the next snapshot share.

    Attributes:
        idle: Faces of dice that are not played and have been moved.
        found: Cache of the assignments of one stay to one die.
    """

    snapshot: Snapshot
    idle: frozenset[int] = frozenset()
    found: dict[object, list[Match]] = field(default_factory=dict)


def matches(
    h: Hypothesis,
    new: Sequence[Sighting],
    missing: Sequence[int],
    may_have_left: Mapping[int, float],
    step: Step,
    unseen_costs: Mapping[int, float],
    least: float,
) -> list[tuple[tuple[Match, ...], float]]:
    """The likeliest matches of new stays to dice that left their places.

    Args:
        missing: Indices of the dice that left their places.
        may_have_left: Indices of dice that may have left while their place was hidden, with the log chance of that.
        unseen_costs: Indices of dice out of sight, with the log chance that counts if they have no match.
        least: The smallest log chance of the step that is worth returning.

    Returns:
        For each assignment, the matches and the log chance of the dice that were not seen.
    """
    options = [
        _options(h, sighting, missing, may_have_left, _isolated(h, sighting, new, step), step) for sighting in new
    ]
    least -= h.step_log_chance + sum(here[0].chance for here in options)
    partial: list[tuple[float, tuple[Match, ...]]] = [(0.0, ())]
    for here in options:
        least += here[0].chance  # until here, each later stay counts with its likeliest match
        more: list[tuple[float, tuple[Match, ...]]] = []
        for so_far, chosen in partial:
            used = {match.die for match in chosen if match.die >= 0}
            card = 0.0 if any(match.turned for match in chosen) else PRIORS.card
            enough = more[-1][0] if len(more) == MAX_PARTIAL else least
            more += [
                (so_far + one.chance + card * one.turned, (*chosen, one))
                for one in _different(here, used, enough - so_far)
            ]
            more = nlargest(MAX_PARTIAL, more, key=itemgetter(0))
        partial = [one for one in more if one[0] >= least]
    found = []
    for so_far, chosen in partial:
        used = {match.die for match in chosen}
        unseen = together([cost for one, cost in unseen_costs.items() if one not in used])  # one hand may hide several
        found.append((so_far + unseen, chosen, unseen))
    found = nlargest(MAX_MATCHES, found, key=itemgetter(0))
    return [(chosen, unseen) for total, chosen, unseen in found if total >= least]


def _different(options: Iterable[Match], used: Collection[int], least: float) -> Iterator[Match]:
    """The likely options, which are sorted, with dice that are not used yet; the first of each kind."""
    tried = set()
    for one in options:
        if one.chance < least:
            return
        if one.die not in used and one.kind not in tried:
            tried.add(one.kind)
            yield one


def _options(
    h: Hypothesis,
    sighting: Sighting,
    missing: Iterable[int],
    may_have_left: Mapping[int, float],
    isolated: bool,
    step: Step,
) -> list[Match]:
    """Every assignment of one stay, the likeliest first."""
    found = []
    for place in (-2, -1, *may_have_left, *missing):
        key = sighting.stay.number, place, place in may_have_left, isolated
        if key not in step.found:
            step.found[key] = [*_assigned(h, sighting, place, may_have_left.get(place), isolated, step)]
        found += step.found[key]
    return sorted(found, key=attrgetter("chance"), reverse=True)


def _assigned(
    h: Hypothesis, sighting: Sighting, place: int, may_have_left: float | None, isolated: bool, step: Step
) -> Iterator[Match]:
    """The assignments of one stay to one die."""
    stay = sighting.stay
    log_chances = stay.log_chances
    if place == -2:
        cost = not_played(h, stay, step.idle)
        yield Match(sighting, place, Zone.ACTIVE, stay.value, False, 0, cost, cost, place)
        return
    if place == -1:
        adders, cost = h.transitions.added(h), PRIORS.card + stay.arrival_log_chance
        zone = Zone.ASIDE if step.snapshot.has_kept_zone and sighting.kept else Zone.ACTIVE
        for face in range(1, 7) if 0 in adders else adders:
            yield Match(sighting, place, zone, face, False, 0, cost, cost + log_chances[face], (place, face))
        return
    die = h.dice[place]
    now = h.faces[die.var]
    faces = [face for face in range(1, 7) if log_chances[face] > log_chances[stay.value] + UNLIKELY]
    if may_have_left is not None and (sighting.turned or now not in faces):
        return
    roll = next((act.after for act in h.acts if die.var in act.after), ()) if die.stay is None else ()
    if any(stay.seconds < one.seconds for name in roll for one in h.stays[name][:1]):
        return  # it rested there before the other dice of that roll arrived
    here = may_have_left is None and die.stay is not None and distance(die.stay.box, stay.box) < SAME_STAY
    odds = _face_odds(h, die) if may_have_left is None else {now: 0.0}
    turns = may_have_left is None and h.transitions.turns(h) and die.zone is not Zone.KEPT and now
    before = [was for was in odds if odds[was] > UNLIKELY] if turns else []
    in_sight = PRIORS.not_lifted if sighting.turned and stay.rolled >= HANDLED else 0.0
    turning = in_sight if here else PRIORS.turned_up
    for zone, moving in _zones(h, die, sighting, here, isolated, step):
        for face in dict.fromkeys((now, *faces)):
            courses = [(was, moving + turning, odds[was]) for was in before if was != face]
            if face in odds:
                courses.append(
                    (0, moving + (_reread(h, die, stay, face) if here else may_have_left or 0.0), odds[face])
                )
            for was, cost, face_odds in courses:
                kind = now, die.zone, zone, face, was, round(cost, 3)
                yield Match(sighting, place, zone, face, was > 0, was, cost, cost + log_chances[face] + face_odds, kind)


def _isolated(h: Hypothesis, sighting: Sighting, new: Iterable[Sighting], step: Step) -> bool:
    """Whether the layout has no kept zone and the stay is away from the dice set aside and from others put down with
    it."""
    box = sighting.stay.box
    others = (other.stay.box for other in new if other is not sighting)
    return not step.snapshot.has_kept_zone and in_row(h, sighting.stay) is False and not beside(box, others, BESIDE)


def not_played(h: Hypothesis, stay: Stay, moved: Collection[int]) -> float:
    """Log chance that a stay is not part of the game; 0 where such a die rested here before. moved: faces of those that
    were moved."""
    here = (one for one in h.idle if distance(one.box, stay.box) < SAME_STAY)
    if any(one.value == stay.value or one.rested_since == stay.rested_since for one in here):
        return 0.0
    return PRIORS.idle_moved if stay.value in moved else PRIORS.ghost


def _face_odds(h: Hypothesis, die: Die) -> dict[int, float]:
    """Log odds, by the readings so far, of each face that the die may have shown over the believed one."""
    now, stays = h.faces[die.var], h.stays[die.var]
    if die.var in h.confirmed:
        return {now: 0.0}
    believed = sum(stay.log_chances[now] for stay in stays)
    return {face: sum([stay.log_chances[face] for stay in stays]) - believed for face in (now, *range(1, 7))}


def _reread(h: Hypothesis, die: Die, stay: Stay, face: int) -> float:
    """Log chance that a die in its old place was confidently misread, now or before."""
    old = die.stay
    if old is None or min(old.confidence, stay.confidence) < PRIORS.confident:
        return 0.0
    now = stay.value == face
    wrong = all(one.value != face for one in (old, *h.stays[die.var])) if now else old.value == face
    return PRIORS.mistaken if wrong else 0.0


def _zones(
    h: Hypothesis, die: Die, sighting: Sighting, here: bool, isolated: bool, step: Step
) -> Iterator[tuple[Zone, float]]:
    """The zones in which the die may be now, with log chances. isolated: as `_isolated`."""
    moved = die.stay is not None and not here
    back = PRIORS.taken_back if die.zone is Zone.ASIDE and step.snapshot.has_kept_zone else PRIORS.put_back
    again = 0.0 if die.zone is Zone.ACTIVE else PRIORS.aside_again
    if step.snapshot.has_kept_zone:
        zone = Zone.ASIDE if sighting.kept else Zone.ACTIVE
        cost = again if sighting.kept else back
        yield die.zone if die.zone is Zone.KEPT else zone, cost if moved else 0.0
    elif die.zone is Zone.KEPT:
        yield Zone.KEPT, back if moved else 0.0
    elif moved:
        yield Zone.ASIDE, again + (PRIORS.aside_alone if isolated else 0.0)
        yield Zone.ACTIVE, back
    else:
        yield die.zone, 0.0
        if not here:  # it has not been seen since its roll, so a hand may have put it into the row
            put = die.zone is Zone.ACTIVE and sighting.stay.rolled < HANDLED and in_row(h, sighting.stay)
            yield (Zone.ACTIVE if die.zone is Zone.ASIDE else Zone.ASIDE), 0.0 if put else PRIORS.aside_unmoved


def in_row(h: Hypothesis, stay: Stay) -> bool | None:
    """Whether this stay is beside dice set aside; None if there are none."""
    row = [die.stay.box for die in h.dice if die.zone is not Zone.ACTIVE and die.stay is not None and die.seen]
    return beside(stay.box, row, BESIDE) if row else None
