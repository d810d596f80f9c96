"""The final round ahead: who will hold the King in the end, one challenge after the other.

Groups are rungs of a ladder (`reach`). The probability of ending exactly on a rung is approximated by the difference
between reaching it and reaching the next one, as if one strategy were best for every rung. If a challenger's win
probability under their best strategy is known, these are scaled by a common factor to add up to it. A beaten player
does not roll again; each challenger has to beat the current threshold; the claimant, last, only needs to equal it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.krone.advice.reach import Reach

# Called with a seat and the value of every rung for it; returns its win probability while the threshold still stands.
Best = Callable[[str, Sequence[float]], float]


def finale(
    order: Mapping[str, Reach], threshold: int, holder: str, claimant: str, again: Reach, best: Best | None = None
) -> dict[str, float]:
    """Every player's win probability.

    Args:
        order: Reach of each challenger still to roll, in order.
        threshold: The rung to beat, set by `holder`.
        again: Reach of the claimant, who rolls last if beaten.
    """
    rows = _rows([*order.values(), again], threshold)
    for i, seat in reversed(list(enumerate(order))) if best is not None else ():
        assert best is not None
        holds = _survival(rows[i + 1 :])[0]
        promised = float((rows[i][:-1] - rows[i][1:])[threshold + 1 :] @ holds[threshold + 1 :])
        if promised > 0:
            rows[i][threshold + 1 :] *= min(1.0, best(seat, holds.tolist()) / promised)
    survives = _survival(rows)
    at_rung = np.zeros(rows.shape[1] - 1)  # probability that each rung is the threshold
    at_rung[threshold] = 1
    won = dict.fromkeys((claimant, holder, *order), 0.0)
    for seat, row, holds in zip(order, rows, survives[1:], strict=False):
        ends = _ends(row, at_rung)
        won[seat] = float(ends @ holds)
        at_rung = at_rung * (1 - row[1:]) + ends
    unbeaten = at_rung[threshold]
    if holder == claimant:
        won[claimant] += float(unbeaten)
        at_rung[threshold] = 0
    else:
        won[holder] += float(unbeaten * (1 - rows[-1][threshold]))
    won[claimant] += float(at_rung @ rows[-1][:-1])
    return won


def survival_by_rung(later: Sequence[Reach], again: Reach | None, most: int) -> tuple[float, ...]:
    """For the rungs 0 to `most`: the probability that a group there survives the later challengers and the claimant.

    Args:
        again: Reach of the claimant; None if this challenger is the claimant.
    """
    rows = _rows([*later, again or ()], most)
    return tuple(_survival(rows)[0][: most + 1].tolist())


def _rows(reaches: Sequence[Reach], least: int) -> NDArray[np.float64]:
    """(reaches, rungs) matrix of these reaches, padded with 0 to at least `least` rungs and one beyond."""
    longest = max([least + 1, *map(len, reaches)])
    rows = np.zeros((len(reaches), longest + 1))
    for row, found in zip(rows, reaches, strict=True):
        row[: len(found)] = found
    return rows


def _ends(row: NDArray[np.float64], at_rung: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability that this challenger sets each rung, given the distribution of the threshold before."""
    below = np.concatenate(([0.0], np.cumsum(at_rung)[:-1]))
    found: NDArray[np.float64] = below * np.maximum(0.0, row[:-1] - row[1:])
    return found


def _survival(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """[i, rung]: the probability that a group there survives the challengers from number i on and the claimant, who
    is last."""
    found = np.empty((len(rows), rows.shape[1] - 1))
    found[-1] = 1 - rows[-1][:-1]
    for i in range(len(rows) - 2, -1, -1):
        found[i] = found[i + 1] * (1 - rows[i][1:])
    return found
