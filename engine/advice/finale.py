"""The final round ahead: who will hold the King in the end, one challenge after the other.

The groups that can be claimed or thrown form a ladder: seven 1s, seven 2s … seven 6s, eight 1s, … (rungs 0, 1, …). A
challenger's chance to get to a rung or above is exact, under best play for that rung; that she ends on a rung is taken
as the difference of two neighbouring chances, as if one way of playing were the best for every rung. Whoever is beaten
does not roll again; each challenger has to beat what lies there by then; the claimant, last, needs to equal it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from engine.advice.goals import GOALS, Threshold
from engine.advice.odds import chances
from engine.advice.position import Position
from engine.advice.worth import dice_of
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import Rules

SEVEN = 7
_DICE_CARDS = {card for card in GOALS if card in START_DICE or CARDS[card].ability == "add"}
_NEGLIGIBLE = 1e-4  # eight and more alike are not looked at where seven 6s are rarer

Reach = tuple[float, ...]  # the chance to end on rung k or above; what lies beyond the last is out of reach


def rung(count: int, face: int) -> int:
    """The place on the ladder of so many dice showing `face`."""
    return (count - SEVEN) * 6 + face - 1


def group(place: int) -> tuple[int, int]:
    """(how many dice, of which face) stand on this rung."""
    return SEVEN + place // 6, place % 6 + 1


def reach(cards: Iterable[str], rules: Rules) -> Reach:
    """The chance of every rung in a turn with these cards, from before the first roll."""
    return _reach(tuple(sorted(cards)), rules)


@lru_cache(maxsize=4096)
def _reach(cards: tuple[str, ...], rules: Rules) -> Reach:
    return reach_from(Position.begin(cards, rules), 0)


def reach_after_a_purchase(cards: Iterable[str], sale: Iterable[str], rules: Rules) -> Reach:
    """The same for somebody with an ordinary turn to play before: she tries for the card on sale that most likely
    brings her another die."""
    own = set(cards)
    return _reach_after(tuple(sorted(cards)), tuple(sorted(set(sale) & _DICE_CARDS - own)), rules)


@lru_cache(maxsize=4096)
def _reach_after(cards: tuple[str, ...], offers: tuple[str, ...], rules: Rules) -> Reach:
    before = _reach(cards, rules)
    dice = dice_of(cards)[1]
    if not offers or (rules.dice is not None and dice >= rules.dice):
        return before
    bought = dict(zip(offers, chances(Position.begin(cards, rules), [GOALS[card] for card in offers]), strict=True))
    card = max(bought, key=lambda card: bought[card] * (dice_of((*cards, card))[1] - dice))
    after = _reach(tuple(sorted((*cards, card))), rules)
    share = bought[card]
    return tuple(share * b + (1 - share) * a for a, b in zip_longest(before, after, fillvalue=0.0))


def reach_from(position: Position, first: int) -> Reach:
    """The same from any position of a turn; the rungs below `first` are not looked at and count as certain."""
    most = position.dice + min(position.room, dice_of(position.unused)[1] - dice_of(())[1])
    found = [1.0] * first
    for count in range(group(first)[0], most + 1):
        faces = range(1 + len(found) % 6, 7)
        found += chances(position, [Threshold(count, face, equal=True).goal() for face in faces])
        if found[-1] < _NEGLIGIBLE:
            break
    return tuple(found)


def finale(order: Mapping[str, Reach], threshold: int, holder: str, claimant: str, again: Reach) -> dict[str, float]:
    """Every player's chance to win. order: the challengers still to roll, in order, with their reach. threshold: the
    rung to be beaten, where `holder` stands; again: the reach of the claimant, who rolls last unless nobody beats her.
    """
    rows = _rows([*order.values(), again], threshold)
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


def keeping(challengers: Sequence[Reach], own: Reach) -> tuple[float, ...]:
    """For every rung within `own` reach the chance that a King claimed there is hers in the end."""
    order = {str(number): row for number, row in enumerate(challengers)}
    return tuple(finale(order, place, "claimant", "claimant", own)["claimant"] for place in range(len(own)))


def holding(later: Sequence[Reach], again: Reach | None, most: int) -> tuple[float, ...]:
    """For the rungs 0 to `most`: the chance that a challenger's group there survives those who roll after her, and the
    claimant (None: she is the claimant)."""
    rows = _rows([*later, again or ()], most)
    return tuple(_surviving(rows)[0][: most + 1].tolist())


def tried(before: Sequence[Reach], later: Sequence[Reach], again: Reach, threshold: int) -> float:
    """What a challenger's try counts, of 1: the chance that a group just above what lies there then wins the game."""
    rows = _rows([*before, *later, again], threshold + 1)
    lies = np.zeros(rows.shape[1] - 1)
    lies[threshold] = 1
    for row in rows[: len(before)]:
        lies = lies * (1 - row[1:]) + _ends(row, lies)
    return float(lies[:-1] @ _surviving(rows[len(before) :])[0][1:])


def _rows(reaches: Sequence[Reach], least: int) -> NDArray[np.float64]:
    """The reaches side by side, with room for `least` rungs and one out of reach."""
    longest = max(least + 1, *map(len, reaches))
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
