"""Random games of Knatsch: legal events drawn without listing all of them, so that thousands of games can be played."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import BOX, Deck, is_castle, read_deck
from engine.knatsch.events import (
    SIDES,
    Deal,
    Event,
    Guard,
    Held,
    Keep,
    Learn,
    Lose,
    Pass,
    Reveal,
    Roll,
    Stop,
    Target,
    TheKing,
    Under,
)
from engine.knatsch.game import can, play
from engine.knatsch.state import State, new_game
from engine.knatsch.targets import capture_refusal

# A small deck whose combinations are partly known, so that cards are sometimes ambiguous.
STACKED = read_deck(
    "2*castle-red=3-3-3+2 castle-red castle-blue=4-4-4+2 castle-blue=1-1-1+1 2*castle-green castle-yellow castle-black "
    "castle-white 3*tournament dice-1=1-1-1+1 dice-1 dice-5 catapult champion stack castle-guard=2-2-2+1 special-guard "
    "betrayal protection king=5-5-5+5"
)


def drawn(chance: random.Random, state: State) -> tuple[str, Event]:
    """A random legal event of the position, the likelier ones more often."""
    if state.guarding and chance.random() < 0.3:
        guard = _guard(chance, state, state.guarding)
        if can(state, state.guarding, guard):
            return state.guarding, guard
    while True:
        event = _tried(chance, state)
        if can(state, state.seat, event):
            return state.seat, event


def _tried(chance: random.Random, state: State) -> Event:
    if state.dealing:
        return Deal(chance.choice(state.deck.crests), chance.choice((None, *EVERY_PRINTED)))
    hidden = [side for side in SIDES if state.hidden(side)]
    if hidden and chance.random() < 0.7:
        card = chance.choice(state.unseen)[0]
        shows = card.shows or (None if card.id == "tournament" else chance.choice((None, *EVERY_PRINTED)))
        return Reveal(chance.choice(hidden), card.id, shows)
    if state.king is None and chance.random() < 0.05:
        return Learn(TheKing(), chance.choice(EVERY_PRINTED))
    attempt = state.attempt
    if attempt:
        if attempt.to_roll:
            declined = attempt.dice is None and attempt.seat != state.turn and chance.random() < 0.1
            return Pass() if declined else Roll(tuple(chance.randint(1, 6) for _ in range(attempt.to_roll)))
        dice = [face for face in attempt.dice or () if face != 6]
        most = max(dice, key=lambda face: (dice.count(face), face))
        keep = [face for face in dice if face == most or chance.random() < 0.2]
        return Stop() if chance.random() < 0.2 else Keep(tuple(keep))
    if state.revenge:
        return Lose(chance.choice(state.player(state.turn).castles), chance.choice(SIDES))
    return _chosen(chance, state)


def _chosen(chance: random.Random, state: State) -> Event:
    draw = chance.random()
    if draw < 0.1:
        return Under(chance.choice(SIDES))
    if draw < 0.2:
        return _guard(chance, state, state.turn)
    if draw < 0.25:
        return Pass()
    places = [place for place in state.places() if capture_refusal(state, place) is None]
    if not places:
        given_up: tuple[Event, ...] = (Pass(), Under("left"), Under("right"))
        return chance.choice(given_up)
    place = chance.choice(places)
    return Target(place) if state.to_beat(place) is not None else Learn(place, chance.choice(EVERY_PRINTED))


def _guard(chance: random.Random, state: State, seat: str) -> Guard:
    player = state.player(seat)
    if chance.random() < 0.6:
        castles = player.castles
        return Guard(tuple(chance.sample(castles, min(len(castles), chance.randint(1, 2)))))
    return Guard((chance.choice([card.id for card in player.cards if not is_castle(card.id)] or ["stack"]),))


def game(chance: random.Random, players: int, deck: Deck = BOX, most: int = 5000) -> Iterator[tuple[State, str, Event]]:
    """Yields (position, event) of a random game until the game is won or `most` events are played."""
    state = new_game(players, deck)
    for _ in range(most):
        if state.finished:
            break
        seat, event = drawn(chance, state)
        yield state, seat, event
        state = play(state, seat, event)


KINDS = ("deal", "choose", "again", "guarding", "throw", "keep", "defend", "tournament", "revenge", "over")


def kind(state: State) -> str:
    """The phase of this position, one of KINDS."""
    if state.finished:
        return "over"
    if state.dealing or state.revenge:
        return "deal" if state.dealing else "revenge"
    attempt = state.attempt
    if attempt is None:
        return "guarding" if state.guarding else "again" if state.attempted else "choose"
    if attempt.seat != state.turn:
        return "defend" if isinstance(attempt.place, Held) else "tournament"
    return "throw" if attempt.to_roll else "keep"


def states_of_every_kind(chance: random.Random, number: int) -> Iterator[tuple[str, State]]:
    """`number` positions of each kind, from as many random games of both decks as necessary."""
    missing = dict.fromkeys(KINDS, number)
    while any(missing.values()):
        played = list(game(chance, chance.randint(2, 6), chance.choice((BOX, STACKED))))
        last = play(*played[-1])
        for state in chance.sample([*(state for state, _, _ in played), last], len(played) // 2):
            found = kind(state)
            if missing[found] and chance.random() < 0.5:
                missing[found] -= 1
                yield found, state
