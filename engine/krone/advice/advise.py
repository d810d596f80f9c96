"""Advice on the next action and on purchases, for the highest win probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.krone.advice.actions import Action, Choice, choices
from engine.krone.advice.kernel import TurnSolver
from engine.krone.advice.odds import BEAT, Chance, odds
from engine.krone.advice.prices import Prices, prices
from engine.krone.advice.tables import MAX_CELLS, affordable, tables
from engine.krone.advice.turn_position import Position
from engine.krone.advice.value_function import ValueFunction
from engine.krone.advice.winning import threshold_for, win_chances
from engine.krone.state import State
from engine.registry import SEATS


@dataclass(frozen=True, slots=True)
class RatedPurchase:
    """A purchase and the win probability after it; card None is buying nothing."""

    card: str | None
    win_chance: float


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for the seat on turn.

    Attributes:
        chance: Probability of beating the threshold; None before the final round.
        win_chance: Win probability of the seat before the dice are rolled (the learned value function, or the odds
            after a claim).
        choices: Every next action, best first, valued by the probability of winning.
        purchases: What the result can buy, best first; () before all dice are set aside.
        after: Win probability after taking each card for sale; for the King with the smallest group that claims him.
    """

    seat: str
    chance: Chance | None
    win_chance: float
    choices: tuple[Choice, ...]
    purchases: tuple[RatedPurchase, ...]
    after: Mapping[str, float] = field(default_factory=dict)

    @property
    def best(self) -> Action | None:
        """The best next action; None if there is none."""
        return self.choices[0].action if self.choices else None

    @property
    def turn_value(self) -> float:
        """The seat's win probability under the advised play from here, if it was computed."""
        return float(self.choices[0].value) if self.choices else self.win_chance


def advise(
    state: State,
    value_function: ValueFunction,
    *,
    expired: Callable[[], bool] | None = None,
    most_cells: float = MAX_CELLS,
) -> Advice:
    """Advice for the current turn.

    Args:
        most_cells: Table size above which some cards are ignored.

    Raises:
        Expired: The deadline came first.
    """
    seat = state.seat
    before = win_chances(state, value_function, expired)[SEATS.index(seat)]
    if state.finished:
        return Advice(seat, None, before, (), ())
    position = Position.of(state)
    priced = prices(state, value_function, expired)
    chance = None
    if state.final:
        chance = odds(position, (), threshold_for(state, seat), expired=expired, most_cells=most_cells)[BEAT]
    after = priced.cards | ({"king": min(priced.groups.values())} if priced.groups and not state.final else {})
    buys = tuple(RatedPurchase(*choice) for choice in priced.of(state.turn.kept)) if state.turn.over else ()
    turn, solved, _ = affordable(position, [priced.goal], most_cells, priced.goals(), priced.least, priced.groups)
    with turn:
        turn.solve(expired=expired)
        ranked = choices(turn, 0, solved, priced.value(position.kept))
        found = () if state.final else buys
        return Advice(seat, chance, before, tuple(ranked), found, after)


def turn_tables(position: Position, priced: Prices) -> TurnSolver:
    """The unsolved kernel turn whose goal number 0 is the value of the turn."""
    return tables(position, [priced.goal], priced.goals(), priced.least, priced.groups)
