"""A finished game looked back on, arranged for its page: the costly decisions, and luck apart from skill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.game.changes import Sentence
from companion.game.record_line import RecordLine
from companion.plugins import plugin
from engine.advice.review import Review
from engine.replay import Replay

_COSTLIEST = 8
_WORTH_A_THOUGHT = 0.01  # of a hundred such games one
_ALIKE = 0.002
_GRADES = (("best", _ALIKE), ("fine", 0.01), ("inaccurate", 0.04))  # most win chance given away; above: a mistake
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


@dataclass(frozen=True, slots=True)
class Way:
    """One thing to do in a puzzle: a step, or a card (None: no card). cost: win chance less than the best one."""

    said: Sentence | None
    card: str | None
    cost: float
    taken: bool

    @property
    def right(self) -> bool:
        """As good as the best: nobody could tell them apart."""
        return self.cost <= _ALIKE


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A moment in which something better could have been done. line: what was done; ways: in no telling order."""

    line: RecordLine
    cost: float
    ways: tuple[Way, ...]


def look_back(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> Lookback:
    """What is known of a game by now. lines: its record as the page lists it."""
    line_of = {line.number: line for line in lines}
    slips = [
        Slip(line_of[one.number + 1], one.cost, *_said(replay, one.number, one.best))
        for one in found.costliest(_COSTLIEST)
    ]
    balances = tuple(
        Balance(name, found.luck(seat), found.given_away(seat))
        for seat, name in zip(replay.state.seats, replay.record.players, strict=True)
    )
    return Lookback(balances, tuple(slip for slip in slips if slip.cost > _SLIGHT), found.unseen)


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision with its grade: "best", "fine", "inaccurate" or "mistake".

    Attributes:
        moment: the position it was made in, as the slider of a past game counts them.
        line: what was done; cost: the win chance it gave away.
        better, card: what would have been best: a step, or a card (None: no card).
    """

    moment: int
    line: RecordLine
    cost: float
    better: Sentence | None
    card: str | None

    @property
    def grade(self) -> str:
        """How good it was, by the win chance it gave away."""
        return next((name for name, most in _GRADES if self.cost <= most), "mistake")


def judged(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> list[Judged]:
    """Every decision with a choice, as far as it is known, in the order of play."""
    line_of = {line.number: line for line in lines}
    return [
        Judged(one.number, line_of[one.number + 1], one.cost, *_said(replay, one.number, one.best))
        for one in found.decisions
        if len(one.options) > 1
    ]


def puzzles(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> list[Puzzle]:
    """The moments worth thinking about again, in the order of play."""
    line_of = {line.number: line for line in lines}
    worth_it = [one for one in found.decisions if one.cost >= _WORTH_A_THOUGHT and len(one.options) > 1]
    return [
        Puzzle(
            line_of[one.number + 1],
            one.cost,
            tuple(
                sorted(
                    (
                        Way(*_said(replay, one.number, option.choice), option.cost, option.taken)
                        for option in one.options
                    ),
                    key=lambda way: (str(way.said), way.card or ""),
                )
            ),
        )
        for one in worth_it
    ]


def _said(replay: Replay, number: int, choice: Any) -> tuple[Sentence | None, str | None]:
    """A choice in words, or the card it is."""
    weighing = plugin(replay.game.ID).review
    assert weighing is not None
    return weighing.in_words(replay, number, choice)
