"""The fast solver equals the obvious one, as fractions, on thousands of small positions with every card and goal."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from obvious_solver import ADDED_FACE, COSTS, beats, solver, unused_of

from engine.advice.goals import GOALS, Threshold
from engine.advice.odds import BEAT, answers, odds
from engine.advice.position import Position
from engine.krone.state import RULESETS

ADDERS = [*ADDED_FACE, "queen"]
CHANGERS = ["maid", "philosopher", "astronomer", "noblewoman", "magician", "alchemist", "nobleman", "fool", "merchant"]
POSITIONS = 60  # of each family: they share the obvious solver's memory


def positions(seed: int) -> tuple[str, Threshold | None, list[Position]]:
    """A goal and positions of one family: same cards, ruleset and supply, different dice."""
    chance = random.Random(seed)
    changers = chance.sample(CHANGERS, chance.choice((0, 1, 1, 2)))
    adders = chance.sample(ADDERS, chance.choice((0, 1, 1, 2) if len(changers) < 2 else (0, 0, 1)))
    lying = 3 if len(adders) + len(changers) < 2 else 2  # the obvious solver takes seconds for more
    lying -= len(adders) == 2 or ("queen" in adders and bool(changers))
    cards = tuple(changers + adders)
    ruleset = RULESETS[chance.choice(("amigo2006", "riogrande2007"))]
    goal = chance.choice((*GOALS, BEAT, BEAT))
    threshold = Threshold(chance.randint(2, 5), chance.randint(1, 6), chance.random() < 0.5) if goal == BEAT else None
    found = []
    for _ in range(POSITIONS):
        active = chance.randint(0, lying)
        kept = chance.randint(0, 6)
        faces = chance.choice(((1, 2, 3, 4, 5, 6), (1, 3, 5), (2, 4, 6), (4, 5, 6), (3, 3, 3, 2)))
        dice = [chance.choice(faces) for _ in range(active + kept)]
        supply = chance.choice((12, None, active + kept, active + kept + 1))
        position = Position(
            cards,
            replace(ruleset, dice=supply),
            hand=0 if dice else lying,
            active=tuple(sorted(dice[:active])),
            kept=tuple(sorted(dice[active:])),
            used=frozenset(card for card in cards if chance.random() < 0.15),
            duty_met=active == 0 or (kept > 0 and chance.random() < 0.5),
        )
        found.append(position)
    return goal, threshold, found


@pytest.mark.parametrize("seed", range(40))
def test_odds_equal_the_obvious_solver(seed: int) -> None:
    goal, threshold, family = positions(seed)
    condition = COSTS[goal] if threshold is None else beats(threshold.count, threshold.face, threshold.equal)
    solvers = {}
    for position in family:
        rules = position.rules
        if rules.dice not in solvers:
            solvers[rules.dice] = solver(condition, rules.id, rules.dice)
        chance, begin = solvers[rules.dice]
        if position.hand:
            position = replace(position, used=frozenset())
            expected = begin(position.cards, (), position.hand)
        else:
            unused = unused_of(position.cards, tuple(position.used))
            expected = chance(position.active, position.kept, unused, position.duty_met)
        aims = () if threshold else (goal,)
        answer = answers(position, aims, threshold, fractions=True)[goal]
        assert answer.chance.fraction == expected, position
        assert answer.choices[0].value == expected, (position, answer.choices[0])
        assert odds(position, aims, threshold)[goal].p == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("goal", ["farmer", "guard", "hunter", "maid", "magician", "noblewoman", "merchant", "bishop"])
def test_all_goals_together_give_what_each_gives_alone(goal: str) -> None:
    position = Position(("laborer", "astronomer", "fool"), RULESETS["amigo2006"], 0, (1, 3, 4, 6), (3, 6))
    together = odds(position, fractions=True)
    assert isinstance(together[goal].fraction, Fraction)
    assert together[goal] == odds(position, (goal,), fractions=True)[goal]
