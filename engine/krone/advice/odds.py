"""The odds of a turn: for every goal its probability under best play, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Literal

from engine.dice import best_group
from engine.krone.advice.actions import Action, Choice, choices
from engine.krone.advice.goals import GOALS, Goal, Threshold
from engine.krone.advice.kernel import MAX_EXPONENT, Numbers
from engine.krone.advice.tables import BOUNDED_CELLS, MAX_CELLS, Tabled, affordable, tables, value
from engine.krone.advice.turn_position import Position
from engine.krone.costs import payable_cards

BEAT = "beat"
# Goals that few dice secure come first, so that the columns the kernel still needs are adjacent.
_HARDEST_FIRST = (
    *("maid", "philosopher", BEAT, "king", "general", "knight", "nobleman", "bishop", "alchemist", "pawnbroker"),
    *("hunter", "magician", "noblewoman", "merchant", "astronomer", "guard", "laborer", "farmer"),
)
_FRACTION_CELLS = 1.2e6  # of all goals: up to this size fractions, which take twice as long, are still instant
# Up to this size goals are solved together; above it, one by one costs no more and can run in parallel.
_GROUP_CELLS = 1e6
ALL_CELLS = 2e8  # of all goals: some ten seconds on two processors
_FIRST_CELLS = 2e6  # of one goal, if all together would be too large
_CLOSE = 0.01  # an interval this narrow is good enough
_CERTAIN = 1e-10  # odds known this well are as exact as sums of doubles

Job = tuple[dict[str, Goal], Tabled | None]


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability of a goal under best play; low = p = high if it is exact.

    With "sampled", the turn has too many cards for all combinations. Then low and p are the exact probability of best
    play without some of the cards, a guaranteed lower bound, and high is a guaranteed upper bound.
    """

    p: float
    fraction: Fraction | None = None
    method: Literal["exact", "sampled"] = "exact"
    low: float = 0.0
    high: float = 1.0

    @classmethod
    def exact(cls, value: Fraction | float) -> Chance:
        """A probability that is known exactly."""
        p = float(value)
        return cls(p, value if isinstance(value, Fraction) else None, "exact", p, p)

    @classmethod
    def at_least(cls, value: Fraction | float) -> Chance:
        """A chance known from best play without some cards. If that is certain already, the others change nothing."""
        p = float(value)
        return cls.exact(p) if 1 - p <= _CERTAIN else cls(p, None, "sampled", p, 1.0)

    @property
    def width(self) -> float:
        """Width of the interval that contains the probability; 0 if it is exact."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Answer:
    """The probability of a goal and every next action, best first; () if actions were not asked for."""

    chance: Chance
    choices: tuple[Choice, ...] = ()

    @property
    def best(self) -> Action:
        """The best next action."""
        return self.choices[0].action


# Applies a function to jobs, like `map` or an executor's `map`.
Mapped = Callable[[Callable[[Job], dict[str, Answer]], Iterable[Job]], Iterable[dict[str, Answer]]]


def odds(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    fractions: bool = False,
    expired: Callable[[], bool] | None = None,
    mapped: Mapped = map,
    most_cells: float = MAX_CELLS,
    all_cells: float = inf,
) -> dict[str, Chance]:
    """The probability of every goal (a card's id; `beat` with a threshold).

    Raises:
        Expired: The deadline came first.
    """
    found = answers(
        position,
        goals,
        threshold,
        fractions=fractions,
        actions=False,
        expired=expired,
        mapped=mapped,
        most_cells=most_cells,
        all_cells=all_cells,
    )
    return {goal: answer.chance for goal, answer in found.items()}


def answers(
    position: Position,
    goals: Iterable[str] = tuple(GOALS),
    threshold: Threshold | None = None,
    *,
    fractions: bool = False,
    actions: bool = True,
    expired: Callable[[], bool] | None = None,
    mapped: Mapped = map,
    most_cells: float = MAX_CELLS,
    all_cells: float = inf,
) -> dict[str, Answer]:
    """Probability and next actions for every goal.

    Args:
        fractions: Exact fractions where affordable.
        mapped: An executor's map, to use several processors for large turns.
        most_cells: Table size of one goal; larger ones are bounded instead.
        all_cells: Table size of all goals together; if they need more, every goal is bounded first, and then as many as
            fit are solved exactly, the least known first.
    """
    asked = {name: GOALS[name] for name in goals}
    if threshold is not None:
        asked[BEAT] = threshold.goal()
    named = {name: asked[name] for name in sorted(asked, key=_HARDEST_FIRST.index)}

    def solved(
        jobs: Iterable[Job], most: float, exact: bool = False, bounded: float = BOUNDED_CELLS
    ) -> dict[str, Answer]:
        def answered(job: Job) -> dict[str, Answer]:
            group, tabled = job
            turn, reached, whole = tabled or affordable(position, list(group.values()), most, bounded_cells=bounded)
            found = {}
            with turn:
                turn.solve(Numbers.EXACT if exact and turn.exponent <= MAX_EXPONENT else Numbers.DOUBLE, expired)
                for i, name in enumerate(group):
                    stop = float(_stopped(position, name, threshold))
                    ranked = tuple(choices(turn, i, reached, stop)) if actions else ()
                    chance = value(turn, i, reached)
                    found[name] = Answer(Chance.exact(chance) if whole else Chance.at_least(chance), ranked)
            return found

        return {name: answer for part in mapped(answered, jobs) for name, answer in part.items()}

    def alone(names: Iterable[str]) -> list[Job]:
        return [({name: named[name]}, None) for name in names]

    turn = tables(position, list(named.values()))
    cells = turn.cells
    if cells <= min(_GROUP_CELLS, most_cells):
        found = solved([(named, (turn, position, True))], most_cells, fractions and cells <= _FRACTION_CELLS)
    else:
        turn.close()
        if all_cells == inf or cells <= min(all_cells, most_cells):
            found = solved(alone(named), most_cells, fractions and cells <= _FRACTION_CELLS)
        else:
            found = solved(alone(named), min(_FIRST_CELLS, most_cells))
            sizes = {name: _cells(position, named[name]) for name in named if found[name].chance.width}
            wholly, further, left = _worth_more(sizes, found, most_cells, all_cells)
            found |= solved(alone(wholly), most_cells)
            share = min(most_cells, left / max(1, len(further)))
            if share > _FIRST_CELLS:
                found |= solved(alone(further), share, bounded=share)
    return {name: found[name] for name in asked}


def _worth_more(
    sizes: Mapping[str, float], found: Mapping[str, Answer], most_cells: float, all_cells: float
) -> tuple[list[str], list[str], float]:
    """Selects among the goals with bounded odds: those to solve fully, those to bound again with more cards, and the
    cells left for these. The least known come first."""
    wholly, further = [], []
    for name in sorted(sizes, key=lambda name: (found[name].chance.width <= _CLOSE, sizes[name])):
        if sizes[name] <= min(all_cells, most_cells):
            wholly.append(name)
            all_cells -= sizes[name]
        elif found[name].chance.width > _CLOSE:
            further.append(name)
    return wholly, further, all_cells


def _cells(position: Position, goal: Goal) -> float:
    with tables(position, [goal]) as turn:
        return turn.cells


def chances(
    position: Position,
    goals: Sequence[Goal],
    most_cells: float = MAX_CELLS,
    expired: Callable[[], bool] | None = None,
) -> tuple[float, ...]:
    """The probability of each goal to five places; for a turn with too many cards a guaranteed lower bound."""
    turn, solved, _ = affordable(position, goals, most_cells)
    with turn:
        turn.solve(Numbers.SINGLE, expired)
        return tuple(float(value(turn, i, solved)) for i in range(len(goals)))


def _stopped(position: Position, name: str, threshold: Threshold | None) -> bool:
    """Whether the dice set aside so far meet the goal."""
    if name != BEAT or threshold is None:
        return name in payable_cards(position.kept)
    found, least = best_group(position.kept), (threshold.count, threshold.face)
    return found > least or (threshold.equal and found == least)
