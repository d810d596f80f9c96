"""After the game: which decisions cost most, and how much of the result was luck.

Within a turn every position has a value, the chance to win under the advised play. An action lowers it by what it is
worth less than the best one: that is skill. A throw moves it to either side of what was expected: that is luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.advice.actions import Action, choices
from engine.advice.advise import turn_tables
from engine.advice.kernel import Question, Turn
from engine.advice.position import Position
from engine.advice.prices import Prices, prices
from engine.advice.tables import value
from engine.advice.worth import Worth
from engine.dice import UNREAD, without
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import acting, play
from engine.krone.state import State

Done = TypeVar("Done")  # what happened: an event of the game
Better = TypeVar("Better")  # what would have been best


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could have been done, as `Decision.best` names it: how much win chance less than the best, and
    whether it was done."""

    choice: Any
    cost: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Decision(Generic[Done, Better]):
    """One event of the record. number: its place among them, from 0. cost: win chance given away against the best
    choice; best: that choice (here an action, or a card's id for a purchase), None: doing without. luck: win chance the
    throw gained (or lost, below 0) against what was to be expected. options: what was done, the best and up to two
    others, the best first; () where nothing was to be chosen."""

    number: int
    seat: str
    event: Done
    cost: float
    luck: float
    best: Better | None
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Review(Generic[Done, Better]):
    """A game looked back on. decisions: in the order of play. unseen: turns left out because a die was never read."""

    decisions: tuple[Decision[Done, Better], ...]
    unseen: int

    def costliest(self, number: int = 5) -> tuple[Decision[Done, Better], ...]:
        """The decisions that cost most, the worst first; none that cost nothing."""
        worst = sorted(self.decisions, key=lambda decision: -decision.cost)
        return tuple(decision for decision in worst[:number] if decision.cost > 1e-9)

    def luck(self, seat: str) -> float:
        """Win chance this player's throws gained in all."""
        return sum(decision.luck for decision in self.decisions if decision.seat == seat)

    def given_away(self, seat: str) -> float:
        """Win chance this player's decisions cost in all."""
        return sum(decision.cost for decision in self.decisions if decision.seat == seat)


Judged = Decision[Event, Action | str]
_ALIKE = 0.002  # a fifth of a percentage point: who knows no better cannot tell such choices apart


def few_options(offers: Sequence[tuple[Any, float]], taken: Any) -> tuple[Option, ...]:
    """Of all choices and what they are worth, best first: the best, the one taken, and two others that are clearly
    worse, one of them by little and one in the middle of the rest."""
    if taken not in [choice for choice, _ in offers]:
        return ()
    top = offers[0][1]
    worse = [offer for offer in offers if top - offer[1] > _ALIKE and offer[0] != taken]
    others = list(dict.fromkeys((worse[0], worse[len(worse) // 2]))) if worse else []
    shown = [offer for offer in offers if offer == offers[0] or offer[0] == taken or offer in others]
    return tuple(Option(choice, max(0.0, top - value), choice == taken) for choice, value in shown)


def review(
    first: State,
    moves: Sequence[tuple[str, Event]],
    worth: Worth,
    *,
    expired: Callable[[], bool] | None = None,
) -> Review[Event, Action | str]:
    """first: the position the game began with. moves: (seat, event) in order. Raises Expired at the deadline."""
    return together(review_turns(first, moves, worth, expired=expired))


def review_turns(
    first: State,
    moves: Sequence[tuple[str, Event]],
    worth: Worth,
    *,
    expired: Callable[[], bool] | None = None,
) -> Iterator[Review[Event, Action | str]]:
    """The same turn by turn: early turns take a hundredth of a second each, late ones seconds."""
    for begin, turn_moves in _turns(first, moves):
        if any(UNREAD in dice for _, state, _ in turn_moves for dice in (state.turn.active, state.turn.kept)):
            yield Review((), 1)
        else:
            yield Review(tuple(_reviewed(begin, turn_moves, worth, expired)), 0)


def together(parts: Iterable[Review[Done, Better]]) -> Review[Done, Better]:
    """A game from its parts, in order."""
    found = list(parts)
    return Review(tuple(decision for part in found for decision in part.decisions), sum(part.unseen for part in found))


_Moves = list[tuple[int, State, Event]]


def _turns(first: State, moves: Sequence[tuple[str, Event]]) -> Iterator[tuple[State, _Moves]]:
    """Every turn: the position it begins with, and (number of the event, position before it, event)."""
    state, begin = first, first
    turn: _Moves = []
    for number, (seat, event) in enumerate(moves):
        if state.finished:
            break
        before = acting(state, seat, event)
        if before is not state:  # the turn before was left open: nobody knows yet what it bought
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
    begin: State, moves: Iterable[tuple[int, State, Event]], worth: Worth, expired: Callable[[], bool] | None
) -> Iterator[Judged]:
    priced = prices(begin, worth, expired)
    with turn_tables(Position.of(begin), priced) as turn:
        turn.solve(expired=expired)
        for number, state, event in moves:
            if isinstance(event, Buy | Pass):
                if not state.final and state.turn.over:
                    yield _purchase(number, state, event, priced)
                continue
            yield _decision(turn, number, state, event, priced)


def _purchase(number: int, state: State, event: Buy | Pass, priced: Prices) -> Judged:
    offers = priced.of(state.turn.kept)
    taken = event.card if isinstance(event, Buy) else None
    worth = dict(offers).get(taken, priced.passing)
    options = few_options(offers, taken)
    return Decision(number, state.seat, event, max(0.0, offers[0][1] - worth), 0.0, offers[0][0], options)


def _decision(turn: Turn, number: int, state: State, event: Event, priced: Prices) -> Judged:
    position = Position.of(state)
    since = without(position.kept, turn.kept) or ()
    after = float(value(turn, 0, Position.of(play(state, state.seat, event))))
    expected = after  # setting aside and turning dice leave nothing to chance
    if isinstance(event, Roll):
        lying = position.active or (1,) * position.hand
        expected = float(turn.ask(0, position.unused, lying, since, Question.ROLL))
    elif isinstance(event, Use) and CARDS[event.card].ability == "reroll":
        rest = without(position.active, event.before)
        assert rest is not None
        left = [card for card in position.unused if card != event.card]
        duty = Question.MET if position.duty_met else Question.FRESH
        expected = float(turn.ask(0, left, rest, since, duty, len(event.before)))
    ranked = choices(turn, 0, position, priced.worth(position.kept))
    offers = [(choice.action, float(choice.value)) for choice in ranked]
    options = few_options(offers, next((action for action, _ in offers if _was(action, event)), None))
    cost = max(0.0, offers[0][1] - expected)
    return Decision(number, state.seat, event, cost, after - expected, offers[0][0], options)


def _was(action: Action, event: Event) -> bool:
    """Whether the event is this action, done."""
    match event:
        case Roll():
            return action.do == "roll"
        case Keep(dice):
            return action.do == "keep" and action.dice == dice
        case Use(card, before, after):
            return (action.do, action.card, action.dice) == ("use", card, before) and action.to in ((), after)
    return False
