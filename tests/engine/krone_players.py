"""A random player of Um Krone und Kragen for tests that uses only the public rules."""

from __future__ import annotations

from random import Random

from engine.dice import Faces, parts, rolls
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import can, play
from engine.krone.state import Rules, State, new_game


def random_game(random: Random, players: int, rules: Rules, limit: int) -> list[tuple[State, str, Event]]:
    """(position, seat, event) of a game in which players collect equal dice, use cards and sometimes forget
    purchases."""
    state = new_game(players, rules)
    line: list[tuple[State, str, Event]] = []
    while not state.finished and len(line) < limit:
        seat, event = choice(random, state)
        line.append((state, seat, event))
        state = play(state, seat, event)
    return line


def choice(random: Random, state: State) -> tuple[str, Event]:
    """A legal move. Raises AssertionError if none of the usual moves is legal, so a game that is stuck is noticed."""
    turn = state.turn
    proposed: list[tuple[str, Event]] = []
    if turn.over and not state.final:
        bought = sorted(state.purchases(), key=list(CARDS).index)
        if bought and random.random() < 0.97:
            proposed.append((state.seat, Buy(bought[-1] if random.random() < 0.8 else random.choice(bought))))
        proposed += [(seat, Roll(thrown(random, dice))) for seat in state.seats for dice in range(3, 13)]
    if turn.over or (state.final and not turn.rolled and random.random() < 0.2):
        proposed.append((state.seat, Pass()))
    if turn.active:
        best = max(set(turn.active), key=lambda face: ((turn.kept + turn.active).count(face), face))
        proposed.append((state.seat, Keep((best,) * turn.active.count(best))))
        if random.random() < 0.15:
            proposed.insert(0, (state.seat, Keep(random.choice(parts(turn.active)[1:]))))
    if state.to_roll and (turn.kept or not turn.rolled):
        proposed.insert(0, (state.seat, Roll(thrown(random, state.to_roll))))
    if random.random() < 0.6:
        proposed = [(state.seat, use) for use in some_uses(random, state)] + proposed
    for move in proposed:
        if can(state, *move):
            return move
    raise AssertionError(f"no move found in {state}")


def thrown(random: Random, dice: int) -> Faces:
    """A roll; one in three has unusually many equal dice, so that games end."""
    if random.random() < 0.3:
        return tuple([random.randint(1, 6)] * dice)
    return tuple(random.randint(1, 6) for _ in range(dice))


def some_uses(random: Random, state: State) -> list[Use]:
    """A few well-formed uses of own cards."""
    active = state.turn.active
    found = []
    for card in random.sample(state.tableau(state.seat), len(state.tableau(state.seat))):
        if CARDS[card].ability == "add":
            found.append(Use(card, (), (random.randint(1, 6),) if card == "queen" else ()))
        elif active:
            before = random.choice(parts(active)[1:])
            if card in ("noblewoman", "nobleman"):
                after = tuple(die + (1 if card == "noblewoman" else 2) for die in before)
                found += [Use(card, before, after)] if after[-1] <= 6 else []
            else:
                found.append(Use(card, before, random.choice(rolls(len(before)))))
    return found
