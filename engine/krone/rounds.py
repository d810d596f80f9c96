"""Turn order: rounds, the start player marker, the final round and its end.

Play goes clockwise from the marker. After each round the marker moves one seat counter-clockwise, so the last player
plays twice in a row. Once the King is claimed, the round is finished and the final round follows. In it the Queen's
owner is skipped and rolls last, or not at all if no one beat them (R17). If the Queen's owner would have started it,
the next player clockwise does (R20).
"""

from __future__ import annotations

from dataclasses import replace

from engine.krone.state import State, Turn, new_turn
from engine.registry import SEATS

_NO_TURN = Turn(0)


def end_turn(state: State) -> State:
    """The state after the current turn: the next player's turn before the first roll, or the game over."""
    seats = state.seats
    number = len(seats)
    here, marker = SEATS.index(state.seat), SEATS.index(state.start)
    if state.final:
        return _end_final_turn(state, seats, here, marker)
    if (here + 1 - marker) % number:
        return _start_turn(state, seats[(here + 1) % number])
    start = seats[marker - 1]
    state = replace(state, start=start, round=state.round + 1, final=state.claimant is not None)
    if state.claimant != start:
        return _start_turn(state, start)
    return _start_turn(state, seats[marker])  # R20: the Queen's owner would have started


def _end_final_turn(state: State, seats: str, here: int, marker: int) -> State:
    assert state.claimant is not None
    if state.seat != state.claimant:
        for step in range(here + 1, marker + len(seats)) if here >= marker else range(here + 1, marker):
            seat = seats[step % len(seats)]
            if seat != state.claimant:
                return _start_turn(state, seat)
        if state.king != state.claimant:
            return _start_turn(state, state.claimant)
    return replace(state, winner=state.king, turn=_NO_TURN)


def _start_turn(state: State, seat: str) -> State:
    return replace(state, seat=seat, turn=new_turn(state.rules, state.tableaux[SEATS.index(seat)]))
