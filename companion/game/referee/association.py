"""Assigns new stays that were not rolled to known dice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from companion.game.referee.distances import SAME_STAY, apart, beside
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.same_die import HANDLED
from companion.game.referee.stays import Sighting, Snapshot, Stay
from vision.types import Box

MOST_MATCHES = 8
MOST_PARTIAL = 60  # the likeliest matches of the stays so far, which are continued with the next stay
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
        seen: Log chance of the faces read.
    """

    sighting: Sighting
    die: int
    zone: Zone
    face: int
    turned: bool
    cost: float
    seen: float
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
    """The likeliest ways to match new stays to dice that left their places.

    Args:
        gone: Indices of the dice that left their places.
        stale: Indices of dice that may have left while their place was hidden, with the log chance of that.
        owed: Indices of dice out of sight, with the log chance that counts if they have no match.
        least: The smallest log chance of the step that is worth returning.
        idle: Faces of dice that are not played and have been moved.

    Returns:
        For each way, the matches and the log chance of the dice that were not seen.
    """
    adders, turns = h.transitions.added(h), h.transitions.turns(h)
    least -= h.step_log_chance
    options = []
    for sighting in new:
        others = [other.stay.box for other in new if other is not sighting]
        options.append(_options(h, sighting, gone, stale, others, snapshot.has_kept_zone, adders, turns, least, idle))
    ways: list[tuple[float, tuple[Match, ...]]] = [(0.0, ())]
    for here in options:
        more = [
            (so_far + one.cost + one.seen + (PRIORS.card if _first_turned(one, chosen) else 0.0), (*chosen, one))
            for so_far, chosen in ways
            for one in _different(h, here, {match.die for match in chosen}, least - so_far)
        ]
        ways = nlargest(MOST_PARTIAL, (way for way in more if way[0] >= least), key=itemgetter(0))
    found = []
    for so_far, chosen in ways:
        used = {match.die for match in chosen}
        unseen = together([cost for one, cost in owed.items() if one not in used])  # one hand may hide several
        found.append((so_far + unseen, chosen, unseen))
    found = nlargest(MOST_MATCHES, found, key=itemgetter(0))
    return [(chosen, unseen) for total, chosen, unseen in found if total >= least]


def _first_turned(one: Match, chosen: Sequence[Match]) -> bool:
    return one.turned and not any(other.turned for other in chosen)


def _different(h: Hypothesis, options: Iterable[Match], used: Collection[int], least: float) -> Iterator[Match]:
    """The likely options, which are sorted, with dice that are not used yet; of those that differ only in equal dice,
    the first."""
    tried = set()
    for one in options:
        if one.cost + one.seen < least:
            return
        if one.die < 0:
            yield one
        elif one.die not in used:
            die = h.dice[one.die]
            alike = (h.faces[die.var], die.zone, one.zone, one.face, one.turned, one.was, round(one.cost, 3))
            if alike not in tried:
                tried.add(alike)
                yield one


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
            continue  # it rested there before the other dice of that roll arrived
        here = die.stay is not None and apart(die.stay.box, stay.box) < SAME_STAY
        odds, turning = _rather(h, die), _turning(die, sighting)
        for zone, cost in _zones(die, sighting, here, alone, has_kept_zone):
            for face in dict.fromkeys((now, *faces)):
                if face in odds:
                    again = _reread(die, stay, face) if here and not _was_read(h, die, stay, face) else 0.0
                    found.append(Match(sighting, place, zone, face, False, cost + again, look[face] + odds[face]))
                for was in odds if turns and die.zone is not Zone.KEPT and now else ():
                    if was != face and odds[was] > UNLIKELY:
                        found.append(
                            Match(sighting, place, zone, face, True, cost + turning, look[face] + odds[was], was)
                        )
    found.sort(key=lambda one: -(one.cost + one.seen))
    return [one for one in found if one.cost + one.seen >= least]


def not_played(h: Hypothesis, stay: Stay, moved: Collection[int]) -> float:
    """Log chance that a stay is not part of the game; 0 where such a die rested here before. moved: faces of those that
    were moved."""
    here = (one for one in h.idle if apart(one.box, stay.box) < SAME_STAY)
    if any(one.value == stay.value or one.came == stay.came for one in here):
        return 0.0
    return PRIORS.idle_moved if stay.value in moved else PRIORS.ghost


def _rather(h: Hypothesis, die: Die) -> dict[int, float]:
    """Log odds, by the readings so far, of each face that the die may have shown over the believed one."""
    now, stays = h.faces[die.var], h.stays[die.var]
    if die.var in h.confirmed:
        return {now: 0.0}
    believed = sum(stay.log_chances[now] for stay in stays)
    return {face: sum([stay.log_chances[face] for stay in stays]) - believed for face in (now, *range(1, 7))}


def _was_read(h: Hypothesis, die: Die, stay: Stay, face: int) -> bool:
    """Whether the stay shows this face and the die was read like that before."""
    return stay.value == face and any(one.value == face for one in h.stays[die.var])


def _reread(die: Die, stay: Stay, face: int) -> float:
    """Log chance that a die in its old place was misread once and read correctly once."""
    both = (die.stay, stay)
    sure = all(one is not None and one.confidence >= PRIORS.confident for one in both)
    return PRIORS.mistaken if sure and len({one is not None and one.value == face for one in both}) == 2 else 0.0


def _turning(die: Die, sighting: Sighting) -> float:
    """Log chance of the observed hand motion, if it turned this die."""
    if die.stay is None or apart(die.stay.box, sighting.stay.box) >= SAME_STAY:
        return PRIORS.turned_up
    return PRIORS.not_lifted if sighting.turned and sighting.stay.rolled >= HANDLED else 0.0


def _zones(die: Die, sighting: Sighting, here: bool, alone: bool, has_kept_zone: bool) -> Iterator[tuple[Zone, float]]:
    """The zones in which the die may be now, with log chances. alone: away from the dice set aside and from others put
    down with it."""
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
    """Whether there are dice set aside and this stay is beside none of them."""
    row = [die.stay.box for die in h.dice if die.zone is not Zone.ACTIVE and die.stay is not None and die.seen]
    return bool(row) and not beside(stay.box, row, BESIDE)
