"""Weights of Knatsch's value function made by hand, with which training begins."""

from __future__ import annotations

from collections.abc import Mapping

from engine.knatsch.advice.value_function import KnatschValueFunction

# Initial weights of training and prior for rare features.
FIRST: Mapping[str, float] = {
    "castles 2": 0.8,
    "castles 3": 1.2,
    "tournaments 1": 0.3,
    "tournaments 2": 0.5,
    "tournaments 3": 0.8,
    "one missing": 0.5,
    **{f"dice {n}": 0.4 for n in range(1, 6)},
    **dict.fromkeys(("catapult", "champion", "stack", "castle-guard", "special-guard", "betrayal", "protection"), 0.1),
    "wait": -0.3,
}
NAMES = tuple(sorted(FIRST))
HAND_MADE = KnatschValueFunction(FIRST)
