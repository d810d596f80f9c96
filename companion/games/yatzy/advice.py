"""Advice on Yatzy for a player who maximises points, from the exact table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.advice.budget import Budget, Chances
from companion.advice.packed_numbers import from_steps
from companion.game.changes import Sentence
from companion.resources import resource
from engine.dice import dice_text
from engine.yatzy.advice.choices import Choice, choices, expected_total
from engine.yatzy.events import Keep
from engine.yatzy.state import State

KEEP = "Keep {dice} and reroll the rest: {points} points in the end, on average."
KEEP_NONE = "Reroll all dice: {points} points in the end, on average."
SCORE = "Enter these dice in {card}: {points} points in the end, on average."
ROLL = "Roll: {points} points in the end, on average."
NEXT_KEEP = "Next best: keep {dice} (−{points} points)."
NEXT_KEEP_NONE = "Next best: reroll all dice (−{points} points)."
NEXT_SCORE = "Next best: {card} (−{points} points)."
MESSAGES = (KEEP, KEEP_NONE, SCORE, ROLL, NEXT_KEEP, NEXT_KEEP_NONE, NEXT_SCORE)


@cache
def yatzy_values(ruleset: str) -> NDArray[np.float32]:
    """The exact table of a ruleset (`engine.yatzy.advice.table`), made by scripts/yatzy_table.py."""
    with np.load(resource("models", "yatzy.npz")) as tables:
        return from_steps(tables[ruleset])


def think(state: State, budget: Budget) -> Iterator[Chances]:
    """Yields the best choice and the next best one; it takes a few milliseconds."""
    if state.finished:
        yield Chances()
        return
    values = yatzy_values(state.rules.id)
    found = choices(state, values)
    if not found:
        yield Chances(advice=(Sentence(ROLL, {"points": f"{expected_total(state, state.seat, values):.1f}"}),))
        return
    best = found[0]
    advice = [_sentence(best, best.points, (KEEP, KEEP_NONE, SCORE))]
    advice += [_sentence(one, best.points - one.points, (NEXT_KEEP, NEXT_KEEP_NONE, NEXT_SCORE)) for one in found[1:2]]
    yield Chances(set_aside=best.event.dice if isinstance(best.event, Keep) else (), advice=tuple(advice))


def _sentence(choice: Choice, points: float, templates: tuple[str, str, str]) -> Sentence:
    keep, keep_none, score = templates
    values = {"points": f"{points:.1f}"}
    if not isinstance(choice.event, Keep):
        return Sentence(score, values | {"card": choice.event.box})
    return Sentence(keep if choice.event.dice else keep_none, values | {"dice": dice_text(choice.event.dice)})
