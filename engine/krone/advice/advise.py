"""What to do next: for a chosen card, or for the best worth of the turn; and what to buy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.krone.advice.actions import Action, Choice, choices
from engine.krone.advice.goals import GOALS
from engine.krone.advice.kernel import Turn
from engine.krone.advice.odds import BEAT, Chance, answers, odds
from engine.krone.advice.position import Position
from engine.krone.advice.prices import Prices, prices
from engine.krone.advice.tables import MOST_CELLS, affordable, tables, value
from engine.krone.advice.winning import threshold_for, win_chances
from engine.krone.advice.worth import Worth
from engine.krone.state import State
from engine.registry import SEATS


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase and the chance to win after it; card None is buying nothing."""

    card: str | None
    win_chance: float


@dataclass(frozen=True, slots=True)
class Advice:
    """For the seat on turn. goal: the card aimed at, `beat` in the final round, None where the turn's worth decides.

    chance: of the goal; None without one. win_chance: of the seat, whatever the turn's dice show (the learned worth, or
    the odds after a claim). choices: every next action, best first, valued by the chance of the card aimed at, else by
    the win chance. purchases: what the result buys, best first; () before all dice are set aside. after: the win chance
    after taking each card for sale, the King with the least group that claims him.
    """

    seat: str
    goal: str | None
    chance: Chance | None
    win_chance: float
    choices: tuple[Choice, ...]
    purchases: tuple[Purchase, ...]
    after: Mapping[str, float] = field(default_factory=dict)

    @property
    def best(self) -> Action | None:
        return self.choices[0].action if self.choices else None

    @property
    def turn_worth(self) -> float:
        """The seat's chance to win under the advised play from here on, where the worth of the turn was asked for."""
        if self.goal in GOALS or not self.choices:
            return self.win_chance
        return float(self.choices[0].value)


def advise(
    state: State,
    worth: Worth,
    goal: str | None = None,
    *,
    expired: Callable[[], bool] | None = None,
    most_cells: float = MOST_CELLS,
) -> Advice:
    """Advice for the running turn. goal: a card's id. Raises Expired when the deadline comes first. most_cells: of a
    turn that needs larger tables some cards are left out of the thinking."""
    seat = state.seat
    before = win_chances(state, worth, expired)[SEATS.index(seat)]
    if state.finished:
        return Advice(seat, None, None, before, (), ())
    position = Position.of(state)
    priced = prices(state, worth, expired)
    chance = None
    if state.final:
        goal, chance = (
            BEAT,
            odds(position, (), threshold_for(state, seat), expired=expired, most_cells=most_cells)[BEAT],
        )
    after = priced.cards | ({"king": min(priced.groups.values())} if priced.groups and not state.final else {})
    buys = tuple(Purchase(*choice) for choice in priced.of(state.turn.kept)) if state.turn.over else ()
    if goal is not None and goal in GOALS:
        answer = answers(position, (goal,), expired=expired, most_cells=most_cells)[goal]
        return Advice(seat, goal, answer.chance, before, answer.choices, buys, after)
    turn, solved, _ = affordable(position, [priced.goal], most_cells, priced.goals(), priced.least, priced.groups)
    with turn:
        turn.solve(expired=expired)
        ranked = choices(turn, 0, solved, priced.worth(position.kept))
        found = () if state.final else buys
        return Advice(seat, goal if state.final else None, chance, before, tuple(ranked), found, after)


def turn_tables(position: Position, priced: Prices) -> Turn:
    """The kernel's turn for the worth of a turn, goal number 0; not yet solved."""
    return tables(position, [priced.goal], priced.goals(), priced.least, priced.groups)


def turn_worth(state: State, worth: Worth, *, expired: Callable[[], bool] | None = None) -> float:
    """The win chance of the seat on turn under the advised play of this turn."""
    position = Position.of(state)
    with turn_tables(position, prices(state, worth, expired)) as turn:
        turn.solve(expired=expired)
        return float(value(turn, 0, position))
