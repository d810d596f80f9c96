"""Targets in Knatsch: the probability and the value of each, what to keep in the current attempt, whether to defend.

Probabilities are exact for best play (`odds`). Values are win probabilities (`value_function`): what the card adds,
and what a failure costs (the King's revenge, a tournament that another player wins).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.knatsch.advice.odds import (
    Thrower,
    Way,
    attack,
    beat,
    beat_payoff,
    contestant_payoff,
    organise,
    organiser_payoff,
    ways,
)
from engine.knatsch.advice.throws import Values
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.deck import Card, is_castle, is_special
from engine.knatsch.events import SIDES, Held, Place, Side, TheKing, Top
from engine.knatsch.state import THROWS, Player, State
from engine.knatsch.targets import capture_refusal
from engine.registry import SEATS


@dataclass(frozen=True, slots=True)
class TargetAdvice:
    """A legal target.

    Attributes:
        chance: Probability of getting the card; None while its combination is unknown.
        gain: Win probability that having it adds.
        risk: Win probability that a failure costs.
    """

    place: Place
    chance: float | None
    gain: float
    risk: float = 0.0

    @property
    def value(self) -> float:
        """Expected win probability that the attempt adds."""
        return 0.0 if self.chance is None else self.chance * self.gain - (1 - self.chance) * self.risk


def targets(state: State, value_function: KnatschValueFunction) -> list[TargetAdvice]:
    """Every legal target of the player on turn, the best first; () unless they are choosing one."""
    if not state.choosing:
        return []
    places = [place for place in state.places() if capture_refusal(state, place) is None]
    found = [target(state, place, value_function) for place in places]
    again = [replace(one, gain=one.gain + _further(state, found, one, value_function)) for one in found]
    return sorted(again, key=lambda one: -one.value)


def target(state: State, place: Place, value_function: KnatschValueFunction) -> TargetAdvice:
    """The advice on one target, without the value of a further attempt."""
    return TargetAdvice(place, chance(state, place), *gain_and_risk(state, place, value_function))


def gain_and_risk(state: State, place: Place, value_function: KnatschValueFunction) -> tuple[float, float]:
    """Win probability that the card there adds for the player on turn, and what failing costs."""
    me, following = SEATS.index(state.turn), (SEATS.index(state.turn) + 1) % state.players
    now = value_function.chances(state.seated, following)[me]
    card = state.card_at(place)
    if isinstance(place, TheKing):
        return 1 - now, _revenge(state, value_function, now)
    if card is None:
        return 0.0, 0.0
    after = value_function.chances(_moved(state, me, place, card), following)[me]
    risk = 0.0
    if card.id == "tournament":
        others = [seat for seat in range(state.players) if seat != me]
        left = [value_function.chances(_moved(state, seat, place, card), following)[me] for seat in others]
        risk = max(0.0, now - sum(left) / len(left))
    return after - now, risk


def stake(state: State, value_function: KnatschValueFunction) -> float:
    """Win probability at stake for the rolling player: with success minus without."""
    running = state.attempt
    assert running is not None
    if running.seat == state.turn:
        return sum(gain_and_risk(state, running.place, value_function))
    me, following = SEATS.index(running.seat), (SEATS.index(state.turn) + 1) % state.players
    card = state.card_at(running.place)
    assert card is not None
    assert running.leader is not None
    lost = value_function.chances(_moved(state, SEATS.index(running.leader), running.place, card), following)[me]
    if isinstance(running.place, Held):  # its owner defends it
        return value_function.chances(state.seated, following)[me] - lost
    return value_function.chances(_moved(state, me, running.place, card), following)[me] - lost


def _moved(state: State, seat: int, place: Place, card: Card) -> tuple[Player, ...]:
    """Everyone's cards after this one has gone to `seat`."""
    seated = list(state.seated)
    if isinstance(place, Held):
        owner = SEATS.index(place.seat)
        rest = tuple(own for own in seated[owner].cards if own.id != card.id)
        seated[owner] = replace(seated[owner], cards=rest)
    seated[seat] = replace(seated[seat], cards=(*seated[seat].cards, card))
    return tuple(seated)


def _revenge(state: State, value_function: KnatschValueFunction, now: float) -> float:
    """Win probability that losing a castle to the King costs; 0 with the Protection."""
    me = SEATS.index(state.turn)
    own = state.seated[me]
    if own.has("protection") or not own.castles:
        return 0.0
    fewer = replace(own, cards=tuple(card for card in own.cards if card.id != own.castles[-1]))
    seated = (*state.seated[:me], fewer, *state.seated[me + 1 :])
    return max(0.0, now - value_function.chances(seated, (me + 1) % state.players)[me])


def _further(state: State, found: list[TargetAdvice], one: TargetAdvice, value_function: KnatschValueFunction) -> float:
    """The value of the further attempt that a special card from a stack gives: the best of the other targets except
    the King (K7), or of the card that comes up."""
    card = state.card_at(one.place)
    if not isinstance(one.place, Top) or card is None or not is_special(card.id):
        return 0.0
    others = (other.value for other in found if other.place not in (one.place, TheKing()))
    return best_of(coming_up(state, one.place.side, value_function), max(0.0, max(others, default=0.0)))


@lru_cache(maxsize=64)  # the advice and its explanation ask for the same values
def coming_up(state: State, side: Side, value_function: KnatschValueFunction) -> Sequence[tuple[int, float]]:
    """For every card that may be below the top of a stack: how likely (as a count), and the value of an attempt at
    it."""
    below = state.stack(side)[1:]
    if not below:
        return []
    cards = state.unseen if below[0] is None else [(below[0], 1)]
    return [(count, _value_on_top(state, side, card, value_function)) for card, count in cards]


def best_of(coming: Sequence[tuple[int, float]], other: float) -> float:
    """Expected value of the better of a card that comes up and another choice."""
    total = sum(count for count, _ in coming)
    return sum(count * max(other, value) for count, value in coming) / total if total else other


def _value_on_top(state: State, side: Side, card: Card, value_function: KnatschValueFunction) -> float:
    if not state.capturable(card):
        return 0.0
    left, right = state.stacks
    stack = (card, *state.stack(side)[2:])
    state = replace(state, stacks=(stack, right) if side == SIDES[0] else (left, stack))
    return max(0.0, target(state, Top(side), value_function).value)


def chance(state: State, place: Place) -> float | None:
    """The probability of getting the card before the first throw, including defence and rivals."""
    target = state.to_beat(place)
    if target is None:
        return None
    throws, own = state.throws_for(place, state.turn), state.player(state.turn).dice_cards
    if _is_tournament(state, place):
        return organise(own, challengers(state, place, state.turn), throws)
    if isinstance(place, Held) and is_castle(place.card):
        return attack(target, own, Thrower(state.player(place.seat).dice_cards, THROWS), throws)
    return float(beat(target, throws, None, own))


def ways_to_go_on(state: State) -> list[Way]:
    """Ways to continue the current attempt (dice to keep), best first, with the probability of success; empty before
    the first throw."""
    running = state.attempt
    if running is None or running.dice is None or running.kept is not None:
        return []
    payoff = running_payoff(state)
    return [] if payoff is None else ways(payoff, running.throws, running.dice)


def running_payoff(state: State) -> Values | None:
    """The probability of success of the rolling player for each of the 462 final results; None while the combination
    is unknown."""
    running = state.attempt
    assert running is not None
    own = state.player(running.seat).dice_cards
    if _is_tournament(state, running.place):
        rivals = challengers(state, running.place, running.seat)
        return contestant_payoff(running.leading, own, rivals) if running.leader else organiser_payoff(own, rivals)
    if running.leader is not None:  # the owner defends
        return beat_payoff(running.leading, own)
    return _first_payoff(state, running.place)


def defence(state: State) -> float | None:
    """The probability of defending the castle under attack; None if none is. Defending costs nothing, so do it
    unless this is 0."""
    running = state.attempt
    if running is None or running.leader is None or _is_tournament(state, running.place) or running.dice is not None:
        return None
    return float(beat(running.leading, THROWS, None, state.player(running.seat).dice_cards))


def _first_payoff(state: State, place: Place) -> Values | None:
    """The value of each result of the attempt of the player on turn; None while the combination is unknown."""
    target = state.to_beat(place)
    own = state.player(state.turn).dice_cards
    if target is None:
        return None
    if _is_tournament(state, place):
        return organiser_payoff(own, challengers(state, place, state.turn))
    if isinstance(place, Held) and is_castle(place.card):
        return contestant_payoff(target, own, (Thrower(state.player(place.seat).dice_cards, THROWS),))
    return beat_payoff(target, own)


def _is_tournament(state: State, place: Place) -> bool:
    card = state.card_at(place)
    return card is not None and card.id == "tournament"


def challengers(state: State, place: Place, after: str) -> tuple[Thrower, ...]:
    """The players who still roll in a tournament after this seat, in order."""
    here, end = SEATS.index(after), SEATS.index(state.turn)
    seats = [state.seats[(here + step) % state.players] for step in range(1, (end - here - 1) % state.players + 1)]
    return tuple(Thrower(state.player(seat).dice_cards, state.throws_for(place, seat)) for seat in seats)
