"""Who is winning: every player's chance, at any time of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

from engine.advice.goals import Threshold
from engine.advice.odds import BEAT, odds
from engine.advice.position import Position
from engine.advice.worth import WorthTable, dice_of, waits
from engine.krone.state import SEATS, Rules, State


def win_chances(state: State, worth: WorthTable) -> tuple[float, ...]:
    """The chance of every seat, adding up to 1. Before a claim the learned worth of the tableaux; afterwards the odds
    of those who can still challenge, as independent tries at the present threshold, the last who succeeds winning."""
    if state.winner is not None:
        return tuple(float(seat == state.winner) for seat in state.seats)
    if state.threshold is None:
        return worth.chances(state.tableaux, waits(state))
    tries = [(seat, _try(state, seat)) for seat in challengers(state)]
    chances = dict.fromkeys(state.seats, 0.0)
    for i, (seat, p) in enumerate(tries):
        chances[seat] = p * prod(1 - q for _, q in tries[i + 1 :])
    unbeaten = prod(1 - p for _, p in tries)
    claimant, holder = state.claimant, state.king
    assert claimant is not None
    assert holder is not None
    if claimant not in dict(tries):  # she rolls last, and only if somebody has beaten her
        again = _chance(state, claimant, equal=True)
        beaten = 1 - unbeaten if holder == claimant else 1.0
        chances = {seat: chance * (1 - again) for seat, chance in chances.items()}
        if holder != claimant:
            chances[holder] += unbeaten * (1 - again)
            unbeaten = 0.0
        chances[claimant] = beaten * again
    chances[holder] += unbeaten
    return tuple(chances[seat] for seat in state.seats)


def sharpened(chances: Sequence[float], seat: int, own: float) -> tuple[float, ...]:
    """The chances when one seat's (its place among the seats) is known better: the others share the rest as before."""
    rest = sum(chances) - chances[seat]
    return tuple(
        own if i == seat else chance * (1 - own) / rest if rest else (1 - own) / (len(chances) - 1)
        for i, chance in enumerate(chances)
    )


def challengers(state: State) -> tuple[str, ...]:
    """The seats that will still try to beat the threshold, in order; the Queen's owner only while she is rolling."""
    n = state.players
    here, marker = SEATS.index(state.seat), SEATS.index(state.start)
    if not state.final:
        seats = [state.seats[(marker - 1 + step) % n] for step in range(n)]
        return tuple(seat for seat in seats if seat != state.claimant)
    if state.seat == state.claimant:
        return (state.seat,)
    last = n - (here - marker) % n
    seats = [state.seats[(here + step) % n] for step in range(last)]
    return tuple(seat for seat in seats if seat != state.claimant)


def threshold_for(state: State, seat: str) -> Threshold:
    """What this seat has to beat; the Queen's owner need only equal it."""
    assert state.threshold is not None
    count, face = state.threshold
    return Threshold(count, face, equal=seat == state.claimant)


def _try(state: State, seat: str) -> float:
    """A challenger's chance: from the dice on the table if it is that seat's turn."""
    if state.final and seat == state.seat:
        threshold = threshold_for(state, seat)
        return odds(Position.of(state), (), threshold)[BEAT].p
    return _chance(state, seat, equal=seat == state.claimant)


def _chance(state: State, seat: str, equal: bool) -> float:
    assert state.threshold is not None
    count, face = state.threshold
    return challenge(state.tableau(seat), state.rules, Threshold(count, face, equal))


@lru_cache(maxsize=4096)
def challenge(cards: tuple[str, ...], rules: Rules, threshold: Threshold) -> float:
    """The chance to reach the threshold in a turn with these cards, from before the first roll."""
    most = dice_of(cards)[1] if rules.dice is None else min(dice_of(cards)[1], rules.dice)
    if min(threshold.goal().need) > most:
        return 0.0
    return odds(Position.begin(cards, rules), (), threshold)[BEAT].p
