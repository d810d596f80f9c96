"""The final round of Um Krone und Kragen: who holds the King, who has rolled what, who still rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.game.changes import Line
from engine.dice import Faces, read_dice
from engine.krone.state import State

_ENDS = ("buy", "pass")


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """One player in the final round.

    Attributes:
        seat, name: The player.
        dice: The result of their claim or turn, in descending order; () before it.
        status: "rolled", "rolling", "waiting", or "claimed" for the Queen's owner, who rolls last.
        king: They hold the King now.
    """

    seat: str
    name: str
    dice: Faces
    status: str
    king: bool


def final_standings(state: State, lines: Sequence[Line], names: Mapping[str, str]) -> tuple[FinalStanding, ...]:
    """All players in rolling order; () before the final round. `names` are by seat."""
    if not state.final or state.claimant is None:
        return ()
    start = state.seats.index(state.start)
    around = state.seats[start:] + state.seats[:start]
    order = [seat for seat in around if seat != state.claimant] + [state.claimant]
    now = len(order) if state.finished else order.index(state.seat)
    found = []
    for place, seat in enumerate(order):
        status = "rolled" if place < now else "rolling" if place == now else "waiting"
        if seat == state.claimant and status != "rolling":
            status = "claimed"
        dice = _result(lines, seat) if status in ("rolled", "claimed") else ()
        found.append(FinalStanding(seat, names[seat], dice, status, seat == state.king))
    return tuple(found)


def _result(lines: Sequence[Line], seat: str) -> Faces:
    """The dice set aside in this seat's last finished turn, in descending order."""
    kept: list[int] = []
    ended = False
    for line in reversed(lines):
        if line.seat != seat:
            if ended:
                break
            continue
        verb, *words = line.move.split()
        if verb in _ENDS and ended:
            break
        ended = ended or verb in _ENDS
        if ended and verb == "keep":
            kept += read_dice(words)
    return tuple(sorted(kept, reverse=True))
