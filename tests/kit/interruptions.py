"""Turns that something else interrupts: rolls for fun, wrong numbers of dice, a die on the floor, another game.

Each interruption is a list of steps that belongs to no record. It ends with an empty table, before the turn begins.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.kit.script import Clear, Keep, RollDice, Step, Wait

KINDS = ("fun", "wrong number", "floor", "another game")
MAX_DICE = 6


def interrupted(script: Sequence[Step], due: int, number: int) -> list[Step]:
    """The script of a turn with an interruption before its first roll; the kind follows from the number.

    Args:
        due: Number of dice at the start of the turn, so that the interruption shows another number.
    """
    rng = np.random.default_rng([0x1A7E, number])
    kind = KINDS[number % len(KINDS)]
    return [Wait(seconds=0.6), *_STEPS[kind](rng, due), Clear(), Wait(seconds=0.8), *script]


def _roll(rng: np.random.Generator, count: int, lost: int = 0) -> RollDice:
    return RollDice(values=tuple(int(value) for value in rng.integers(1, 7, count)), lost=lost)


def _other(rng: np.random.Generator, due: int) -> int:
    """A number of dice other than the one due."""
    return int(rng.choice([count for count in range(1, MAX_DICE + 1) if count != due]))


def _fun(rng: np.random.Generator, due: int) -> list[Step]:
    count = _other(rng, due)
    steps: list[Step] = []
    for _ in range(int(rng.integers(1, 4))):
        steps += [_roll(rng, count), Wait(seconds=float(rng.uniform(0.5, 1.5))), Clear()]
    return steps[:-1]


def _wrong_number(rng: np.random.Generator, due: int) -> list[Step]:
    count = due + 1 if due == 1 or rng.uniform() < 0.5 else due - 1
    return [_roll(rng, count), Wait(seconds=1.5)]


def _floor(rng: np.random.Generator, due: int) -> list[Step]:
    return [_roll(rng, due, lost=1), Wait(seconds=2.0)] if due > 1 else _wrong_number(rng, due)


def _another_game(rng: np.random.Generator, due: int) -> list[Step]:
    """Four turns of a game with five dice (six where five are due), of up to three rolls."""
    count = 6 if due == 5 else 5
    steps: list[Step] = []
    for _ in range(4):
        roll = _roll(rng, count)
        kept = roll.values[: int(rng.integers(1, count))]
        again = _roll(rng, count - len(kept))
        steps += [roll, Wait(seconds=0.5), Keep(values=kept), again, Wait(seconds=1.0), Clear(), Wait(seconds=0.5)]
    return steps[:-2]


_STEPS = {"fun": _fun, "wrong number": _wrong_number, "floor": _floor, "another game": _another_game}
