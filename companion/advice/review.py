"""A finished game looked back on, arranged for its page: the costly decisions, and luck apart from skill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.advice.worth import knatsch_worth, worth_table
from companion.game.changes import Sentence
from companion.web.view_models.krone_parts import RecordLine
from engine.advice import knatsch_review
from engine.advice.actions import Action
from engine.advice.knatsch_words import instead
from engine.advice.review import Decision, Review, review
from engine.advice.words import step
from engine.knatsch.events import Event as KnatschEvent
from engine.replay import Replay

_COSTLIEST = 8
_SLIGHT = 0.0005  # a twentieth of a percentage point: nobody would call it a mistake


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
    """The legal part of a game. lines: its record as the page lists it. Raises Expired."""
    moves = [(entry.seat, entry.event) for entry in replay.record.entries[: len(replay.states) - 1]]
    line_of = {line.number: line for line in lines}
    played, slip = _REVIEWS[replay.game.ID]
    found: Review[Any, Any] = played(replay.states[0], moves, expired=expired)
    return _arranged(replay, found, [slip(replay, one, line_of[one.number + 1]) for one in found.costliest(_COSTLIEST)])


def _arranged(replay: Replay, found: Review[Any, Any], slips: list[Slip]) -> Lookback:
    balances = tuple(
        Balance(name, found.luck(seat), found.given_away(seat))
        for seat, name in zip(replay.state.seats, replay.record.players, strict=True)
    )
    return Lookback(balances, tuple(slip for slip in slips if slip.cost > _SLIGHT), found.unseen)


def _slip(replay: Replay, decision: Decision[Any, Action | str], line: RecordLine) -> Slip:
    if isinstance(decision.best, Action):
        remark = step(decision.best)
        return Slip(line, decision.cost, Sentence(remark.template, remark.values), None)
    return Slip(line, decision.cost, None, decision.best)


def _knatsch_slip(replay: Replay, decision: Decision[KnatschEvent, KnatschEvent], line: RecordLine) -> Slip:
    remark = instead(replay.states[decision.number], decision.best)
    values = dict(remark.values)
    if "owner" in values:  # by name: the table may be seated otherwise by now
        values["owner"] = replay.record.name(values["owner"])
    return Slip(line, decision.cost, Sentence(remark.template, values), None)


# Of each game: what reviews the moves from a position on, and what writes one of its decisions down.
_REVIEWS: Mapping[str, tuple[Callable[..., Any], Callable[[Replay, Decision[Any, Any], RecordLine], Slip]]] = {
    "krone": (lambda first, moves, expired: review(first, moves, worth_table(), expired=expired), _slip),
    "knatsch": (
        lambda first, moves, expired: knatsch_review.review(first, moves, knatsch_worth(), expired=expired),
        _knatsch_slip,
    ),
}
