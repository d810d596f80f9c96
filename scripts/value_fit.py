"""Fits the weights of a value table to games: winners, or known win probabilities, show what the cards were worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PENALTY = 60.0  # prior: nats per squared distance of a weight from its start; cross-validated on 310 games
_STEPS = 60
_SETTLED = 1e-9
_LONGEST = 0.5  # maximum step of a sharpness


class Situation(NamedTuple):
    """Every player's features at one moment, and every player's share of the win: (0, 1, 0) if the second won, or
    win probabilities once known."""

    features: Sequence[Mapping[str, float]]
    won: Sequence[float]


def fit(
    situations: Sequence[Situation], names: Sequence[str], first: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """Maximum likelihood weights and the mean log-likelihood of a situation.

    Newton's method on the softmax, with a prior at `first`. No feature may weigh less than 0 (except those that begin
    with `wait`), because a card can always be left unused, and buyers of a poor card had mostly rolled poorly.
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


def sharpness(
    moments: Sequence[tuple[Sequence[float], Sequence[float], Sequence[float]]], prior_cost: float
) -> list[float]:
    """The coefficients of log sharpness that fit the winners best.

    Newton's method on the softmax; the square of every coefficient costs `prior_cost` nats, as a prior.

    Args:
        moments: For each moment its inputs (one for each coefficient), all scores, and each player's share of the win.
    """
    found = np.zeros(len(moments[0][0]))
    for _ in range(_STEPS):
        slope, curve = -2 * prior_cost * found, 2 * prior_cost * np.eye(len(found))
        for kind, scores, won in moments:
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
