"""Turn order ahead: how long each player waits, who still plays in this round, the order of the final round."""

from __future__ import annotations

from dataclasses import dataclass

from engine.krone.state import State
from engine.registry import SEATS

_AHEAD = 4  # number of turns of each player that are counted


@dataclass(frozen=True, slots=True)
class Wait:
    """Rounds until a player's next turns. Turns are uneven: the last player of a round plays first in the next.

    Attributes:
        coming: Until the next one (0: on turn).
        later: Sum of the times until each of the three after it.
    """

    coming: float = 0.0
    later: float = 0.0


def waits(state: State, ended: bool = False) -> tuple[Wait, ...]:
    """Rounds until the turns of each seat. The marker passes one seat counter-clockwise after each round, so the last
    player of a round moves twice in a row.

    Args:
        ended: Count the current turn as over.
    """
    n = state.players
    here, marker = SEATS.index(state.seat), SEATS.index(state.start)
    this_round = [(marker + step) % n for step in range((here - marker) % n + ended, n)]
    order = this_round + [(marker - back + step) % n for back in range(1, _AHEAD + 1) for step in range(n)]
    turns = ([place / n for place, seat in enumerate(order) if seat == here] for here in range(n))
    return tuple(Wait(coming, sum(later[: _AHEAD - 1])) for coming, *later in turns)


def still_to_play(state: State) -> str:
    """The seats with a turn left in this round, including the one on turn."""
    n = state.players
    here, marker = SEATS.index(state.seat), SEATS.index(state.start)
    return "".join(state.seats[(here + step) % n] for step in range(n - (here - marker) % n))


def order_of_the_final_round(state: State) -> str:
    """All seats in the order of the final round after this one, including the claimant."""
    marker = SEATS.index(state.start)
    return "".join(state.seats[(marker - 1 + step) % state.players] for step in range(state.players))
