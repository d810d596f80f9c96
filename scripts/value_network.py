"""Trains the value network (engine/krone/advice/value_function.py) with Adam on the cross-entropy of win probabilities.

Plain numpy: the network is so small that a pass over a thousand games takes a second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.krone.advice.features import FEATURE_COUNT

Numbers = NDArray[np.float64]
Weights = dict[str, Numbers]
# (positions, players, FEATURE_COUNT) and (positions, players): of games with the same number of players
Examples = tuple[NDArray[np.float32], Numbers]

HIDDEN = (64, 32)
_BATCH = 256
_DECAY, _LINEAR_DECAY = 3e-5, 2e-5  # weight decay per step
_MOMENTUM, _SPREAD, _TINY = 0.9, 0.999, 1e-8  # D. P. Kingma and J. Ba, Adam, 2015


def new_weights(seed: int) -> Weights:
    """Initial weights: equal scores, and two layers with random features."""
    generator, (first, second) = np.random.default_rng(seed), HIDDEN
    return {
        "linear": np.zeros(FEATURE_COUNT),
        "first": generator.normal(0, 0.5 / np.sqrt(30), (FEATURE_COUNT, first)),  # about thirty numbers are not 0
        "first_bias": np.zeros(first),
        "second": generator.normal(0, 1 / np.sqrt(first), (first, second)),
        "second_bias": np.zeros(second),
        "last": np.zeros(second),
    }


def slopes(weights: Weights, numbers: Numbers, won: Numbers) -> tuple[float, Weights]:
    """(cross-entropy, its gradient), summed over the positions."""
    first = np.maximum(numbers @ weights["first"] + weights["first_bias"], 0)
    second = np.maximum(first @ weights["second"] + weights["second_bias"], 0)
    scores = numbers @ weights["linear"] + second @ weights["last"]
    powers = np.exp(scores - scores.max(1, keepdims=True))
    chances = powers / powers.sum(1, keepdims=True)
    flat, wrong = numbers.reshape(-1, FEATURE_COUNT), (chances - won).reshape(-1)
    first, second = (layer.reshape(-1, layer.shape[-1]) for layer in (first, second))
    at_second = np.outer(wrong, weights["last"]) * (second > 0)
    at_first = (at_second @ weights["second"].T) * (first > 0)
    return -float((won * np.log(chances + 1e-12)).sum()), {
        "linear": flat.T @ wrong,
        "first": flat.T @ at_first,
        "first_bias": at_first.sum(0),
        "second": first.T @ at_second,
        "second_bias": at_second.sum(0),
        "last": second.T @ wrong,
    }


def fit(weights: Weights, examples: Sequence[Examples], epochs: int, rate: float, seed: int) -> float:
    """Trains the weights in place; returns the mean cross-entropy over the last epoch.

    Args:
        rate: Initial learning rate, decaying to 0.
    """
    generator = np.random.default_rng(seed)
    mean = {name: np.zeros_like(held) for name, held in weights.items()}
    square = {name: np.zeros_like(held) for name, held in weights.items()}
    positions = sum(len(won) for _, won in examples)
    steps = epochs * sum(-(-len(won) // _BATCH) for _, won in examples)
    step, loss = 0, 0.0
    for _ in range(epochs):
        loss = 0.0
        batches = [
            (part, chosen)
            for part, (_, won) in enumerate(examples)
            for chosen in np.array_split(generator.permutation(len(won)), max(1, -(-len(won) // _BATCH)))
        ]
        generator.shuffle(batches)
        for part, chosen in batches:
            numbers, won = examples[part]
            found, by_weight = slopes(weights, numbers[chosen].astype(float), won[chosen])
            loss, step = loss + found, step + 1
            now = rate * (1 - step / (steps + 1))
            for name, held in weights.items():
                decay = _LINEAR_DECAY if name == "linear" else _DECAY
                slope = by_weight[name] / len(chosen) + decay * held
                mean[name] += (1 - _MOMENTUM) * (slope - mean[name])
                square[name] += (1 - _SPREAD) * (slope**2 - square[name])
                size = np.sqrt(square[name] / (1 - _SPREAD**step)) + _TINY
                held -= now * mean[name] / (1 - _MOMENTUM**step) / size
    return loss / positions
