"""The final round ahead: who will hold the King in the end, one challenge after the other.

Groups stand on the rungs of a ladder (`reach`). That a challenger ends on a rung is taken as the difference of her
chances to get there and one rung higher, as if one way of playing were the best for every rung; where her chance to
win under the one best way is known, these are made smaller by the same factor until they add up to it. Whoever is
beaten does not roll again; each challenger has to beat what lies there by then; the claimant, last, needs to equal it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.krone.advice.reach import Reach

# Asked with a seat and what every rung is worth to her: her chance to win while the threshold still lies there.
Best = Callable[[str, Sequence[float]], float]


def finale(
    order: Mapping[str, Reach], threshold: int, holder: str, claimant: str, again: Reach, best: Best | None = None
) -> dict[str, float]:
    """Every player's chance to win. order: the challengers still to roll, in order, with their reach. threshold: the
    rung to be beaten, where `holder` stands; again: the reach of the claimant, who rolls last unless nobody beats her.
    """
    rows = _rows([*order.values(), again], threshold)
    for i, seat in reversed(list(enumerate(order))) if best is not None else ():
        assert best is not None
        holds = _surviving(rows[i + 1 :])[0]
        promised = float((rows[i][:-1] - rows[i][1:])[threshold + 1 :] @ holds[threshold + 1 :])
        if promised > 0:
            rows[i][threshold + 1 :] *= min(1.0, best(seat, holds.tolist()) / promised)
    survives = _surviving(rows)
    lies = np.zeros(rows.shape[1] - 1)  # the chance that this rung is what has to be beaten
    lies[threshold] = 1
    won = dict.fromkeys((claimant, holder, *order), 0.0)
    for seat, row, holds in zip(order, rows, survives[1:], strict=False):
        ends = _ends(row, lies)
        won[seat] = float(ends @ holds)
        lies = lies * (1 - row[1:]) + ends
    unbeaten = lies[threshold]
    if holder == claimant:
        won[claimant] += float(unbeaten)
        lies[threshold] = 0
    else:
        won[holder] += float(unbeaten * (1 - rows[-1][threshold]))
    won[claimant] += float(lies @ rows[-1][:-1])
    return won


def holding(later: Sequence[Reach], again: Reach | None, most: int) -> tuple[float, ...]:
    """For the rungs 0 to `most`: the chance that a challenger's group there survives those who roll after her, and the
    claimant (None: she is the claimant)."""
    rows = _rows([*later, again or ()], most)
    return tuple(_surviving(rows)[0][: most + 1].tolist())


def _rows(reaches: Sequence[Reach], least: int) -> NDArray[np.float64]:
    """The reaches side by side, with room for `least` rungs and one out of reach."""
    longest = max([least + 1, *map(len, reaches)])
    rows = np.zeros((len(reaches), longest + 1))
    for row, found in zip(rows, reaches, strict=True):
        row[: len(found)] = found
    return rows


def _ends(row: NDArray[np.float64], lies: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance that this challenger sets each rung, given what lies there before her."""
    below = np.concatenate(([0.0], np.cumsum(lies)[:-1]))
    found: NDArray[np.float64] = below * np.maximum(0.0, row[:-1] - row[1:])
    return found


def _surviving(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """[i, rung]: the chance that a group there survives the challengers from number i on and the claimant, the last."""
    found = np.empty((len(rows), rows.shape[1] - 1))
    found[-1] = 1 - rows[-1][:-1]
    for i in range(len(rows) - 2, -1, -1):
        found[i] = found[i + 1] * (1 - rows[i][1:])
    return found
