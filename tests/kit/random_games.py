"""Random games of Um Krone und Kragen as records, with players who use their cards.

The players are simple but finish: they keep the most equal dice and buy the dearest card they can.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.dice import Faces, best_group, faces, parts
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use, event_text
from engine.krone.rules import can, play
from engine.krone.state import RULESETS, State, new_game

Cards = frozenset[str]
ALL: Cards = frozenset(CARDS)
PLAIN: Cards = frozenset({"laborer", "guard", "hunter", "pawnbroker", "knight", "bishop"})  # all have different effects
USE = 0.6  # probability that a usable card is used


def random_turns(
    seed: int, players: int, ruleset: str = "amigo2006", most: int = 60, only: Cards = ALL
) -> Iterator[tuple[State, list[str]]]:
    """Yields each turn of a game: the position before it, and its lines. Ends with the game, or after `most` turns.

    Args:
        only: The cards that are used; none of them before a first roll, unless it contains all cards.
    """
    rng = random.Random(seed)
    state = new_game(players, RULESETS[ruleset])
    for _ in range(most):
        if state.finished:
            return
        begun, lines = state, []
        seat = state.seat
        for event in _Turn(rng, state, only).play():
            lines.append(f"{seat} {event_text(event)}")
            state = play(state, seat, event)
        yield begun, lines


class _Turn:
    """One turn while it is played; `state` is the position after the events so far."""

    def __init__(self, rng: random.Random, state: State, only: Cards) -> None:
        self.rng, self.state, self.only = rng, state, only

    def play(self) -> Iterator[Event]:
        """Plays from the first roll to the purchase."""
        rng = self.rng
        if self.only == ALL and self.state.rules.early_cards and rng.random() < 0.02:
            yield from self._add()
        yield self._do(Roll(_thrown(rng, self.state.turn.hand)))
        while self.state.turn.active:
            for use in _uses(rng, self.state, self.only):
                yield self._do(use)
            yield from self._set_aside()
            if not self.state.turn.active and rng.random() < 0.3:
                yield from self._add()
            if self.state.turn.active:
                if rng.random() < 0.12:
                    yield self._do(Keep(self.state.turn.active))
                elif not self.state.turn.duty:
                    yield self._do(Roll(_thrown(rng, len(self.state.turn.active))))
        yield _purchase(self.state)

    def _set_aside(self) -> Iterator[Event]:
        """Sets some dice aside, sometimes in several steps with cards in between."""
        kept = _kept(self.rng, self.state)
        while self.rng.random() < 0.25 and len(kept) > 1:
            first, kept = kept[:1], kept[1:]
            yield self._do(Keep(first))
            for use in _uses(self.rng, self.state, self.only):
                if all(face in self.state.turn.active for face in use.before):
                    yield self._do(use)
            kept = tuple(face for face in kept if face in self.state.turn.active)
            kept = _contained(kept, self.state.turn.active)
        if kept:
            yield self._do(Keep(kept))

    def _add(self) -> Iterator[Event]:
        """Uses a card that adds a die, if there is one."""
        for use in _adders(self.rng, self.state, self.only)[:1]:
            yield self._do(use)

    def _do(self, event: Event) -> Event:
        self.state = play(self.state, self.state.seat, event)
        return event


def _thrown(rng: random.Random, count: int) -> Faces:
    return faces(rng.randint(1, 6) for _ in range(count))


def _contained(wanted: Faces, pool: Faces) -> Faces:
    left, found = list(pool), []
    for face in wanted:
        if face in left:
            left.remove(face)
            found.append(face)
    return tuple(found)


def _own(state: State, only: Cards, *abilities: str) -> list[str]:
    own = state.tableau(state.seat)
    return sorted(
        {c for c in own if CARDS[c].ability in abilities and c in only and c not in state.turn.used},
        key=ORDER.__getitem__,
    )


def _adders(rng: random.Random, state: State, only: Cards) -> list[Use]:
    cards = [card for card in _own(state, only, "add") if rng.random() < USE]
    uses = [Use(card, (), (rng.randint(1, 6),) if card == "queen" else ()) for card in cards]
    room = 99 if state.rules.dice is None else state.rules.dice - state.turn.dice
    return uses[: max(0, room)]


def _uses(rng: random.Random, state: State, only: Cards) -> Iterator[Use]:
    """Cards used now, each legal after the ones before it."""
    cards = _own(state, only, "add", "change", "reroll")
    rng.shuffle(cards)
    for card in cards:
        if rng.random() > USE / 2:
            continue
        use = _one_use(rng, state, card)
        if use is not None:
            yield use
            state = play(state, state.seat, use)


def _one_use(rng: random.Random, state: State, card: str) -> Use | None:
    active = state.turn.active
    if CARDS[card].ability == "add":
        use = Use(card, (), (rng.randint(1, 6),) if card == "queen" else ())
        return use if can(state, state.seat, use) else None
    if card in ("fool", "merchant") and len(active) == 1 and not state.turn.duty:
        return None  # players use no card for the effect of a normal roll
    if card == "fool" and active:
        return Use(card, (rng.choice(active),), (rng.randint(1, 6),))
    if card == "merchant" and active:
        dice = rng.choice(parts(active)[1:] if state.turn.duty else parts(active)[1:-1])
        return Use(card, dice, _thrown(rng, len(dice)))
    for _ in range(12):
        size = rng.randint(1, min(3, len(active))) if active else 0
        before = tuple(sorted(rng.sample(active, size)))
        after = _thrown(rng, size)
        if card in ("noblewoman", "nobleman"):
            after = tuple(min(6, face + (1 if card == "noblewoman" else 2)) for face in before)
        use = Use(card, before, after)
        if size and not set(before) & set(after) and can(state, state.seat, use):
            return use
    return None


def _kept(rng: random.Random, state: State) -> Faces:
    active = state.turn.active
    if rng.random() < 0.1:
        return tuple(sorted(rng.sample(active, rng.randint(1, len(active)))))
    _, face = best_group(state.turn.kept + active)
    group = tuple(die for die in active if die == face)
    return group or (active[-1],)


def _purchase(state: State) -> Event:
    if state.final:
        return Pass()
    choice = [card for card in state.purchases() if card != "charlatan"]
    if not choice:
        return Pass()
    return Buy(max(choice, key=ORDER.__getitem__))
