"""Small positions of every kind for comparing the odds with the brute-force solver, in families that share its memory.

A family has one goal, one tableau and one ruleset; its positions differ in dice, used cards, duty and dice supply. Used
by the tests (`size` 0) and by longer runs with more cards (`scripts/compare_odds.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.krone.advice.actions import Action
from engine.krone.advice.goals import GOALS, Threshold
from engine.krone.advice.odds import BEAT, answers, odds
from engine.krone.advice.turn_position import Position
from engine.krone.state import RULESETS
from tests.kit.reference_solver import ADDED_FACE, COSTS, Dice, beats, plus, solver, throws, unused_of, without

ADDERS = [*ADDED_FACE, "queen"]
CHANGERS = ["maid", "philosopher", "astronomer", "noblewoman", "magician", "alchemist", "nobleman", "fool", "merchant"]
_FACES = ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), (1, 3, 5), (2, 4, 6), (4, 5, 6), (3, 3, 3, 2), (1, 2), (5, 6))
_ORDER = ("stop", "keep", "roll", "use")
# (changers, adders, maximum active dice): the brute-force solver needs about a second
_QUICK = ((0, 0, 3), (1, 0, 3), (0, 1, 3), (1, 1, 2), (2, 0, 2), (0, 2, 2))
_LONG = (*_QUICK, (2, 1, 2), (1, 2, 1), (3, 0, 2), (2, 1, 1), (0, 3, 1), (3, 1, 1), (4, 0, 2), (1, 1, 3), (2, 0, 3))


@dataclass(frozen=True, slots=True)
class Family:
    """Positions with one goal, tableau and ruleset."""

    goal: str
    threshold: Threshold | None
    positions: tuple[Position, ...]


def family(seed: int, long: bool = False, positions: int = 60) -> Family:
    """The family of this seed. long: with more cards than tests have time for."""
    chance = random.Random(seed)
    changers, adders, most = chance.choice(_LONG if long else _QUICK)
    cards = tuple(chance.sample(CHANGERS, changers) + chance.sample(ADDERS, adders))
    most -= "queen" in cards and most > 1
    goal = chance.choice((*GOALS, BEAT, BEAT, BEAT))
    threshold = Threshold(chance.randint(2, 6), chance.randint(1, 6), chance.random() < 0.5) if goal == BEAT else None
    rules = RULESETS[chance.choice(("amigo2006", "riogrande2007"))]
    found = [_position(chance, cards, most) for _ in range(positions)]
    supplied = (
        replace(one, rules=replace(rules, dice=chance.choice((12, 12, None, one.dice, one.dice + 1)))) for one in found
    )
    return Family(goal, threshold, tuple(supplied))


def _position(chance: random.Random, cards: tuple[str, ...], most: int) -> Position:
    """Random dice, whether or not play can reach them, because the odds do not depend on that."""
    if chance.random() < 0.1:
        used = frozenset(card for card in cards if card in ADDERS and chance.random() < 0.3)
        return Position(cards, hand=max(1, most - 1) + len(used), used=used)
    used = frozenset(card for card in cards if chance.random() < 0.15)
    active, kept = chance.randint(0, most), chance.choice((0, 1, 2, 3, 4, 5, 6, 7))
    faces = chance.choice(_FACES)
    dice = [chance.choice(faces) for _ in range(max(1, active + kept))]
    met = active == 0 or (kept > 0 and chance.random() < 0.5)
    return Position(cards, RULESETS["amigo2006"], 0, _sorted(dice[:active]), _sorted(dice[active:]), used, met)


def _sorted(dice: list[int]) -> Dice:
    return tuple(sorted(dice))


def differences(one: Family) -> Iterator[str]:
    """Differences between the fast solver and the brute-force one: odds as fractions and doubles, value of each action,
    order of equally good ones."""
    met = (
        COSTS[one.goal]
        if one.threshold is None
        else beats(one.threshold.count, one.threshold.face, one.threshold.equal)
    )
    solvers: dict[int | None, ReferenceSolver] = {}
    aims = () if one.threshold else (one.goal,)
    for position in one.positions:
        supply = position.rules.dice
        reference = solvers.setdefault(supply, ReferenceSolver(met, position.rules.id, supply))
        expected = reference.position(position)
        answer = answers(position, aims, one.threshold, fractions=True)[one.goal]
        if answer.chance.fraction != expected:
            yield f"{one.goal} {one.threshold} {position}: {answer.chance.fraction}, reference {expected}"
        if abs(odds(position, aims, one.threshold)[one.goal].p - float(expected)) > 1e-12:
            yield f"{one.goal} {one.threshold} {position}: in doubles"
        for choice in answer.choices:
            value = reference.action(position, choice.action)
            if choice.value != value:
                yield f"{one.goal} {one.threshold} {position}: {choice}, reference {value}"
        good = [choice.action.do for choice in answer.choices if choice.value == expected]
        if not good or answer.choices[0].action.do != min(good, key=_ORDER.index):
            yield f"{one.goal} {one.threshold} {position}: advised {answer.best} among {good}"


class ReferenceSolver:
    """The brute-force solver for positions and actions."""

    def __init__(self, met: Callable[[Dice], bool], ruleset: str, supply: int | None) -> None:
        self._met = met
        self._chance, self._begin = solver(met, ruleset, supply)

    def position(self, position: Position) -> Fraction:
        """The probability of the goal from this position."""
        if position.hand:
            return self._begin(position.cards, tuple(position.used), position.hand - len(position.used))
        return self._chance(position.active, position.kept, _unused(position), position.duty_met)

    def action(self, position: Position, action: Action) -> Fraction:
        """The value of the action under best play afterwards."""
        active, kept, duty = position.active, position.kept, position.duty_met
        left = unused_of(position.cards, (*position.used, action.card) if action.card else tuple(position.used))
        if position.hand:
            if action.do == "use":
                return self.position(replace(position, used=position.used | {str(action.card)}, hand=position.hand + 1))
            return self._rolled((), (), position.hand, left, False)
        if action.do == "stop":
            return Fraction(self._met(kept))
        if action.do == "roll":
            return self._rolled((), kept, len(active), left, False)
        if action.do == "keep":
            return self._chance(without(active, action.dice), plus(kept, action.dice), left, True)
        if action.card in ("fool", "merchant"):
            return self._rolled(without(active, action.dice), kept, len(action.dice), left, duty)
        return self._chance(plus(without(active, action.dice), action.to), kept, left, duty)

    def _rolled(self, active: Dice, kept: Dice, count: int, unused: tuple[str, ...], duty: bool) -> Fraction:
        return sum((p * self._chance(plus(active, dice), kept, unused, duty) for dice, p in throws(count)), Fraction(0))


def _unused(position: Position) -> tuple[str, ...]:
    return unused_of(position.cards, tuple(position.used))
