"""Post-game review: which decisions cost most, and how much of the result was luck.

Within a turn every position has a value: the win probability under the advised play. An action lowers it by the
difference to the best action, which is skill. A roll moves it away from its expectation, which is luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.advice.review import Decision, Review, few_options
from engine.dice import UNREAD, without
from engine.krone.advice.actions import Action, choices
from engine.krone.advice.advise import turn_tables
from engine.krone.advice.kernel import TurnMoment, TurnSolver
from engine.krone.advice.prices import Prices, prices
from engine.krone.advice.tables import value
from engine.krone.advice.turn_position import Position
from engine.krone.advice.value_function import ValueFunction
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import acting, play
from engine.krone.state import State

TurnDecision = Decision[Event, Action | str]


def review_turns(
    first: State,
    moves: Sequence[tuple[str, Event]],
    value_function: ValueFunction,
) -> Iterator[Review[Event, Action | str]]:
    """Reviews a whole game turn by turn: early turns take a hundredth of a second each, late ones seconds.

    Args:
        first: The first state.
        moves: (seat, event) in order.
    """
    for begin, turn_moves in _turns(first, moves):
        if any(UNREAD in dice for _, state, _ in turn_moves for dice in (state.turn.active, state.turn.kept)):
            yield Review((), 1)
        else:
            yield Review(tuple(_reviewed(begin, turn_moves, value_function)), 0)


_Moves = list[tuple[int, State, Event]]


def _turns(first: State, moves: Sequence[tuple[str, Event]]) -> Iterator[tuple[State, _Moves]]:
    """Every turn: its first state, and (number of the event, state before it, event)."""
    state, begin = first, first
    turn: _Moves = []
    for number, (seat, event) in enumerate(moves):
        if state.finished:
            break
        before = acting(state, seat, event)
        if before is not state:  # the turn before was left open: its purchase is not known yet
            if turn:
                yield begin, turn
            begin, turn = before, []
        turn.append((number, before, event))
        state = play(state, seat, event)
        if isinstance(event, Buy | Pass):
            yield begin, turn
            begin, turn = state, []
    if turn:
        yield begin, turn


def _reviewed(
    begin: State, moves: Iterable[tuple[int, State, Event]], value_function: ValueFunction
) -> Iterator[TurnDecision]:
    priced = prices(begin, value_function)
    with turn_tables(Position.of(begin), priced) as turn:
        turn.solve()
        for number, state, event in moves:
            if isinstance(event, Buy | Pass):
                if not state.final and state.turn.over:
                    yield _purchase(number, state, event, priced)
                continue
            yield _decision(turn, number, state, event, priced)


def _purchase(number: int, state: State, event: Buy | Pass, priced: Prices) -> TurnDecision:
    offers = priced.of(state.turn.kept)
    taken = event.card if isinstance(event, Buy) else None
    value = dict(offers).get(taken, priced.passing)
    options = few_options(offers, taken)
    return Decision(number, state.seat, event, max(0.0, offers[0][1] - value), 0.0, offers[0][0], options)


def _decision(turn: TurnSolver, number: int, state: State, event: Event, priced: Prices) -> TurnDecision:
    position = Position.of(state)
    since = without(position.kept, turn.kept) or ()
    after = float(value(turn, 0, Position.of(play(state, state.seat, event))))
    expected = after  # setting aside and turning dice involve no luck
    if isinstance(event, Roll):
        on_table = position.active or (1,) * position.hand
        expected = float(turn.ask(0, position.unused, on_table, since, TurnMoment.ROLL))
    elif isinstance(event, Use) and CARDS[event.card].ability == "reroll":
        rest = without(position.active, event.before)
        assert rest is not None
        left = [card for card in position.unused if card != event.card]
        duty = TurnMoment.MET if position.duty_met else TurnMoment.FRESH
        expected = float(turn.ask(0, left, rest, since, duty, len(event.before)))
    ranked = choices(turn, 0, position, priced.value(position.kept))
    offers = [(choice.action, float(choice.value)) for choice in ranked]
    options = few_options(offers, next((action for action, _ in offers if _was(action, event)), None))
    cost = max(0.0, offers[0][1] - expected)
    return Decision(number, state.seat, event, cost, after - expected, offers[0][0], options)


def _was(action: Action, event: Event) -> bool:
    """Whether the event is this action."""
    match event:
        case Roll():
            return action.do == "roll"
        case Keep(dice):
            return action.do == "keep" and action.dice == dice
        case Use(card, before, after):
            return (action.do, action.card, action.dice) == ("use", card, before) and action.to in ((), after)
    return False
