"""After a game of Knatsch: which decisions cost most, and how much of the result was luck.

In an attempt every position has a value, the chance of success under best play; what hangs on it (`stake`) makes it
win chance. Naming a card, keeping dice, stopping and passing lower it by what they are worth less than the best choice:
that is skill. A throw moves it to either side of what was expected: that is luck. Which card comes to light, what goes
under a stack and where guards lie is not weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.advice.deadline import Expired
from engine.advice.review import Decision, Review, few_options, together
from engine.dice import faces
from engine.dice import together as all_dice
from engine.knatsch.advice.odds import attempt, lying, ways
from engine.knatsch.advice.targets import running_payoff, stake, targets
from engine.knatsch.advice.throws import Values
from engine.knatsch.advice.worth import KnatschWorth
from engine.knatsch.events import Event, Keep, Pass, Roll, Stop, Target
from engine.knatsch.rules import can, play
from engine.knatsch.state import State


def review(
    first: State,
    moves: Sequence[tuple[str, Event]],
    worth: KnatschWorth,
    *,
    expired: Callable[[], bool] | None = None,
) -> Review[Event, Event]:
    """first: the position the game began with. moves: (seat, event) in order. Raises Expired at the deadline.

    unseen: attempts at a card whose combination was never told; nothing can be said about them.
    """
    return together(review_moves(first, moves, worth, expired=expired))


def review_moves(
    first: State,
    moves: Sequence[tuple[str, Event]],
    worth: KnatschWorth,
    *,
    expired: Callable[[], bool] | None = None,
) -> Iterator[Review[Event, Event]]:
    """The same event by event."""
    state = first
    for number, (seat, event) in enumerate(moves):
        if state.finished:
            break
        if expired is not None and expired():
            raise Expired
        unknown = isinstance(event, Target) and state.to_beat(event.place) is None
        yield Review(tuple(_weighed(state, number, seat, event, worth)), int(unknown))
        state = play(state, seat, event)


def _weighed(
    state: State, number: int, seat: str, event: Event, worth: KnatschWorth
) -> Iterator[Decision[Event, Event]]:
    if state.choosing and isinstance(event, Target | Pass):
        yield _choice(state, number, event, worth)
        return
    running = state.attempt
    payoff = running_payoff(state) if running is not None else None
    if running is None or payoff is None or not isinstance(event, Roll | Keep | Stop | Pass):
        return
    at_stake = stake(state, worth)
    if isinstance(event, Pass):  # a castle not defended, a tournament left to the others
        cost = attempt(payoff, running.throws) * at_stake
        yield Decision(number, seat, event, cost, 0.0, None)
    elif isinstance(event, Roll):
        yield Decision(number, seat, event, 0.0, _luck(state, payoff, event) * at_stake, None)
    else:
        yield _kept(state, number, event, payoff, at_stake)


def _choice(state: State, number: int, event: Target | Pass, worth: KnatschWorth) -> Decision[Event, Event]:
    """A card named, or none where that is allowed."""
    offers: dict[Event, float] = {
        Target(one.place): one.value for one in targets(state, worth) if one.chance is not None
    }
    if can(state, state.turn, Pass()):
        offers[Pass()] = 0.0
    best = max(offers, key=lambda offer: offers[offer], default=event)
    cost = offers[best] - offers[event] if event in offers else 0.0
    options = few_options(sorted(offers.items(), key=lambda offer: -offer[1]), event)
    return Decision(number, state.turn, event, cost, 0.0, best, options)


def _kept(state: State, number: int, event: Keep | Stop, payoff: Values, at_stake: float) -> Decision[Event, Event]:
    """Dice left lying, or all of them."""
    running = state.attempt
    assert running is not None
    assert running.dice is not None
    found = {
        Keep(faces(way.keep)) if way.thrown else Stop(): way.chance
        for way in ways(payoff, running.throws, running.dice)
    }
    best = next(iter(found))
    options = few_options([(choice, chance * at_stake) for choice, chance in found.items()], event)
    return Decision(number, running.seat, event, (found[best] - found[event]) * at_stake, 0.0, best, options)


def _luck(state: State, payoff: Values, event: Roll) -> float:
    """The chance of success after this throw, less what it was before."""
    running = state.attempt
    assert running is not None
    if running.dice is None:
        return lying(payoff, running.throws - 1, event.dice) - attempt(payoff, running.throws)
    stays = (*(running.kept or ()), *(6,) * running.sixes)
    before = next(
        way.chance
        for way in ways(payoff, running.throws, running.dice)
        if way.thrown and faces(way.keep) == faces(running.kept or ())
    )
    return lying(payoff, running.throws - 1, all_dice(event.dice, stays)) - before
