"""Simulated players: the advisor playing its own advice, and a simple one as baseline. The caller supplies the
rolls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from engine.dice import Faces
from engine.krone.advice.actions import Action, choices, uses
from engine.krone.advice.advise import turn_tables
from engine.krone.advice.kernel import TurnSolver
from engine.krone.advice.prices import Prices, prices
from engine.krone.advice.tables import value
from engine.krone.advice.turn_position import Position
from engine.krone.advice.value_function import ValueFunction
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import play
from engine.krone.state import State

RollDice = Callable[[int], Faces]
Observer = Callable[[State, Event], None]


class Player(Protocol):
    """Plays one turn at a time: `begin` before the first roll, then `act` until the turn is over, then `buy`."""

    def begin(self, state: State) -> None:
        """Prepares for the turn that begins."""

    def act(self, state: State) -> Action:
        """The next action of the turn."""

    def buy(self, state: State) -> str | None:
        """The card to buy with the result; None for none."""

    def end(self) -> None:
        """Cleans up after the turn."""


class Pricing(ABC):
    """Assigns a price to every purchase and plays the turn for the highest expected price, solved exactly.

    Attributes:
        luck: By phase of the game (before the claim, after it), the sum of results minus expectations in prices. Its
            mean is 0 for any prices, so it can be subtracted as a control variate from the result of a match.
    """

    def __init__(self) -> None:
        self.luck = [0.0, 0.0]
        self._turn: TurnSolver | None = None
        self._prices: Prices | None = None
        self._expected = 0.0

    @abstractmethod
    def priced(self, state: State) -> Prices:
        """The price of every result of the turn that now begins."""

    @property
    def expected(self) -> float:
        """The expected price of the current turn at its start."""
        return self._expected

    def begin(self, state: State) -> None:
        """Solves the turn for its prices."""
        self.solve(state, self.priced(state))

    def solve(self, state: State, prices: Prices) -> None:
        """Solves the turn that now begins for these prices."""
        self.end()
        self._prices = prices
        self._turn = turn_tables(Position.of(state), prices)
        self._turn.solve()
        self._expected = float(value(self._turn, 0, Position.of(state)))

    def act(self, state: State) -> Action:
        """The action with the highest expected price."""
        assert self._turn is not None
        assert self._prices is not None
        stop = self._prices.value(state.turn.kept)
        action = choices(self._turn, 0, Position.of(state), stop)[0].action
        if action.do == "stop":
            self.luck[state.threshold is not None] += stop - self._expected
        return action

    def buy(self, state: State) -> str | None:
        """The purchase with the highest price."""
        assert self._prices is not None
        return self._prices.of(state.turn.kept)[0][0]

    def end(self) -> None:
        """Frees the tables."""
        if self._turn is not None:
            self._turn.close()
        self._turn = None


class Advised(Pricing):
    """Plays for the highest win probability; in the final round for the odds to beat the threshold."""

    def __init__(self, value_function: ValueFunction) -> None:
        super().__init__()
        self._value_function = value_function

    def priced(self, state: State) -> Prices:
        """The win probabilities after each purchase."""
        return prices(state, self._value_function)


class HighestRow:
    """Always buys the card of the highest row it can, keeps for the most equal dice and uses every card that helps."""

    def begin(self, state: State) -> None:
        """Does nothing."""
        pass

    def act(self, state: State) -> Action:
        """The next action by the simple strategy."""
        position = Position.of(state)
        adders = [card for card in position.unused if CARDS[card].ability == "add"]
        if adders and position.room and (not position.hand or state.rules.early_cards):
            shown = (_favourite(position),) if adders[0] == "queen" and not position.hand else ()
            return Action("use", adders[0], (), shown)
        if position.hand:
            return Action("roll")
        if not position.active:
            return Action("stop")
        face = _favourite(position)
        if position.duty_met and face not in position.active:
            return Action("roll")
        return self._card(position, face) or Action("keep", dice=(face,) * position.active.count(face))

    def buy(self, state: State) -> str | None:
        """The purchase of the highest row; None if nothing can be bought."""
        choices = state.purchases()
        return max(choices, key=lambda card: (CARDS[card].row, ORDER[card]), default=None)

    def end(self) -> None:
        """Does nothing."""
        pass

    @staticmethod
    def _card(position: Position, face: int) -> Action | None:
        """The use that makes the most dice show `face`, if any gains one; otherwise a reroll of the other dice."""
        others = tuple(die for die in position.active if die != face)
        best, most = None, position.active.count(face)
        for card in position.unused:
            if CARDS[card].ability == "change":
                for action, after, _ in uses(position, card):
                    if after.count(face) > most:
                        best, most = action, after.count(face)
        if best is None and others and "merchant" in position.unused:
            return Action("use", "merchant", others)
        if best is None and others and "fool" in position.unused:
            return Action("use", "fool", others[:1])
        return best


def _favourite(position: Position) -> int:
    """The most frequent value of the dice, kept ones included, among those that can be set aside."""
    dice = position.active or position.kept
    return max(set(dice), key=lambda face: (position.active.count(face) + position.kept.count(face), face))


def play_game(
    state: State,
    players: Sequence[Player],
    roll_dice: RollDice,
    seen: Observer | None = None,
    enough: Callable[[State], bool] = lambda state: state.finished,
) -> State:
    """Plays until the game is won.

    Args:
        roll_dice: Rolls n dice.
        seen: Called with every state and the event played in it.
        enough: Called before every turn; returns whether to stop there.
    """

    def done(state: State, event: Event) -> State:
        if seen is not None:
            seen(state, event)
        return play(state, state.seat, event)

    while not (state.finished or enough(state)):
        player = players[state.seats.index(state.seat)]
        player.begin(state)
        while True:
            action = player.act(state)
            if action.do == "stop":
                break
            state = done(state, _event(state, action, roll_dice))
        if state.final:
            state = done(state, Pass())
        else:
            card = player.buy(state)
            state = done(state, Pass() if card is None else Buy(card))
        player.end()
    return state


def _event(state: State, action: Action, roll_dice: RollDice) -> Event:
    if action.do == "roll":
        return Roll(roll_dice(state.to_roll))
    if action.do == "keep":
        return Keep(action.dice)
    assert action.card is not None
    if CARDS[action.card].ability == "reroll":
        return Use(action.card, action.dice, roll_dice(len(action.dice)))
    if CARDS[action.card].ability == "add":
        # Before the first roll the Queen's die has no value yet, but the record must name one.
        return Use(action.card, (), (action.to or (6,)) if action.card == "queen" else ())
    return Use(action.card, action.dice, action.to)
