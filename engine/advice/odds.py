"""The odds of a turn: for every goal the chance under best play for it, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from engine.advice.actions import Action, Choice, choices
from engine.advice.goals import GOALS, Goal, Threshold
from engine.advice.kernel import MAX_CARDS, MAX_EXPONENT, Question, Turn
from engine.advice.position import Position
from engine.dice import UNREAD, best_group, without
from engine.errors import Illegal
from engine.krone.cards import CARDS
from engine.krone.costs import met

BEAT = "beat"
# Goals that few dice secure come first, so that the columns the kernel still has to look at lie side by side.
_HARDEST_FIRST = (
    *("maid", "philosopher", BEAT, "king", "general", "knight", "nobleman", "bishop", "alchemist", "pawnbroker"),
    *("hunter", "magician", "noblewoman", "merchant", "astronomer", "guard", "laborer", "farmer"),
)
_FRACTION_CELLS = 3e6  # up to here integers are as good as instant: 16 bytes a cell
_GROUP_CELLS = 4e6  # goals are solved together up to here: larger tables leave the processor's caches
_MOST_CELLS = 60e6  # of one goal: 480 MB, some seconds
# Which cards a turn is solved without where the tables would become larger, the least missed first.
_DISPENSABLE = (
    "alchemist",
    "philosopher",
    "nobleman",
    "maid",
    "noblewoman",
    "fool",
    "astronomer",
    "merchant",
    "magician",
)

Mapped = Callable[
    [Callable[[dict[str, Goal]], dict[str, "Answer"]], Iterable[dict[str, Goal]]], Iterable[dict[str, "Answer"]]
]


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a goal is under best play. low = p = high where exact.

    "sampled": the turn has too many cards to go through all sets of them; p = low is the exact chance of best play
    without some of them, which is certainly within reach, and the truth lies between low and high.
    """

    p: float
    fraction: Fraction | None = None
    method: Literal["exact", "sampled"] = "exact"
    low: float = 0.0
    high: float = 1.0

    @classmethod
    def exact(cls, value: Fraction | float) -> Chance:
        p = float(value)
        return cls(p, value if isinstance(value, Fraction) else None, "exact", p, p)


@dataclass(frozen=True, slots=True)
class Answer:
    """The chance of a goal and every next action, best first; () where actions were not asked for."""

    chance: Chance
    choices: tuple[Choice, ...] = ()

    @property
    def best(self) -> Action:
        return self.choices[0].action


def odds(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    fractions: bool = False,
    expired: Callable[[], bool] | None = None,
    mapped: Mapped = map,
) -> dict[str, Chance]:
    """The chance of every goal (a card's id; `beat` with a threshold). Raises Expired when the deadline comes first."""
    found = answers(position, goals, threshold, fractions=fractions, actions=False, expired=expired, mapped=mapped)
    return {goal: answer.chance for goal, answer in found.items()}


def best(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    expired: Callable[[], bool] | None = None,
) -> dict[str, Action]:
    """The best next action for every goal, ties in the order stop, keep, roll, use."""
    return {goal: answer.best for goal, answer in answers(position, goals, threshold, expired=expired).items()}


def answers(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    fractions: bool = False,
    actions: bool = True,
    expired: Callable[[], bool] | None = None,
    mapped: Mapped = map,
) -> dict[str, Answer]:
    """Chance and next actions for every goal. fractions: as exact fractions where that is affordable. mapped: applies a
    function to groups of goals, as `map` does or an executor's, on several processors."""
    named = {name: GOALS[name] for name in goals}
    if threshold is not None:
        named[BEAT] = threshold.goal()

    def answered(group: dict[str, Goal]) -> dict[str, Answer]:
        solved, whole = _affordable(position, list(group.values()))
        found = {}
        with tables(solved, list(group.values())) as turn:
            turn.solve(fractions and turn.exponent <= MAX_EXPONENT and turn.cells <= _FRACTION_CELLS, expired)
            for i, name in enumerate(group):
                stop = float(_stopped(position, name, threshold))
                ranked = tuple(choices(turn, i, solved, stop)) if actions else ()
                chance = Chance.exact(value(turn, i, solved))
                found[name] = Answer(chance if whole else replace(chance, method="sampled", high=1.0), ranked)
        return found

    found: dict[str, Answer] = {}
    ordered = {name: named[name] for name in sorted(named, key=_HARDEST_FIRST.index)}
    for part in mapped(answered, _groups(position, ordered)):
        found |= part
    return {name: found[name] for name in named}


def _affordable(position: Position, goals: Sequence[Goal]) -> tuple[Position, bool]:
    """(the position, with some cards counted as used where its tables would be too large; whether none had to be)."""
    whole = True
    while True:
        if len(position.unused) <= MAX_CARDS:
            with tables(position, goals) as turn:
                if turn.cells <= _MOST_CELLS:
                    return position, whole
        card = next((card for card in _DISPENSABLE if card in position.unused), position.unused[0])
        position, whole = replace(position, used=position.used | {card}), False


def tables(
    position: Position, goals: Sequence[Goal], prices: Sequence[tuple[Goal, float]] = (), nothing: float = 0
) -> Turn:
    """The kernel's turn for a position, not yet solved. Raises Illegal while a die has not been read."""
    if UNREAD in position.active or UNREAD in position.kept:
        raise Illegal("there are no odds while a die has not been read")
    faces = {card: CARDS[card].pips if CARDS[card].ability == "add" else None for card in position.unused}
    return Turn(faces, goals, position.kept, position.dice, position.room, prices, nothing)


def value(turn: Turn, goal: int, position: Position) -> Fraction | float:
    """Best play from this position on, in a turn solved for it or for an earlier position of the same turn."""
    since = without(position.kept, turn.kept)
    assert since is not None
    if position.hand:
        question = Question.ONWARD if position.rules.early_cards else Question.ROLL
        return turn.ask(goal, position.unused, (1,) * position.hand, since, question)
    question = Question.MET if position.duty_met else Question.FRESH
    return turn.ask(goal, position.unused, position.active, since, question)


def _groups(position: Position, goals: Mapping[str, Goal]) -> list[dict[str, Goal]]:
    """The goals in groups whose tables stay small enough to be solved together."""
    if len(goals) == 1 or len(position.unused) > MAX_CARDS:
        return [{name: goal} for name, goal in goals.items()]
    with tables(position, list(goals.values())) as turn:
        if turn.cells <= _GROUP_CELLS:
            return [dict(goals)]
    return [{name: goal} for name, goal in goals.items()]


def _stopped(position: Position, name: str, threshold: Threshold | None) -> bool:
    """Whether the dice set aside so far meet the goal."""
    if name != BEAT or threshold is None:
        return name in met(position.kept)
    found, least = best_group(position.kept), (threshold.count, threshold.face)
    return found > least or (threshold.equal and found == least)
