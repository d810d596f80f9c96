"""Fits the weights of a worth table to games: who won, or who was about to, teaches what the cards were worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PENALTY = 60.0  # of a weight's squared distance from its start, against one nat: cross-validated on 310 games
_STEPS = 60
_SETTLED = 1e-9
_LONGEST = 0.5  # step of a sharpness


class Situation(NamedTuple):
    """Every player's features at one moment, and every player's share of the win: (0, 1, 0) where the second won, or
    the chances once they were known."""

    features: Sequence[Mapping[str, float]]
    won: Sequence[float]


def fit(
    situations: Sequence[Situation], names: Sequence[str], first: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """(the weights under which what came of the situations was most likely, mean log-likelihood of a situation).

    Newton's method on the softmax of the scores, held near `first`. Nothing a player has may weigh below 0 (only what
    begins with `wait` may): a card can always be left unused, and who bought a poor card had mostly thrown poorly.
    """
    helps = np.array([not name.startswith("wait") for name in names])
    start = np.array([first.get(name, 0.0) for name in names])
    weights = start.copy()
    blocks = _blocks(situations, names)
    likelihood = 0.0
    for _ in range(_STEPS):
        slope: NDArray[np.float64] = -PENALTY * (weights - start)
        curve = PENALTY * np.eye(len(names))
        likelihood = 0.0
        for rows, won in blocks:
            chances = _softmax(rows @ weights)
            likelihood += float((won * np.log(chances)).sum())
            mean = np.einsum("sp,spf->sf", chances, rows)
            slope += np.einsum("sp,spf->f", won, rows) - mean.sum(axis=0)
            spread = rows - mean[:, None, :]
            flat = spread.reshape(-1, len(names))
            curve += (flat * chances.reshape(-1, 1)).T @ flat
        free = ~(helps & (weights <= 0) & (slope < 0))
        step = np.zeros(len(names))
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        moved = np.where(helps, np.maximum(weights + step, 0), weights + step)
        settled = np.abs(moved - weights).max() < _SETTLED
        weights = moved
        if settled:
            break
    return dict(zip(names, weights.tolist(), strict=True)), likelihood / len(situations)


def sharpness(said: Sequence[tuple[Sequence[float], Sequence[float], Sequence[float]]], as_if: float) -> list[float]:
    """Weights whose sum, by how much of each a moment has, is the logarithm of what makes its scores fit who won best.

    said: for each moment how much it has of each weight, everybody's scores, and her share of the win. Newton's method
    on the softmax; the square of every weight costs `as_if` nats, so that few games do not move it far.
    """
    found = np.zeros(len(said[0][0]))
    for _ in range(_STEPS):
        slope, curve = -2 * as_if * found, 2 * as_if * np.eye(len(found))
        for kind, scores, won in said:
            has, row = np.array(kind), np.array(scores)
            sharp = np.exp(has @ found)
            chances = _softmax(sharp * row[None])[0]
            mean = chances @ row
            slope += sharp * (won @ row - mean) * has
            curve += sharp**2 * (chances @ row**2 - mean**2) * np.outer(has, has)
        step = np.linalg.solve(curve, slope)
        found += step * min(1.0, _LONGEST / float(np.abs(step).max() + _SETTLED))
        if np.abs(step).max() < _SETTLED:
            break
    return [float(weight) for weight in found]


def _blocks(
    situations: Sequence[Situation], names: Sequence[str]
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """By number of players: (situations, players, features) and (situations, players)."""
    place = {name: i for i, name in enumerate(names)}
    found = []
    for players in sorted({len(one.won) for one in situations}):
        chosen = [one for one in situations if len(one.won) == players]
        rows = np.zeros((len(chosen), players, len(names)))
        for i, one in enumerate(chosen):
            for seat, features in enumerate(one.features):
                for name, value in features.items():
                    rows[i, seat, place[name]] = value
        found.append((rows, np.array([one.won for one in chosen], dtype=float)))
    return found


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return chances
