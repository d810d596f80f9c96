"""The end of a game: winner, last dice of each player, and the turning point."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from companion.advice.win_curve import WinChancesAt
from engine.dice import Faces
from engine.registry import SEATS
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class LastDice:
    """The dice at the end of a player's last turn, in descending order."""

    seat: str
    name: str
    dice: Faces


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn that gained the winner most.

    Attributes:
        first, last: Numbers of its first and last event (1, 2, …).
        round: Its round.
        name: The player on turn.
        before, after: The winner's win probability.
    """

    first: int
    last: int
    round: int
    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a finished game.

    Attributes:
        seats: Of the winner, or of all players who tie.
        winner: Their names.
        rounds: Number of rounds.
        cards: The winner's cards; of the first seat after a tie.
    """

    seats: tuple[str, ...]
    winner: str
    tie: bool
    rounds: int
    cards: tuple[str, ...]
    last_dice: tuple[LastDice, ...]


def ending(replay: Replay) -> Ending | None:
    """The end of this game; None while it is running."""
    state, record = replay.state, replay.record
    if replay.broken or not state.finished:
        return None
    seats = state.winners
    cards = tuple(replay.game.tableaux(state)[SEATS.index(seats[0])])
    return Ending(seats, " & ".join(map(record.name, seats)), len(seats) > 1, state.round, cards, _last_dice(replay))


def _last_dice(replay: Replay) -> tuple[LastDice, ...]:
    found: dict[str, Faces] = {}
    for state in replay.states:
        active, kept = replay.game.on_table(state)
        if active or kept:
            found[state.seat] = (*active, *kept)
    names = zip(SEATS, replay.record.players, strict=False)
    return tuple(
        LastDice(seat, name, tuple(sorted(found[seat], reverse=True))) for seat, name in names if seat in found
    )


def turning_point(replay: Replay, win_curve: tuple[WinChancesAt, ...]) -> TurningPoint | None:
    """The turn that raised the winner's win probability most.

    None if it never rose, the course is incomplete or the game is a tie.
    """
    if len(replay.state.winners) != 1 or len(win_curve) < 2 or win_curve[-1].name:
        return None
    place = SEATS.index(replay.state.winners[0])
    rises = [after.chances[place] - before.chances[place] for before, after in pairwise(win_curve)]
    best = max(range(len(rises)), key=rises.__getitem__)
    if rises[best] <= 0:
        return None
    before, after = win_curve[best], win_curve[best + 1]
    return TurningPoint(
        before.moment + 1, after.moment, before.round, before.name, before.chances[place], after.chances[place]
    )
