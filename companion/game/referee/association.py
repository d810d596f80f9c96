"""Dice seen ↔ dice believed: which of those seen were thrown, and which of the others is which."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from companion.game.referee.distances import SAME_PLACE, SAME_SPOT, apart, beside, shifted
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.observation import Sighting, Snapshot, Stay
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.same_die import HANDLED
from vision.types import Box

MOST_DOUBTED = 4
MOST_MATCHES = 8
SURELY = 2.0  # log odds from which on a die was thrown for certain
AT_ONCE_SECONDS = 0.15  # before which the place of a die that came with it was seen bare
UNLIKELY = -6.0  # log odds against the likeliest face from which on another is not tried
BESIDE = 2.25  # die widths: dice set aside lie at most so far from one another


@dataclass(frozen=True, slots=True)
class Rolled:
    """How likely an entry was thrown since the scene before: log chances, the likelier of them 0. unseen: what of
    `thrown` is due to nobody having seen it roll."""

    sighting: Sighting
    thrown: float
    left: float
    unseen: float = 0.0

    @property
    def odds(self) -> float:
        """Log odds of having been thrown."""
        return self.thrown - self.left


def rolled(sighting: Sighting, snapshot: Snapshot, before: Snapshot | None) -> Rolled:
    """Was this die thrown since the scene before?"""
    stay = sighting.stay
    if sighting.shift is not None and not sighting.turned:  # it seems to lie where it lay
        if sighting.shift < SAME_SPOT / 2 or not sighting.covered:
            return Rolled(sighting, PRIORS.lay, 0.0)
        if sighting.shift < SAME_SPOT:
            return Rolled(sighting, PRIORS.lay_nearly, 0.0)
        return Rolled(sighting, 0.0, PRIORS.lay_nearly)
    seen = math.log(max(stay.rolled, 0.01) / max(1 - stay.rolled, 0.001))
    if snapshot.has_kept_zone and sighting.kept:
        seen = min(seen, 0.0)  # among those set aside: if no hand was seen to put it there, it was missed
    odds = (
        stay.arrival_log_chance
        + seen
        + (-math.log(6) if before is not None and _shown(before, snapshot, stay) else 0.0)
    )
    if before is not None:
        lay = [one.stay.box for one in before.sightings if one.stay.number not in snapshot.numbers]
        if any(shifted(box, stay.box) < SAME_SPOT for box in lay):
            odds += PRIORS.lay
        elif stay.rolled < HANDLED and any(apart(box, stay.box) < SAME_PLACE for box in lay):
            odds += PRIORS.lay_nearly  # where a die was seen to roll that tells more
    return Rolled(sighting, min(0.0, odds), min(0.0, -odds), max(min(0.0, seen), min(0.0, odds)))


def with_throw(dice: Sequence[Rolled]) -> list[Rolled]:
    """The same, knowing of one another: who throws puts nothing down in the same moment."""
    new = [one for one in dice if one.sighting.shift is None]
    when = min((one.sighting.stay.began for one in new if one.odds > SURELY), default=math.inf)
    return [
        replace(one, thrown=min(0.0, one.odds + PRIORS.with_throw), left=min(0.0, -one.odds - PRIORS.with_throw))
        if one in new and one.odds < SURELY and one.sighting.stay.last_empty > when - AT_ONCE_SECONDS
        else one
        for one in dice
    ]


def _shown(before: Snapshot, snapshot: Snapshot, stay: Stay) -> bool:
    """Whether a die that lies no longer where it lay showed the same as this one."""
    return any(one.stay.value == stay.value and one.stay.number not in snapshot.numbers for one in before.sightings)


def rolled_sets(
    dice: Sequence[Rolled], forced: Iterable[frozenset[int]], least: float, due: float = 1.0
) -> list[tuple[tuple[Sighting, ...], tuple[Sighting, ...], float]]:
    """(thrown, left, log chance): the likeliest and every other taking of the most doubtful dice, down to a log chance
    of `least`; `forced`: lies by number, that the rules suggest; `due`: so many throws does vision expect. Of one
    that it missed it has seen no die roll either."""
    base = frozenset(one.sighting.stay.number for one in dice if one.odds >= 0)
    order = sorted((one for one in dice if abs(one.odds) < -least), key=lambda one: abs(one.odds))
    doubted, sure = order[:MOST_DOUBTED], order[MOST_DOUBTED:]
    sets = {base: None}
    for flips in product((False, True), repeat=len(doubted)):
        sets[base ^ {one.sighting.stay.number for one, flip in zip(doubted, flips, strict=True) if flip}] = None
    for count in (1, 2):
        for some in combinations(sure, count):
            sets[base ^ {one.sighting.stay.number for one in some}] = None
    there = frozenset(one.sighting.stay.number for one in dice)
    sets |= dict.fromkeys(one & there for one in forced) | {frozenset(): None}
    found = []
    for numbers in sets:
        took = [one for one in dice if one.sighting.stay.number in numbers]
        cost = sum(one.thrown for one in took) + together([one.left for one in dice if one not in took])
        if took:  # that none of them was seen to roll is one mistake, be the throw counted or not
            unseen = [one.unseen for one in took]
            expected = 0.0 if all(unseen) else min(1.0, max(0.0, due))
            cost += expected * together(unseen) + (1.0 - expected) * PRIORS.unnoticed - sum(unseen)
        if cost >= least:
            thrown = tuple(one.sighting for one in dice if one.sighting.stay.number in numbers)
            left = tuple(one.sighting for one in dice if one.sighting.stay.number not in numbers)
            found.append((thrown, left, cost))
    found.sort(key=lambda one: -one[2])
    return found


@dataclass(frozen=True, slots=True)
class Match:
    """What one new lie is. die: place among the hypothesis's dice (-1: a die more, -2: none of the game); face: what
    the die shows; turned: it has been turned to that, from what it `was`."""

    sighting: Sighting
    die: int
    zone: Zone
    face: int
    turned: bool
    cost: float  # log chance, what the lie looks like apart
    seen: float  # … of what it looks like
    was: int = 0


def matches(
    h: Hypothesis,
    new: Sequence[Sighting],
    gone: Sequence[int],
    stale: Mapping[int, float],
    snapshot: Snapshot,
    owed: Mapping[int, float],
    least: float,
    idle: frozenset[int],
) -> list[tuple[tuple[Match, ...], float]]:
    """The likeliest ways to match new lies to dice that do not lie where they lay, with the log chance of what was not
    seen. gone: places of the dice that do not lie there; stale: of those that perhaps do no more, with the log chance
    of that; owed: of those out of sight, what counts for that if they have no match; idle: what dice show that are not
    played and lie elsewhere now."""
    adders, turns = h.transitions.added(h), h.transitions.turns(h)
    options = []
    for sighting in new:
        others = [other.stay.box for other in new if other is not sighting]
        options.append(_options(h, sighting, gone, stale, others, snapshot.has_kept_zone, adders, turns, least, idle))
    found: list[tuple[float, tuple[Match, ...], float]] = []
    rest = [0.0] * (len(new) + 1)
    for place in range(len(new) - 1, -1, -1):
        rest[place] = rest[place + 1] + max((one.cost + one.seen for one in options[place]), default=least * 2)
    bound = least

    def search(place: int, used: frozenset[int], so_far: float, chosen: tuple[Match, ...]) -> None:
        nonlocal bound
        if place == len(new):
            unseen = together([cost for one, cost in owed.items() if one not in used])  # one hand hides many
            found.append((so_far + unseen, chosen, unseen))
            found.sort(key=lambda one: -one[0])
            del found[MOST_MATCHES:]
            if len(found) == MOST_MATCHES:
                bound = max(bound, found[-1][0])
            return
        tried = set()
        for one in options[place]:
            cost = one.cost + one.seen
            if so_far + cost + rest[place + 1] < bound:
                break  # those that follow are less likely still
            if one.die >= 0:
                if one.die in used:
                    continue
                die = h.dice[one.die]
                alike = (h.faces[die.var], die.zone, one.zone, one.face, one.turned, one.was, round(one.cost, 3))
                if alike in tried:
                    continue
                tried.add(alike)
                if one.turned and not any(other.turned for other in chosen):
                    cost += PRIORS.card
            search(place + 1, used | {one.die} if one.die >= 0 else used, so_far + cost, (*chosen, one))

    search(0, frozenset(), 0.0, ())
    return [(chosen, unseen) for total, chosen, unseen in found if total >= least]


def _options(
    h: Hypothesis,
    sighting: Sighting,
    gone: Sequence[int],
    stale: Mapping[int, float],
    moved: Sequence[Box],
    has_kept_zone: bool,
    adders: Collection[int],
    turns: bool,
    least: float,
    idle: frozenset[int],
) -> list[Match]:
    stay = sighting.stay
    look = stay.log_chances
    found = [Match(sighting, -2, Zone.ACTIVE, stay.value, False, not_played(h, stay, idle), 0.0)]
    faces = [face for face in range(1, 7) if look[face] > look[stay.value] + UNLIKELY]
    zone = Zone.ASIDE if has_kept_zone and sighting.kept else Zone.ACTIVE
    alone = not has_kept_zone and rests_alone(h, stay) and not beside(stay.box, moved, BESIDE)
    for face in range(1, 7):
        if face in adders or 0 in adders:
            found.append(Match(sighting, -1, zone, face, False, PRIORS.card + stay.arrival_log_chance, look[face]))
    for place in stale if not sighting.turned else ():
        die = h.dice[place]
        now = h.faces[die.var]
        for zone, cost in _zones(die, sighting, False, alone, has_kept_zone) if now in faces else ():
            found.append(Match(sighting, place, zone, now, False, cost + stale[place], look[now]))
    for place in gone:
        die = h.dice[place]
        now = h.faces[die.var]
        its_throw = next((act for act in h.acts if die.var in act.after), None) if die.stay is None else None
        if its_throw is not None and any(stay.seconds < one.seconds for n in its_throw.after for one in h.stays[n][:1]):
            continue  # this lay there before the others of that throw came
        here = die.stay is not None and apart(die.stay.box, stay.box) < SAME_PLACE
        for zone, cost in _zones(die, sighting, here, alone, has_kept_zone):
            for face in dict.fromkeys((now, *faces)):
                again = _reread(die, stay, face) if here and not _was_read(h, die, stay, face) else 0.0
                if face == now or die.var not in h.confirmed:
                    seen = look[face] + _rather(h, die, face)
                    found.append(Match(sighting, place, zone, face, False, cost + again, seen))
                for was in range(1, 7) if turns and die.zone is not Zone.KEPT and now else ():
                    if was != face and (was == now or (die.var not in h.confirmed and _rather(h, die, was) > UNLIKELY)):
                        seen = look[face] + _rather(h, die, was)
                        found.append(
                            Match(sighting, place, zone, face, True, cost + _turning(die, sighting), seen, was)
                        )
    found.sort(key=lambda one: -(one.cost + one.seen))
    return [one for one in found if one.cost + one.seen >= least]


def not_played(h: Hypothesis, stay: Stay, moved: Collection[int]) -> float:
    """Log chance of this being none of the game: certain where such a one lay here, lost from sight or misread; moved:
    what those show that lie elsewhere now."""
    here = (one for one in h.idle if apart(one.box, stay.box) < SAME_PLACE)
    if any(one.value == stay.value or one.came == stay.came for one in here):
        return 0.0
    return PRIORS.idle_moved if stay.value in moved else PRIORS.ghost


def _rather(h: Hypothesis, die: Die, face: int) -> float:
    """Log odds of the die having shown this face until now, rather than what it is held to show."""
    now = h.faces[die.var]
    return sum(stay.log_chances[face] - stay.log_chances[now] for stay in h.stays[die.var])


def _was_read(h: Hypothesis, die: Die, stay: Stay, face: int) -> bool:
    """Whether this is what it shows, and it was read so before."""
    return stay.value == face and any(one.value == face for one in h.stays[die.var])


def _reread(die: Die, stay: Stay, face: int) -> float:
    """Log chance of a die that shows this having been misread once and read rightly once, lying as it lay."""
    both = (die.stay, stay)
    sure = all(one is not None and one.confidence >= PRIORS.confident for one in both)
    return PRIORS.mistaken if sure and len({one is not None and one.value == face for one in both}) == 2 else 0.0


def _turning(die: Die, sighting: Sighting) -> float:
    """Log chance of what was seen of a hand, if it turned this die."""
    if die.stay is None or apart(die.stay.box, sighting.stay.box) >= SAME_PLACE:
        return PRIORS.turned_up
    return PRIORS.not_lifted if sighting.turned and sighting.stay.rolled >= HANDLED else 0.0


def _zones(die: Die, sighting: Sighting, here: bool, alone: bool, has_kept_zone: bool) -> Iterator[tuple[Zone, float]]:
    """Where the die lies now in the players' sense, and the log chance of it lying there. alone: away from those set
    aside and from others that hands may have put down with it."""
    unknown = die.stay is None
    if die.zone is Zone.KEPT:
        if has_kept_zone:
            yield Zone.KEPT, 0.0 if unknown or here else PRIORS.aside_again if sighting.kept else PRIORS.put_back
        else:
            yield Zone.KEPT, 0.0 if unknown or here else PRIORS.put_back
        return
    if has_kept_zone:
        if sighting.kept:
            yield Zone.ASIDE, 0.0 if unknown or here or die.zone is Zone.ACTIVE else PRIORS.aside_again
        elif die.zone is Zone.ASIDE:
            yield Zone.ACTIVE, 0.0 if unknown or here else PRIORS.taken_back
        else:
            yield Zone.ACTIVE, 0.0 if unknown or here else PRIORS.put_back
        return
    if here or unknown:
        yield die.zone, 0.0
        if unknown:
            yield (Zone.ACTIVE if die.zone is Zone.ASIDE else Zone.ASIDE), PRIORS.aside_unmoved
        return
    again = PRIORS.aside_again if die.zone is Zone.ASIDE else 0.0
    yield Zone.ASIDE, again + (PRIORS.aside_alone if alone else 0.0)
    yield Zone.ACTIVE, PRIORS.put_back


def rests_alone(h: Hypothesis, stay: Stay) -> bool:
    """Whether others lie aside, and this one not beside any of them."""
    row = [die.stay.box for die in h.dice if die.zone is not Zone.ACTIVE and die.stay is not None and die.seen]
    return bool(row) and not beside(stay.box, row, BESIDE)
