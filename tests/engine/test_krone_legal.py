"""What `legal` lists is exactly what `play` accepts, for every event of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.dice import rolls
from engine.errors import Unreadable
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use, event_text
from engine.krone.legal import AnyRoll, legal
from engine.krone.rules import can
from engine.krone.state import RULESETS, State
from tests.engine.krone_players import random_game
from tests.engine.krone_refusals import accepts, every_move
from tests.engine.krone_table import after, at
from tests.engine.positions import POSITIONS, mutated

pytestmark = pytest.mark.slow

# Maximum number of dice that a use of these cards names. With all cards, uses of up to two dice are tried.
MOST = {"philosopher": 3, "alchemist": 4, "merchant": 5, "noblewoman": 5, "nobleman": 5}


def vocabulary(state: State) -> Iterator[tuple[str, Event]]:
    """Every event that has a text, with up to one die more than the table has or the card may name."""
    few, two = ([dice for count in range(most + 1) for dice in rolls(count, unread=True)] for most in (1, 2))
    for seat in state.seats:
        yield seat, Pass()
        named = two if seat == state.seat else few
        for card in CARDS:
            yield seat, Buy(card)
            for before in named:
                yield from ((seat, Use(card, before, after_)) for after_ in named)
        for count in range(max(state.to_roll, 4) + 2):
            for dice in rolls(count, unread=True):
                yield seat, Roll(dice)
                yield seat, Keep(dice)
    for card in set(state.tableau(state.seat)) & set(MOST):
        for count in range(3, min(MOST[card], len(state.turn.active) + 1) + 1):
            for before in rolls(count):
                yield from ((state.seat, Use(card, before, after_)) for after_ in rolls(count))


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_lists_exactly_the_events_that_play_accepts(name: str) -> None:
    state = at(POSITIONS[name])
    listed = list(every_move(legal(state, unread=True)))
    assert len(listed) == len(set(listed))
    assert all(can(state, *move) for move in listed)
    accepted = {move for move in vocabulary(state) if can(state, *move)}
    assert accepted <= set(listed)
    read = [(seat, event) for seat, event in listed if "?" not in event_text(event)]
    if "?" not in POSITIONS[name]:
        assert set(every_move(legal(state))) == set(read)


@pytest.mark.parametrize("seed", range(12))
def test_legal_agrees_with_play_on_mutated_moves_of_random_games(seed: int) -> None:
    random = Random(seed)
    line = random_game(random, random.randint(2, 5), random.choice(list(RULESETS.values())), 250)
    for state, seat, event in random.sample(line, min(len(line), 12)):
        moves = legal(state, unread=True)
        assert accepts(moves, seat, event)
        some = random.sample(moves, min(len(moves), 25))
        tried = [move if not isinstance(move, AnyRoll) else next(iter(move)) for move in some] + [(seat, event)] * 5
        for tried_seat, tried_event in tried:
            seat_, event_ = mutated(random, tried_seat, tried_event)
            legal_here = can(state, seat_, event_) if seat_ in state.seats else False
            assert accepts(moves, seat_, event_) == legal_here, (state, seat_, event_)


def test_more_than_five_dice_come_as_a_pattern() -> None:
    state = at("A farmer general; B -")
    (pattern,) = legal(state)
    assert isinstance(pattern, AnyRoll)
    assert ("A", Roll((1, 2, 3, 4, 5, 6))) in pattern
    assert ("A", Roll((1, 2, 3, 4, 5))) not in pattern
    assert ("B", Roll((1, 2, 3, 4, 5, 6))) not in pattern
    assert ("A", Roll((0, 2, 3, 4, 5, 6))) not in pattern
    assert ("A", Roll((0, 2, 3, 4, 5, 6))) in legal(state, unread=True)[0]
    state = after("A farmer general merchant; B -", "A roll 1 2 3 4 5 6")
    (again,) = (move for move in legal(state) if isinstance(move, AnyRoll))
    assert ("A", Use("merchant", (1, 6), (1, 1))) in again
    assert ("A", Use("merchant", (1, 1), (1, 1))) not in again
    assert len(list(again)) > 5_000


def test_a_die_of_seven_has_no_event() -> None:
    for dice in ((7,), (-1,), (1, 2, 9)):
        with pytest.raises(Unreadable):
            Roll(dice)
