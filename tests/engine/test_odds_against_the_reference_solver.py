"""The fast solver equals the brute-force one, as fractions, on thousands of small positions with every card and goal.

`scripts/compare_odds.py` compares more positions, with more cards at once.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.krone.advice.odds import odds
from engine.krone.advice.turn_position import Position
from engine.krone.state import RULESETS
from tests.kit.odds_families import differences, family


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_odds_and_every_action_equal_the_obvious_solver(seed: int) -> None:
    assert list(differences(family(seed))) == []


@pytest.mark.parametrize("goal", ["farmer", "guard", "hunter", "maid", "magician", "noblewoman", "merchant", "bishop"])
def test_goals_solved_together_have_the_same_odds_as_alone(goal: str) -> None:
    position = Position(("laborer", "astronomer", "fool"), RULESETS["amigo2006"], 0, (1, 3, 4, 6), (3, 6))
    together = odds(position, fractions=True)
    assert isinstance(together[goal].fraction, Fraction)
    assert together[goal] == odds(position, (goal,), fractions=True)[goal]
