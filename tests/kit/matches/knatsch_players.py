"""Simulated players of Knatsch: the advisor following its own advice, and a simple one as baseline. The caller
supplies rolls and revealed cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from engine.dice import Faces
from engine.knatsch.advice.advise import advise
from engine.knatsch.advice.targets import chance
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.deck import Card
from engine.knatsch.events import SIDES, Deal, Event, Keep, Lose, Pass, Reveal, Roll, Side, Stop, Target, Under
from engine.knatsch.rules import can, play
from engine.knatsch.state import State
from engine.knatsch.targets import capture_refusal

RollDice = Callable[[int], Faces]
Turned = Callable[[Sequence[tuple[Card, int]]], Card]  # chooses which of these unseen cards is revealed
Observer = Callable[[State], None]


class Player(Protocol):
    """Chooses the event of the acting seat; None is a roll."""

    def act(self, state: State) -> Event | None:
        """The next event; None for a roll."""


class Advised:
    """Follows the advice."""

    def __init__(self, value_function: KnatschValueFunction) -> None:
        self._value_function = value_function

    def act(self, state: State) -> Event | None:
        """The advised event; without advice the first legal default event."""
        advice = advise(state, self._value_function)
        if advice is not None:
            return advice.event
        return next((event for event in _plain(state) if can(state, state.seat, event)), None)


class Easiest:
    """Always attacks the easiest card and keeps the most equal dice. It ignores the King, the guards and the bottom
    of the stacks, and rolls until it wins."""

    def act(self, state: State) -> Event | None:
        """The next event by the simple strategy."""
        running = state.attempt
        if running is not None:
            if state.to_roll:
                return None
            dice = [face for face in running.dice or () if face != 6]
            alike = max(set(dice), key=lambda face: (dice.count(face), face))
            keep = Keep((alike,) * dice.count(alike))
            beaten = running.leading.group and state.result.beats(running.leading)
            return Stop() if beaten or not can(state, state.seat, keep) else keep
        places = [place for place in state.places() if capture_refusal(state, place) is None]
        likely = {place: chance(state, place) or 0.0 for place in places}
        best = max(places, key=lambda place: likely[place], default=None)
        wanted = [] if best is None or state.revenge else [Target(best)]
        return next((event for event in (*wanted, *_plain(state)) if can(state, state.seat, event)), None)


def _plain(state: State) -> tuple[Event, ...]:
    """The default event when nothing is wanted."""
    losses = [Lose(castle, side) for castle in state.player(state.seat).castles for side in SIDES]
    return (Pass(), *map(Under, SIDES), *(losses if state.revenge else ()), Stop())


def play_game(
    state: State,
    players: Sequence[Player],
    roll_dice: RollDice,
    turned: Turned,
    seen: Observer | None = None,
    most: int = 4000,
) -> State:
    """Plays until the game is won, or `most` events are played.

    Args:
        roll_dice: Rolls n dice.
        turned: Chooses the card that is revealed.
        seen: Called with every state in which a target can be chosen.
    """
    for _ in range(most):
        if state.finished:
            break
        if state.dealing:
            out = {card.id for player in state.seated for card in player.cards}
            card = turned([one for one in state.unseen if one[0].id in state.deck.crests and one[0].id not in out])
            state = play(state, state.seat, Deal(card.id, card.shows))
            continue
        hidden: Side | None = next((side for side in SIDES if state.hidden(side)), None)
        if hidden:
            card = turned(state.unseen)
            state = play(state, state.seat, Reveal(hidden, card.id, card.shows))
            continue
        if seen is not None and state.choosing:
            seen(state)
        event = players[state.seats.index(state.seat)].act(state)
        state = play(state, state.seat, event or Roll(roll_dice(state.to_roll)))
    return state
