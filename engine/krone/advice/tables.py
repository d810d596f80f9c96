"""Lays out a position's tables for the solver, keeps them small enough, and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from engine.dice import UNREAD, without
from engine.errors import Illegal
from engine.krone.advice.goals import Goal
from engine.krone.advice.kernel import MAX_CARDS, Groups, TurnMoment, TurnSolver
from engine.krone.advice.turn_position import MAX_DICE, TOO_MANY, Position
from engine.krone.cards import CARDS

MAX_CELLS = 60e6  # of one goal: 480 MB, some seconds
QUICK_CELLS = 4e5  # of one goal: instant, for answers with a deadline
BOUNDED_CELLS = 1e7  # of one goal if even MAX_CELLS is too little: a quick lower bound
# Cards left out if the tables would become too large, the least useful first. Over 1,200 turns and nine goals the Fool
# alone saved 20 % of the failures, the Merchant 30 %, the Alchemist 74 %.
_DISPENSABLE = (
    "fool",
    "merchant",
    "nobleman",
    "astronomer",
    "philosopher",
    "maid",
    "noblewoman",
    "magician",
    "alchemist",
)

# The tables, their position, and whether no card was left out.
Tabled = tuple[TurnSolver, Position, bool]


def tables(
    position: Position,
    goals: Sequence[Goal],
    prices: Sequence[tuple[Goal, float]] = (),
    nothing: float = 0,
    groups: Groups | Sequence[Groups] = (),
    alternatives: Sequence[str] = (),
) -> TurnSolver:
    """The unsolved kernel turn for a position.

    Args:
        alternatives: Cards of which one may be added; either all of them add a die, or none does.

    Raises:
        Illegal: A die has not been read.
    """
    if UNREAD in position.active or UNREAD in position.kept:
        raise Illegal("there are no odds while a die has not been read")
    if position.most > MAX_DICE:
        raise Illegal(TOO_MANY, dice=position.most, most=MAX_DICE)
    own, either = (
        {card: CARDS[card].pips if CARDS[card].ability == "add" else None for card in cards}
        for cards in (position.unused, alternatives)
    )
    return TurnSolver(own, goals, position.kept, position.dice, position.room, prices, nothing, groups, either)


def affordable(
    position: Position,
    goals: Sequence[Goal],
    most_cells: float = MAX_CELLS,
    prices: Sequence[tuple[Goal, float]] = (),
    nothing: float = 0,
    groups: Groups | Sequence[Groups] = (),
    bounded_cells: float = BOUNDED_CELLS,
) -> Tabled:
    """Tables (as from `tables`) of at most `most_cells`. If they would be larger, cards count as used until they
    have at most `bounded_cells`."""
    whole = True
    while True:
        if len(position.unused) <= MAX_CARDS:
            turn = tables(position, goals, prices, nothing, groups)
            if turn.cells <= most_cells or not position.unused:
                return turn, position, whole
            turn.close()
        most_cells = min(most_cells, bounded_cells)
        card = next((card for card in _DISPENSABLE if card in position.unused), position.unused[0])
        position, whole = replace(position, used=position.used | {card}), False


def value(turn: TurnSolver, goal: int, position: Position) -> Fraction | float:
    """The value of best play from this position, in a turn solved for it or for an earlier position of the same
    turn."""
    since = without(position.kept, turn.kept)
    assert since is not None
    if position.hand:
        question = TurnMoment.ONWARD if position.rules.early_cards else TurnMoment.ROLL
        return turn.ask(goal, position.unused, (1,) * position.hand, since, question)
    question = TurnMoment.MET if position.duty_met else TurnMoment.FRESH
    return turn.ask(goal, position.unused, position.active, since, question)
