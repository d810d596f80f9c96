"""The post-game review for its page: costly decisions, and luck separated from skill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.game.changes import Sentence
from companion.game.record_line import RecordLine
from companion.plugins import plugin
from engine.advice.review import Decision, Review
from engine.replay import Replay

_MAX_COSTLIEST = 8
_PUZZLE_COST = 0.01  # one game in a hundred
_EQUAL_COST = 0.002
# Maximum win probability lost; above the last, it is a mistake.
_GRADES = (("best", _EQUAL_COST), ("fine", 0.01), ("inaccurate", 0.04))
_NEGLIGIBLE_COST = 0.0005  # a twentieth of a percentage point, too little to call a mistake


@dataclass(frozen=True, slots=True)
class Balance:
    """One player's totals: win probability gained by luck, and lost by decisions."""

    name: str
    luck: float
    given_away: float


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """One decision with its grade: "best", "fine", "inaccurate" or "mistake".

    Attributes:
        moment: Index of its state, as on the slider of a past game.
        line: What was done.
        cost: Win probability it lost.
        better, card: The best choice: a step, or a card (None: no card).
    """

    moment: int
    line: RecordLine
    cost: float
    better: Sentence | None
    card: str | None

    @property
    def grade(self) -> str:
        """The grade by lost win probability."""
        return next((name for name, limit in _GRADES if self.cost <= limit), "mistake")


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The review of a game in numbers. `unread_turns` counts turns left out because a die was never read."""

    balances: tuple[Balance, ...]
    costliest: tuple[GradedDecision, ...]
    unread_turns: int

    @property
    def scale(self) -> float:
        """The scale of the bars: the largest absolute luck or cost of any player."""
        return max((abs(part) for one in self.balances for part in (one.luck, one.given_away)), default=0.0)


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """One choice of a puzzle: a step, or a card (None: no card), and its cost in win probability against the best."""

    sentence: Sentence | None
    card: str | None
    cost: float
    played: bool

    @property
    def is_best(self) -> bool:
        """Whether the choice is as good as the best for all practical purposes."""
        return self.cost <= _EQUAL_COST


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A moment with a better choice: the line that was played, and the choices in an order that does not reveal the
    answer."""

    line: RecordLine
    cost: float
    choices: tuple[PuzzleChoice, ...]


def review_summary(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> ReviewSummary:
    """The review so far. `lines` is the record as the page lists it."""
    costliest = [one for one in found.costliest(_MAX_COSTLIEST) if one.cost > _NEGLIGIBLE_COST]
    balances = tuple(
        Balance(name, found.luck(seat), found.decision_cost(seat))
        for seat, name in zip(replay.state.seats, replay.record.players, strict=True)
    )
    return ReviewSummary(balances, tuple(_grade(replay, lines, costliest)), found.unseen)


def graded_decisions(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> list[GradedDecision]:
    """Every decision with a choice, as far as known, in the order of play."""
    return _grade(replay, lines, [one for one in found.decisions if len(one.options) > 1])


def _grade(
    replay: Replay, lines: tuple[RecordLine, ...], decisions: Iterable[Decision[Any, Any]]
) -> list[GradedDecision]:
    line_of = {line.number: line for line in lines}
    return [
        GradedDecision(one.number, line_of[one.number + 1], one.cost, *_in_words(replay, one.number, one.best))
        for one in decisions
    ]


def puzzles(replay: Replay, lines: tuple[RecordLine, ...], found: Review[Any, Any]) -> list[Puzzle]:
    """The instructive moments, in the order of play."""
    line_of = {line.number: line for line in lines}
    instructive = [one for one in found.decisions if one.cost >= _PUZZLE_COST and len(one.options) > 1]
    return [
        Puzzle(
            line_of[one.number + 1],
            one.cost,
            tuple(
                sorted(
                    (
                        PuzzleChoice(*_in_words(replay, one.number, option.choice), option.cost, option.taken)
                        for option in one.options
                    ),
                    key=lambda choice: (str(choice.sentence), choice.card or ""),
                )
            ),
        )
        for one in instructive
    ]


def _in_words(replay: Replay, number: int, choice: Any) -> tuple[Sentence | None, str | None]:
    """A choice in words: a sentence, or the id of the chosen card."""
    game_review = plugin(replay.game.ID).review
    assert game_review is not None
    return game_review.in_words(replay, number, choice)
