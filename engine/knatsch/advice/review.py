"""Post-game review of Knatsch: which decisions cost most, and how much of the result was luck.

In an attempt every position has a value, the probability of success under best play; multiplied by what is at stake
(`stake`) it becomes win probability. Choosing a target, keeping dice, stopping and passing lower it by their difference
to the best choice, which is skill. A roll moves it away from its expectation, which is luck. Revealed cards, cards put
under a stack and guards are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.advice.review import Decision, Review, few_options
from engine.dice import faces, union
from engine.knatsch.advice.odds import attempt, chance_with_dice, ways
from engine.knatsch.advice.targets import running_payoff, stake, targets
from engine.knatsch.advice.throws import Values
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.events import Event, Keep, Pass, Roll, Stop, Target
from engine.knatsch.rules import can, play
from engine.knatsch.state import State


def review_moves(
    first: State,
    moves: Sequence[tuple[str, Event]],
    value_function: KnatschValueFunction,
) -> Iterator[Review[Event, Event]]:
    """Reviews a whole game event by event. Attempts at cards whose combination never became known are counted as
    `unseen`.

    Args:
        first: The first state.
        moves: (seat, event) in order.
    """
    state = first
    for number, (seat, event) in enumerate(moves):
        if state.finished:
            break
        unknown = isinstance(event, Target) and state.to_beat(event.place) is None
        yield Review(tuple(_decisions(state, number, seat, event, value_function)), int(unknown))
        state = play(state, seat, event)


def _decisions(
    state: State, number: int, seat: str, event: Event, value_function: KnatschValueFunction
) -> Iterator[Decision[Event, Event]]:
    if state.choosing and isinstance(event, Target | Pass):
        yield _target_decision(state, number, event, value_function)
        return
    running = state.attempt
    payoff = running_payoff(state) if running is not None else None
    if running is None or payoff is None or not isinstance(event, Roll | Keep | Stop | Pass):
        return
    at_stake = stake(state, value_function)
    if isinstance(event, Pass):  # a castle not defended, or a tournament left to the others
        cost = attempt(payoff, running.throws) * at_stake
        yield Decision(number, seat, event, cost, 0.0, None)
    elif isinstance(event, Roll):
        yield Decision(number, seat, event, 0.0, _luck(state, payoff, event) * at_stake, None)
    else:
        yield _keep_decision(state, number, event, payoff, at_stake)


def _target_decision(
    state: State, number: int, event: Target | Pass, value_function: KnatschValueFunction
) -> Decision[Event, Event]:
    """Judges the choice of a target, or of none where that is allowed."""
    offers: dict[Event, float] = {
        Target(one.place): one.value for one in targets(state, value_function) if one.chance is not None
    }
    if can(state, state.turn, Pass()):
        offers[Pass()] = 0.0
    best = max(offers, key=lambda offer: offers[offer], default=event)
    cost = offers[best] - offers[event] if event in offers else 0.0
    options = few_options(sorted(offers.items(), key=lambda offer: -offer[1]), event)
    return Decision(number, state.turn, event, cost, 0.0, best, options)


def _keep_decision(
    state: State, number: int, event: Keep | Stop, payoff: Values, at_stake: float
) -> Decision[Event, Event]:
    """Judges the dice kept."""
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
    """The probability of success after this roll minus the one before."""
    running = state.attempt
    assert running is not None
    if running.dice is None:
        return chance_with_dice(payoff, running.throws - 1, event.dice) - attempt(payoff, running.throws)
    stays = (*(running.kept or ()), *(6,) * running.sixes)
    before = next(
        way.chance
        for way in ways(payoff, running.throws, running.dice)
        if way.thrown and faces(way.keep) == faces(running.kept or ())
    )
    return chance_with_dice(payoff, running.throws - 1, union(event.dice, stays)) - before
