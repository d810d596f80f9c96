"""Estimates which dice in a snapshot were rolled since the one before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from companion.game.referee.distances import SAME_SPOT, SAME_STAY, apart, shifted
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.same_die import HANDLED
from companion.game.referee.stays import Sighting, Snapshot, Stay

MOST_DOUBTED = 4
SURELY = 2.0  # log odds from which a die was certainly rolled
AT_ONCE_SECONDS = 0.15  # the place of a die that arrived with another one was seen empty within this time before


@dataclass(frozen=True, slots=True)
class Rolled:
    """The chance that a die was rolled since the snapshot before.

    Attributes:
        thrown, left: Log chances that it was rolled and that it was not; the larger one is 0.
        unseen: The part of `thrown` that counts against a roll because no pass saw the die rolling.
    """

    sighting: Sighting
    thrown: float
    left: float
    unseen: float = 0.0

    @property
    def odds(self) -> float:
        """Log odds that it was rolled."""
        return self.thrown - self.left


def rolled(sighting: Sighting, snapshot: Snapshot, before: Snapshot | None) -> Rolled:
    """The log chances that this die was rolled since the snapshot before."""
    stay = sighting.stay
    if sighting.shift is not None and not sighting.turned:  # it seems to rest in its old place
        if sighting.shift < SAME_SPOT / 2 or not sighting.covered:
            return Rolled(sighting, PRIORS.rolled_in_place, 0.0)
        if sighting.shift < SAME_SPOT:
            return Rolled(sighting, PRIORS.rolled_nearby, 0.0)
        return Rolled(sighting, 0.0, PRIORS.rolled_nearby)
    seen = math.log(max(stay.rolled, 0.01) / max(1 - stay.rolled, 0.001))
    if snapshot.has_kept_zone and sighting.kept:
        seen = min(seen, 0.0)  # a die in the kept zone was put there by a hand, seen or not
    odds = (
        stay.arrival_log_chance
        + seen
        + (-math.log(6) if before is not None and _shown(before, snapshot, stay) else 0.0)
    )
    if before is not None:
        left_places = [one.stay.box for one in before.sightings if one.stay.number not in snapshot.numbers]
        if any(shifted(box, stay.box) < SAME_SPOT for box in left_places):
            odds += PRIORS.rolled_in_place
        elif stay.rolled < HANDLED and any(apart(box, stay.box) < SAME_STAY for box in left_places):
            odds += PRIORS.rolled_nearby  # not for a die that was seen to roll, which is better evidence
    return Rolled(sighting, min(0.0, odds), min(0.0, -odds), max(min(0.0, seen), min(0.0, odds)))


def with_throw(dice: Sequence[Rolled]) -> list[Rolled]:
    """The estimates after comparing the dice: a player who rolls puts no die down in the same moment."""
    new = [one for one in dice if one.sighting.shift is None]
    when = min((one.sighting.stay.began for one in new if one.odds > SURELY), default=math.inf)
    return [
        replace(one, thrown=min(0.0, one.odds + PRIORS.with_throw), left=min(0.0, -one.odds - PRIORS.with_throw))
        if one in new and one.odds < SURELY and one.sighting.stay.last_empty > when - AT_ONCE_SECONDS
        else one
        for one in dice
    ]


def _shown(before: Snapshot, snapshot: Snapshot, stay: Stay) -> bool:
    """Whether a die that has left its place showed the same face as this one."""
    return any(one.stay.value == stay.value and one.stay.number not in snapshot.numbers for one in before.sightings)


def rolled_sets(
    dice: Sequence[Rolled], forced: Iterable[frozenset[int]], least: float, due: float = 1.0
) -> list[tuple[tuple[Sighting, ...], tuple[Sighting, ...], float]]:
    """The likeliest set of rolled dice and sets that differ from it in the most doubtful dice, the likeliest first.

    Args:
        forced: Further sets, of stay numbers, that the rules suggest.
        least: The smallest log chance of interest.
        due: The number of rolls that vision expects. If vision missed a roll, it saw none of its dice rolling.

    Returns:
        Tuples (rolled sightings, other sightings, log chance).
    """
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
        if took:  # missing all dice of a roll is one mistake, whether or not vision counted the roll
            unseen = [one.unseen for one in took]
            expected = 0.0 if all(unseen) else min(1.0, max(0.0, due))
            cost += expected * together(unseen) + (1.0 - expected) * PRIORS.unnoticed - sum(unseen)
        if cost >= least:
            thrown = tuple(one.sighting for one in dice if one.sighting.stay.number in numbers)
            left = tuple(one.sighting for one in dice if one.sighting.stay.number not in numbers)
            found.append((thrown, left, cost))
    found.sort(key=lambda one: -one[2])
    return found
