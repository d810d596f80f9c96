"""The odds of a turn: for every goal the chance under best play for it, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Literal

from engine.advice.actions import Action, Choice, choices
from engine.advice.goals import GOALS, Goal, Threshold
from engine.advice.kernel import MAX_CARDS, MAX_EXPONENT, Question, Turn
from engine.advice.position import MOST_DICE, TOO_MANY, Position
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
_FRACTION_CELLS = 1.2e6  # of all goals asked: up to here integers, which take twice as long, are still instant
_GROUP_CELLS = 1e6  # goals are solved together up to here; beyond, one by one costs no more and can go side by side
MOST_CELLS = 60e6  # of one goal: 480 MB, some seconds
_BOUNDED_CELLS = 1e7  # of one goal where even that is too little: what can only be bounded is bounded quickly
QUICK_CELLS = 4e5  # of one goal: at once, for what has to be said before a deadline
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

# Tables laid out, the position they are for, and whether none of its cards had to be left out.
Tabled = tuple[Turn, Position, bool]
Job = tuple[dict[str, Goal], Tabled | None]


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


# Applies a function to jobs, as `map` does or an executor's.
Mapped = Callable[[Callable[[Job], dict[str, Answer]], Iterable[Job]], Iterable[dict[str, Answer]]]


def odds(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    fractions: bool = False,
    expired: Callable[[], bool] | None = None,
    mapped: Mapped = map,
    most_cells: float = MOST_CELLS,
) -> dict[str, Chance]:
    """The chance of every goal (a card's id; `beat` with a threshold). Raises Expired when the deadline comes first."""
    found = answers(
        position,
        goals,
        threshold,
        fractions=fractions,
        actions=False,
        expired=expired,
        mapped=mapped,
        most_cells=most_cells,
    )
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
    most_cells: float = MOST_CELLS,
) -> dict[str, Answer]:
    """Chance and next actions for every goal. fractions: exact ones where that is affordable. mapped: an executor's
    map, to use several processors for large turns. most_cells: of one goal's tables; what needs more is bounded."""
    named = {name: GOALS[name] for name in goals}
    if threshold is not None:
        named[BEAT] = threshold.goal()

    def answered(job: Job) -> dict[str, Answer]:
        group, tabled = job
        turn, solved, whole = tabled or affordable(position, list(group.values()), most_cells)
        found = {}
        with turn:
            turn.solve(fractions and turn.exponent <= MAX_EXPONENT and cells <= _FRACTION_CELLS, expired)
            for i, name in enumerate(group):
                stop = float(_stopped(position, name, threshold))
                ranked = tuple(choices(turn, i, solved, stop)) if actions else ()
                chance = Chance.exact(value(turn, i, solved))
                found[name] = Answer(chance if whole else replace(chance, method="sampled", high=1.0), ranked)
        return found

    found: dict[str, Answer] = {}
    jobs, cells = _jobs(position, most_cells, {name: named[name] for name in sorted(named, key=_HARDEST_FIRST.index)})
    for part in mapped(answered, jobs):
        found |= part
    return {name: found[name] for name in named}


def chances(
    position: Position,
    goals: Sequence[Goal],
    most_cells: float = MOST_CELLS,
    expired: Callable[[], bool] | None = None,
) -> tuple[float, ...]:
    """The chance of each goal; of a turn with too many cards what is certainly within reach."""
    turn, solved, _ = affordable(position, goals, most_cells)
    with turn:
        turn.solve(expired=expired)
        return tuple(float(value(turn, i, solved)) for i in range(len(goals)))


def _jobs(position: Position, most_cells: float, goals: Mapping[str, Goal]) -> tuple[list[Job], float]:
    """All goals together while their tables stay small (these laid out already), else each goal by itself; and how many
    cells all goals have."""
    cells = inf
    if len(position.unused) <= MAX_CARDS:
        turn = tables(position, list(goals.values()))
        cells = turn.cells
        if cells <= min(_GROUP_CELLS, most_cells):
            return [(dict(goals), (turn, position, True))], cells
        turn.close()
    return [({name: goal}, None) for name, goal in goals.items()], cells


def affordable(
    position: Position,
    goals: Sequence[Goal],
    most_cells: float = MOST_CELLS,
    prices: Sequence[tuple[Goal, float]] = (),
    nothing: float = 0,
    groups: Mapping[tuple[int, int], float] | None = None,
) -> Tabled:
    """Tables (as `tables` lays them out) small enough to be solved; cards count as used until they are."""
    whole = True
    while True:
        if len(position.unused) <= MAX_CARDS:
            turn = tables(position, goals, prices, nothing, groups)
            if turn.cells <= most_cells or not position.unused:
                return turn, position, whole
            turn.close()
        most_cells = min(most_cells, _BOUNDED_CELLS)
        card = next((card for card in _DISPENSABLE if card in position.unused), position.unused[0])
        position, whole = replace(position, used=position.used | {card}), False


def tables(
    position: Position,
    goals: Sequence[Goal],
    prices: Sequence[tuple[Goal, float]] = (),
    nothing: float = 0,
    groups: Mapping[tuple[int, int], float] | None = None,
) -> Turn:
    """The kernel's turn for a position, not yet solved. Raises Illegal while a die has not been read."""
    if UNREAD in position.active or UNREAD in position.kept:
        raise Illegal("there are no odds while a die has not been read")
    if position.most > MOST_DICE:
        raise Illegal(TOO_MANY, dice=position.most, most=MOST_DICE)
    faces = {card: CARDS[card].pips if CARDS[card].ability == "add" else None for card in position.unused}
    return Turn(faces, goals, position.kept, position.dice, position.room, prices, nothing, groups)


def value(turn: Turn, goal: int, position: Position) -> Fraction | float:
    """Best play from this position on, in a turn solved for it or for an earlier position of the same turn."""
    since = without(position.kept, turn.kept)
    assert since is not None
    if position.hand:
        question = Question.ONWARD if position.rules.early_cards else Question.ROLL
        return turn.ask(goal, position.unused, (1,) * position.hand, since, question)
    question = Question.MET if position.duty_met else Question.FRESH
    return turn.ask(goal, position.unused, position.active, since, question)


def _stopped(position: Position, name: str, threshold: Threshold | None) -> bool:
    """Whether the dice set aside so far meet the goal."""
    if name != BEAT or threshold is None:
        return name in met(position.kept)
    found, least = best_group(position.kept), (threshold.count, threshold.face)
    return found > least or (threshold.equal and found == least)
