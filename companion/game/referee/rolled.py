"""Estimates which dice in a snapshot were rolled since the one before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from companion.game.referee.distances import SAME_SPOT, SAME_STAY, distance, shifted
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.same_die import HANDLED
from companion.game.referee.stays import Sighting, Snapshot, Stay

MAX_DOUBTED = 4
BY_CHANCE = -math.log(6)  # log chance that a rolled die shows a certain face
SURELY = 2.0  # log odds from which a die was certainly rolled
SAME_TIME_SECONDS = 0.3  # dice of one roll mostly come to rest within this time of one another


@dataclass(frozen=True, slots=True)
class RollChance:
    """The chance that a die was rolled since the snapshot before.

    Attributes:
        rolled, not_rolled: Log chances that it was rolled and that it was not; the larger one is 0.
        unseen: The part of `rolled` that counts against a roll because no pass saw the die rolling.
    """

    sighting: Sighting
    rolled: float
    not_rolled: float
    unseen: float = 0.0

    @property
    def odds(self) -> float:
        """Log odds that it was rolled."""
        return self.rolled - self.not_rolled


def roll_chance(sighting: Sighting, snapshot: Snapshot, before: Snapshot | None) -> RollChance:
    """The log chances that this die was rolled since the snapshot before."""
    stay = sighting.stay
    if sighting.shift is not None and not sighting.turned:  # it seems to rest in its old place
        if sighting.shift < SAME_SPOT / 2 or not sighting.covered:
            return RollChance(sighting, PRIORS.rolled_in_place, 0.0)
        if sighting.shift < SAME_SPOT:
            return RollChance(sighting, PRIORS.rolled_nearby, 0.0)
        return RollChance(sighting, 0.0, PRIORS.rolled_nearby)
    seen = math.log(max(stay.rolled, 0.01) / max(1 - stay.rolled, 0.001))
    if snapshot.has_kept_zone and sighting.kept:
        seen = min(seen, 0.0)  # a die in the kept zone was put there by a hand, seen or not
    odds = stay.arrival_log_chance + seen
    if before is not None:
        not_rolled = _ended(snapshot, before)
        if any(one.value == stay.value for one in not_rolled):
            odds += BY_CHANCE  # a hand may have moved one of them
        if any(shifted(one.box, stay.box) < SAME_SPOT for one in not_rolled):
            odds += PRIORS.rolled_in_place
        elif stay.rolled < HANDLED and any(distance(one.box, stay.box) < SAME_STAY for one in not_rolled):
            odds += PRIORS.rolled_nearby  # not for a die that was seen to roll, which is better evidence
    return RollChance(sighting, min(0.0, odds), min(0.0, -odds), max(min(0.0, seen), min(0.0, odds)))


def faces_by_chance(snapshot: Snapshot, before: Snapshot) -> float:
    """Log chance of the faces of new dice that no hand has moved here from a place in the snapshot before."""
    faces = {stay.value for stay in _ended(snapshot, before)}
    new = [one for one in snapshot.sightings if one.shift is None and one.stay.value in faces]
    return sum(max(roll_chance(one, snapshot, before).rolled, BY_CHANCE) for one in new)


def _ended(snapshot: Snapshot, before: Snapshot) -> list[Stay]:
    """The stays that have ended since the snapshot before."""
    return [one.stay for one in before.sightings if one.stay.number not in snapshot.numbers]


def rolled_together(dice: Sequence[RollChance]) -> list[RollChance]:
    """The estimates after comparing the dice: one that arrives together with a rolled die was rolled, too."""
    new = [one for one in dice if one.sighting.shift is None]
    surely = [one for one in new if one.odds > SURELY]
    return [_raised(one) if one in new and any(_at_same_time(one, other) for other in surely) else one for one in dice]


def _at_same_time(one: RollChance, other: RollChance) -> bool:
    """Whether a die certainly came to rest at the same time as another one."""
    stay, when = one.sighting.stay, other.sighting.stay.began
    return one is not other and when - SAME_TIME_SECONDS < stay.last_empty < stay.began < when + SAME_TIME_SECONDS


def _raised(one: RollChance) -> RollChance:
    odds = one.odds + PRIORS.rolled_together
    return replace(one, rolled=min(0.0, odds), not_rolled=min(0.0, -odds))


def rolled_sets(
    dice: Sequence[RollChance], forced: Iterable[frozenset[int]], least: float
) -> list[tuple[tuple[Sighting, ...], tuple[Sighting, ...], float]]:
    """The likeliest set of rolled dice and sets that differ from it in the most doubtful dice, the likeliest first.

    Args:
        forced: Further sets, of stay numbers, that the rules suggest.
        least: The smallest log chance of interest.

    Returns:
        Tuples (rolled sightings, other sightings, log chance).
    """
    base = frozenset(one.sighting.stay.number for one in dice if one.odds >= 0)
    order = sorted((one for one in dice if abs(one.odds) < -least), key=lambda one: abs(one.odds))
    doubted, sure = order[:MAX_DOUBTED], order[MAX_DOUBTED:]
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
        chosen = [one for one in dice if one.sighting.stay.number in numbers]
        rest = [one for one in dice if one.sighting.stay.number not in numbers]
        cost = sum(one.rolled - one.unseen for one in chosen) + together([one.not_rolled for one in rest])
        if chosen:  # missing all dice of a roll is one mistake
            cost += max(together([one.unseen for one in chosen]), PRIORS.unnoticed)
        elif any(one.odds > 0 for one in dice):
            cost += PRIORS.false_roll
        if cost >= least:
            found.append((tuple(one.sighting for one in chosen), tuple(one.sighting for one in rest), cost))
    found.sort(key=lambda one: -one[2])
    return found
