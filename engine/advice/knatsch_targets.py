"""Which card to go for: the chance of every target and what it is worth; what to keep for the running attempt;
whether to defend.

Chances are exact for best play (see `knatsch_odds`). Worth is a rule of thumb, from 0 to 1 = wins the game: how
much nearer the card brings one of the three goals, counted in cards still missing, and half of what it takes from
its owner. A special card counts what it adds to later throws: a dice card the chance it adds against a middling
combination, an extra throw likewise, the others by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.advice.knatsch_odds import (
    Thrower,
    Way,
    attack_payoff,
    attempt,
    beat,
    beat_payoff,
    contestant_payoff,
    organiser_payoff,
    ways,
    ways_to_beat,
)
from engine.advice.knatsch_throws import Values
from engine.knatsch.combination import Combination
from engine.knatsch.deck import Card, is_castle
from engine.knatsch.events import Held, Place, TheKing, Top
from engine.knatsch.state import SEATS, THROWS, Player, State
from engine.knatsch.targets import capture_refusal

MIDDLING = Combination(3, 3, 3)
LATER = 0.25  # a card that only helps later throws counts this share of the chance it adds
BY_HAND = {"stack": 0.04, "castle-guard": 0.06, "special-guard": 0.02, "betrayal": 0.06, "protection": 0.03}


@dataclass(frozen=True, slots=True)
class TargetAdvice:
    """A legal target. chance: to get the card, None while it is not known what it shows; worth: of having it."""

    place: Place
    chance: float | None
    worth: float

    @property
    def value(self) -> float:
        return (self.chance or 0.0) * self.worth


def targets(state: State) -> list[TargetAdvice]:
    """Every target the player on turn may name, the best first; () unless she is choosing one."""
    if not state.choosing:
        return []
    found = [
        TargetAdvice(place, chance(state, place), worth(state, place))
        for place in state.places()
        if capture_refusal(state, place) is None
    ]
    return sorted(found, key=lambda one: -one.value)


def chance(state: State, place: Place) -> float | None:
    """The chance to get it, defence and rivals included, before the first throw."""
    payoff = _first_payoff(state, place)
    return None if payoff is None else attempt(payoff, state.throws_for(place, state.turn))


def ways_to_go_on(state: State) -> list[Way]:
    """What to keep in the running attempt, best first, with the chance of success; empty while nothing lies there."""
    running = state.attempt
    if running is None or running.dice is None or running.kept is not None:
        return []
    own = state.player(running.seat).dice_cards
    payoff: Values | None
    if _is_tournament(state, running.place):
        rivals = _challengers(state, running.place, running.seat)
        payoff = contestant_payoff(running.leading, own, rivals) if running.leader else organiser_payoff(own, rivals)
    elif running.leader is not None:  # the owner defends
        return ways_to_beat(running.leading, running.throws, running.dice, own)
    else:
        payoff = _first_payoff(state, running.place)
    return [] if payoff is None else ways(payoff, running.throws, running.dice)


def defence(state: State) -> float | None:
    """The chance to defend the castle under attack, None when none is. Defending costs nothing: do it unless it is
    0.
    """
    running = state.attempt
    if running is None or running.leader is None or _is_tournament(state, running.place) or running.dice is not None:
        return None
    return float(beat(running.leading, THROWS, None, state.player(running.seat).dice_cards))


def _first_payoff(state: State, place: Place) -> Values | None:
    """What each throw of the attempt of the player on turn is worth, None while its combination is not known."""
    target = state.to_beat(place)
    own = state.player(state.turn).dice_cards
    if target is None:
        return None
    if _is_tournament(state, place):
        return organiser_payoff(own, _challengers(state, place, state.turn))
    if isinstance(place, Held) and is_castle(place.card):
        return attack_payoff(target, own, Thrower(state.player(place.seat).dice_cards, THROWS))
    return beat_payoff(target, own)


def _is_tournament(state: State, place: Place) -> bool:
    card = state.card_at(place)
    return card is not None and card.id == "tournament"


def _challengers(state: State, place: Place, after: str) -> tuple[Thrower, ...]:
    """Who still throws in a tournament after this seat, in order."""
    here, end = SEATS.index(after), SEATS.index(state.turn)
    seats = [state.seats[(here + step) % state.players] for step in range(1, (end - here - 1) % state.players + 1)]
    return tuple(Thrower(state.player(seat).dice_cards, state.throws_for(place, seat)) for seat in seats)


def missing(player: Player) -> int:
    """Cards (the King counts as one) still missing to the nearest goal."""
    castles = len(player.castles)
    return min(4 - castles, max(0, 3 - castles) + 1, max(0, 2 - castles) + max(0, 3 - player.tournaments))


def worth(state: State, place: Place) -> float:
    """What it is worth to have it, 0 to 1."""
    if isinstance(place, TheKing):
        return 1.0
    card = state.card_at(place)
    if card is None:
        return 0.0
    own = state.player(state.turn)
    gain = _nearer(own, replace(own, cards=(*own.cards, card))) + _help(card)
    if isinstance(place, Held):
        owner = state.player(place.seat)
        without = replace(owner, cards=tuple(one for one in owner.cards if one.id != card.id))
        gain += (_nearer(without, owner) + _help(card)) / 2
    elif isinstance(place, Top) and card.id not in state.deck.crests and card.id != "tournament":
        gain += 0.08  # another attempt
    return min(1.0, gain)


def _nearer(before: Player, after: Player) -> float:
    return 1 / (1 + missing(after)) - 1 / (1 + missing(before))


def _help(card: Card) -> float:
    """What a special card adds to later throws."""
    if card.id.startswith("dice-"):
        return LATER * float(beat(MIDDLING, THROWS, None, (int(card.id[-1]),)) - beat(MIDDLING, THROWS))
    if card.id in ("catapult", "champion"):
        return LATER / 2 * float(beat(MIDDLING, THROWS + 1) - beat(MIDDLING, THROWS))
    return BY_HAND.get(card.id, 0.0)
