"""Advice for the acting player in Knatsch: which card to attack, what to keep, whether to defend, which card to put
under its stack, where to place the guards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from engine.dice import faces
from engine.knatsch.advice.odds import attempt, contestant_payoff
from engine.knatsch.advice.targets import (
    TargetAdvice,
    best_of,
    challengers,
    chance,
    coming_up,
    defence,
    targets,
    ways_to_go_on,
)
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.events import SIDES, Event, Guard, Keep, Lose, Pass, Side, Stop, Target, Top, Under
from engine.knatsch.rules import can
from engine.knatsch.state import State
from engine.registry import SEATS

_ENOUGH_BETTER = 1.1  # a card is put under only if this many times the visible value is expected below it


@dataclass(frozen=True, slots=True)
class Advice:
    """The best event for the acting seat.

    Attributes:
        event: None for a roll, whose result is not a choice.
        chance: Probability that the current or advised attempt succeeds; None without one.
        win_chance: Win probability of this seat now.
        success: The same after capturing the card; None without a target.
    """

    seat: str
    event: Event | None
    chance: float | None
    win_chance: float
    success: float | None = None


def advise(state: State, value_function: KnatschValueFunction) -> Advice | None:
    """The advice for the state; None while castles are dealt, a card must be revealed first, or the game is over."""
    if state.finished or state.dealing:
        return None
    now = value_function.of(state)[SEATS.index(state.seat)]
    if state.attempt is not None:
        return _thrower(state, now)
    if state.revenge:
        return Advice(state.seat, _cheapest_castle(state), None, now)
    if any(state.hidden(side) for side in SIDES):
        return None
    guard = _guard(state)
    if guard is not None:
        return Advice(state.seat, guard, None, now)
    found = [one for one in targets(state, value_function) if one.chance is not None]
    under = _better_under(state, found, value_function)
    if under is not None:
        return Advice(state.seat, Under(under), None, now)
    may_pass = can(state, state.turn, Pass())
    if found and not (found[0].value <= 0 and may_pass):
        success = min(1.0, now + found[0].gain)
        return Advice(state.seat, Target(found[0].place), found[0].chance, now, success)
    return Advice(state.seat, Pass(), None, now) if may_pass else None


def _thrower(state: State, now: float) -> Advice:
    """Advice during an attempt: roll, or choose what stays."""
    running = state.attempt
    assert running is not None
    if running.dice is None:
        held = defence(state)
        if held is None and running.seat != state.turn:  # another player leads the tournament
            rivals = challengers(state, running.place, running.seat)
            own = state.player(running.seat).dice_cards
            held = attempt(contestant_payoff(running.leading, own, rivals), running.throws)
        return Advice(state.seat, None, chance(state, running.place) if held is None else held, now)
    ways = ways_to_go_on(state)
    if not ways:
        return Advice(state.seat, None, None, now)
    best = ways[0]
    event: Event = Keep(faces(best.keep)) if best.thrown else Stop()
    return Advice(state.seat, event, best.chance, now)


def _cheapest_castle(state: State) -> Event:
    """The stack for a castle lost to the King, and the castle: the weakest one is won back most easily, and under
    the shorter stack it comes up sooner."""
    side: Side = min((side for side in SIDES if state.stack(side)), key=lambda s: len(state.stack(s)), default="left")
    own = [card for card in state.player(state.turn).cards if is_castle(card.id)]
    return Lose(min(own, key=lambda card: card.shows or (0, 0, 0)).id, side)


def _guard(state: State) -> Guard | None:
    """The cards to guard: as many castles as possible with the Castle Guard, one special card with the other."""
    player = state.player(state.turn)
    found: list[Guard] = []
    if player.has("castle-guard") and len(player.guarded_castles) < min(2, len(player.castles)):
        found += map(Guard, combinations(player.castles, min(2, len(player.castles))))
    if player.has("special-guard") and player.guarded_special is None:
        others = [card.id for card in player.cards if is_special(card.id) and card.id != "special-guard"]
        found += [Guard((card,)) for card in sorted(others, key=lambda card: not card.startswith("dice-"))]
    return next((guard for guard in found if can(state, state.turn, guard)), None)


def _better_under(state: State, found: list[TargetAdvice], value_function: KnatschValueFunction) -> Side | None:
    """The stack whose top should go under, if what comes up instead promises more than the best visible card."""
    values = {one.place: max(0.0, one.value) for one in found}
    best = max(values.values(), default=0.0)
    promising: dict[Side, float] = {}
    for side in SIDES:
        if can(state, state.turn, Under(side)):
            other = max((value for place, value in values.items() if place != Top(side)), default=0.0)
            promising[side] = best_of(coming_up(state, side, value_function), other)
    if not promising:
        return None
    side = max(promising, key=lambda side: promising[side])
    return side if promising[side] > best * _ENOUGH_BETTER or not found else None
