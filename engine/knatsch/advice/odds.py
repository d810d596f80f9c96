"""The odds of Knatsch: to beat a combination, to take a castle from its owner, to win a tournament, and what to keep
for it.

Probabilities of beating a combination are exact fractions. Those of a tournament or an attack assume that the others
play optimally. `dice` are all six, sixes included; None before the first throw. `throws` is the number of throws left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from engine.dice import parts
from engine.knatsch.advice.throws import (
    INDEX,
    SCALE,
    THROWS,
    Values,
    attempt_value,
    attempt_value_following,
    throw_the_rest,
    with_throws_left,
)
from engine.knatsch.combination import Combination, best

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to continue: the dice kept beside the sixes, the number of dice rolled (0: stop), and the probability
    of success."""

    keep: Dice
    thrown: int
    chance: float


@dataclass(frozen=True, slots=True)
class Thrower:
    """A player who will roll: the values of their dice cards and their number of throws."""

    dice_cards: Dice = ()
    throws: int = 3


@lru_cache(maxsize=256)
def result_combinations(dice_cards: Dice) -> tuple[Combination, ...]:
    """The combination of each of the 462 results together with these dice cards."""
    return tuple(best((*dice, *dice_cards)) for dice in THROWS)


@lru_cache(maxsize=4096)
def beat(target: Combination, throws: int, dice: Dice | None = None, dice_cards: Dice = ()) -> Fraction:
    """The probability to beat `target` strictly with best play.

    Args:
        throws: 1..4 before the first throw, 0..4 after it.
    """
    payoff = beat_payoff(target, tuple(sorted(dice_cards)))
    if dice is None:
        return Fraction(int(attempt_value(payoff, throws)[0]), SCALE**throws)
    return Fraction(int(with_throws_left(payoff, throws)[INDEX[tuple(sorted(dice))], 0]), SCALE**throws)


def ways_to_beat(target: Combination, throws: int, dice: Dice, dice_cards: Dice = ()) -> list[Way]:
    """Every way to keep dice with this many throws left (at least 1), best first."""
    return ways(beat_payoff(target, tuple(sorted(dice_cards))), throws, dice)


def ways(payoff: Values, throws: int, dice: Dice) -> list[Way]:
    """Every way to continue with 1..3 throws left for a payoff (462, 1), best first; of equal ones, the one that
    rolls fewer dice. Keeping everything means stopping."""
    keeping = throw_the_rest(with_throws_left(payoff, throws - 1))
    sixes = tuple(face for face in dice if face == 6)
    found = [Way(tuple(face for face in dice if face != 6), 0, float(payoff[INDEX[tuple(sorted(dice))], 0]))]
    for keep in parts(tuple(sorted(face for face in dice if face != 6))):
        chance_with_dice = len(keep) + len(sixes)
        if chance_with_dice < len(dice):
            chance = float(keeping[chance_with_dice][INDEX[keep + sixes], 0] / SCALE**throws)
            found.append(Way(keep, len(dice) - chance_with_dice, chance))
    found.sort(key=lambda way: (-way.chance, way.thrown, way.keep))
    return [Way(tuple(sorted(way.keep, reverse=True)), way.thrown, way.chance) for way in found]


@lru_cache(maxsize=1024)
def beat_payoff(target: Combination, dice_cards: Dice) -> Values:
    """(462, 1): 1 for each result that beats the target together with these dice cards, else 0."""
    return np.array([[combination.beats(target)] for combination in result_combinations(dice_cards)], dtype=np.int64)


@lru_cache(maxsize=1024)
def organiser_payoff(dice_cards: Dice, challengers: tuple[Thrower, ...]) -> Values:
    """(462, 1) the value of each result for the roller of a tournament: the probability that no later player takes
    the lead."""
    held = chance_to_hold(result_combinations(dice_cards), challengers)
    return np.array([[held[result]] for result in result_combinations(dice_cards)])


def contestant_payoff(leading: Combination, dice_cards: Dice, challengers: tuple[Thrower, ...]) -> Values:
    """(462, 1) the value of each result for a player who must first beat the leading result.

    An attacker of a castle, for example, beats its combination, and then its owner is the only later player.
    """
    takes_lead = np.array([[float(combination.beats(leading))] for combination in result_combinations(dice_cards)])
    payoff: Values = takes_lead * organiser_payoff(dice_cards, challengers)
    return payoff


def chance_to_hold(results: Sequence[Combination], challengers: Sequence[Thrower]) -> dict[Combination, float]:
    """For each leading result, the probability that it still leads after the challengers, who roll in this order to
    win themselves."""
    leads, held = _holding(tuple(challengers))
    return {result: float(held[bisect_right(leads, result)]) for result in set(results)}


@lru_cache(maxsize=1024)
def _holding(challengers: tuple[Thrower, ...]) -> tuple[tuple[Combination, ...], Values]:
    """(leads in ascending order, probability to hold a lead below the first, from the first on, from the second on
    …). Cached for every tail of a row of challengers, because tails recur."""
    if not challengers:
        return (), np.ones(1)
    results = result_combinations(challengers[0].dice_cards)
    mine = sorted(set(results))
    later_leads, later = _holding(challengers[1:])
    place = {result: number for number, result in enumerate(mine, 1)}
    number = np.array([place[result] for result in results])
    takes_lead = (number[:, None] > np.arange(len(mine) + 1)).astype(np.float64)
    then_holds = later[[0, *(bisect_right(later_leads, result) for result in mine)]][number]
    lost = attempt_value_following(takes_lead * then_holds[:, None], takes_lead, challengers[0].throws)
    leads = tuple(sorted({*mine, *later_leads}))
    to_later, to_mine = ([0, *(bisect_right(known, lead) for lead in leads)] for known in (later_leads, mine))
    return leads, later[to_later] * (1 - lost[to_mine])


def chance_with_dice(payoff: Values, throws: int, dice: Dice) -> float:
    """The probability of success with these six dice on the table and 0..4 throws left, for a payoff (462, 1) in
    0..1."""
    return float(with_throws_left(payoff, throws)[INDEX[tuple(sorted(dice))], 0] / SCALE**throws)


def attempt(payoff: Values, throws: int) -> float:
    """The probability of success of a whole attempt of 1..4 throws, for a payoff (462, 1) in 0..1."""
    return float(attempt_value(payoff, throws)[0] / SCALE**throws)


@lru_cache(maxsize=4096)
def organise(dice_cards: Dice, challengers: tuple[Thrower, ...], throws: int) -> float:
    """The probability to win a tournament as its organiser."""
    return attempt(organiser_payoff(dice_cards, challengers), throws)


@lru_cache(maxsize=4096)
def attack(target: Combination, attacker: Dice, defender: Thrower, throws: int) -> float:
    """The probability to take a player's castle."""
    return attempt(contestant_payoff(target, attacker, (defender,)), throws)
