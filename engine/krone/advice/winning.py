"""Every player's win probability, at any time of the game."""

from __future__ import annotations

from collections.abc import Sequence

from engine.krone.advice.features import Features
from engine.krone.advice.finale import finale, survival_by_rung
from engine.krone.advice.goals import Threshold
from engine.krone.advice.reach import (
    CLOSELY,
    ROUGHLY,
    SEVEN,
    Expired,
    Reach,
    challenge,
    challenge_from,
    reach,
    reach_from,
    rung,
)
from engine.krone.advice.turn_position import MAX_DICE, Position
from engine.krone.advice.value_function import ValueFunction
from engine.krone.advice.waits import order_of_the_final_round, still_to_play
from engine.krone.state import State


def win_chances(state: State, value_function: ValueFunction, expired: Expired = None) -> tuple[float, ...]:
    """The win probability of every seat; they add up to 1. Before the final round from the learned value function;
    in it from the challenges still to come."""
    if state.winner is not None:
        return tuple(float(seat == state.winner) for seat in state.seats)
    if not state.final:
        return tuple(value_function.chances(Features.of(state))[0].tolist())
    claimant, holder = state.claimant, state.king
    assert claimant is not None
    assert holder is not None
    assert state.threshold is not None
    order = {seat: seat_reach(state, seat, expired) for seat in challengers(state)}
    to_beat = rung(*state.threshold)

    def best(seat: str, holds: Sequence[float]) -> float:
        if seat == state.seat:
            return challenge_from(Position.of(state), to_beat, holds, expired)
        return challenge(state.tableau(seat), state.rules, to_beat, holds, expired)

    won = finale(order, to_beat, holder, claimant, seat_reach(state, claimant, expired), best)
    return tuple(won.get(seat, 0.0) for seat in state.seats)


def replace_own_chance(chances: Sequence[float], seat: int, own: float) -> tuple[float, ...]:
    """The probabilities after replacing one seat's by a better estimate; the others keep their proportions.

    Args:
        seat: Index of the seat.
    """
    rest = sum(chances) - chances[seat]
    return tuple(
        own if i == seat else chance * (1 - own) / rest if rest else (1 - own) / (len(chances) - 1)
        for i, chance in enumerate(chances)
    )


def challengers(state: State) -> tuple[str, ...]:
    """In the final round: the seats that will still try to beat the threshold, in order, without the Queen's owner,
    who rolls last."""
    if state.seat == state.claimant:
        return ()
    return tuple(seat for seat in still_to_play(state) if seat != state.claimant)


def threshold_for(state: State, seat: str) -> Threshold:
    """The group that this seat has to beat; the Queen's owner only needs to equal it."""
    assert state.threshold is not None
    count, face = state.threshold
    return Threshold(count, face, equal=seat == state.claimant)


def win_chances_by_rung(state: State, expired: Expired = None) -> tuple[float, ...]:
    """In the final round: for every rung, the win probability of the seat on turn if it ends there."""
    assert state.threshold is not None
    if state.seat == state.claimant:
        return survival_by_rung((), None, _top(state))
    later = [seat_reach(state, seat, expired) for seat in challengers(state) if seat != state.seat]
    assert state.claimant is not None
    return survival_by_rung(later, seat_reach(state, state.claimant, expired), _top(state))


def win_chances_by_rung_rolling_first(state: State, expired: Expired = None) -> tuple[float, ...]:
    """For the last player in the round of the claim, who rolls first in the final round: for every rung, their win
    probability if they end there."""
    assert state.claimant is not None
    order = order_of_the_final_round(state).replace(state.claimant, "")
    assert state.threshold is not None
    to_beat = rung(*state.threshold)
    later = [
        reach(state.tableau(seat), state.rules, to_beat + 1, expired, ROUGHLY) for seat in order if seat != state.seat
    ]
    top = rung(max(SEVEN, state.rules.dice or MAX_DICE), 6)
    return survival_by_rung(later, reach(state.tableau(state.claimant), state.rules, to_beat, expired), top)


def win_chances_by_claim(
    state: State, groups: Sequence[tuple[int, int]], expired: Expired = None
) -> dict[tuple[int, int], float]:
    """For the last player in a round, after whom the final round begins at once: their win probability after
    claiming the King with each of these groups (count, face)."""
    me = state.seat
    others = [seat for seat in order_of_the_final_round(state) if seat != me]
    order = {seat: reach(state.tableau(seat), state.rules, 1, expired, ROUGHLY) for seat in others}
    again = reach((*state.tableau(me), "queen"), state.rules, 0, expired)
    return {group: finale(order, rung(*group), me, me, again)[me] for group in groups}


def _top(state: State) -> int:
    """The highest rung the seat on turn can aim at."""
    position = Position.of(state)
    return rung(max(7, position.dice + min(position.room, len(position.unused))), 6)


def seat_reach(state: State, seat: str, expired: Expired = None) -> Reach:
    """A seat's reach in the final round: from the dice on the table if it is rolling.

    The claimant's reach is solved closely. A challenger's is scaled to agree with their win probability, which is exact
    (`finale`).
    """
    assert state.threshold is not None
    solved = CLOSELY if seat == state.claimant else ROUGHLY
    first = rung(*state.threshold) + (seat != state.claimant)
    if seat == state.seat:
        return reach_from(Position.of(state), first, expired, solved)
    return reach(state.tableau(seat), state.rules, first, expired, solved)
