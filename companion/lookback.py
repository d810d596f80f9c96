"""A finished game looked back on, arranged for its page: the costly decisions, and luck apart from skill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.changes import Sentence
from companion.scoreboard_parts import RecordLine
from companion.worth import worth_table
from engine.advice.actions import Action
from engine.advice.review import Decision, review
from engine.advice.words import step
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Balance:
    """One player's game: win chance the throws gained in all, and what decisions gave away."""

    name: str
    luck: float
    given_away: float


@dataclass(frozen=True, slots=True)
class Slip:
    """A costly decision: the line of the record, the win chance it gave away, and what would have been better: a step,
    or a card (None: no card)."""

    line: RecordLine
    cost: float
    better: Sentence | None
    card: str | None


@dataclass(frozen=True, slots=True)
class Lookback:
    """A game in numbers. unseen: turns left out because a die in them was never read."""

    balances: tuple[Balance, ...]
    slips: tuple[Slip, ...]
    unseen: int

    @property
    def most(self) -> float:
        """The longest bar: the most win chance anybody's dice gave or took, or anybody's decisions cost."""
        return max((abs(part) for one in self.balances for part in (one.luck, one.given_away)), default=0.0)


def look_back(replay: Replay, lines: tuple[RecordLine, ...], expired: Callable[[], bool]) -> Lookback:
    """The legal part of a game of Um Krone und Kragen. lines: its record as the page lists it. Raises Expired."""
    legal = replay.record.entries[: len(replay.states) - 1]
    found = review(replay.states[0], [(entry.seat, entry.event) for entry in legal], worth_table(), expired=expired)
    by_number = {line.number: line for line in lines}
    balances = tuple(
        Balance(name, found.luck(seat), found.given_away(seat))
        for seat, name in zip(replay.state.seats, replay.record.players, strict=True)
    )
    slips = tuple(_slip(decision, by_number[decision.number + 1]) for decision in found.costliest(8))
    return Lookback(balances, slips, found.unseen)


def _slip(decision: Decision, line: RecordLine) -> Slip:
    if isinstance(decision.best, Action):
        remark = step(decision.best)
        return Slip(line, decision.cost, Sentence(remark.template, remark.values), None)
    return Slip(line, decision.cost, None, decision.best)
