"""The engine against a second, plain implementation of the whole game: same moves allowed, same position after each."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.krone.events import Use, event_text
from engine.krone.position import read_position
from engine.krone.rules import can, play
from engine.krone.state import RULESETS
from tests.engine.both_krones import same
from tests.engine.krone_players import random_game
from tests.engine.plain_krone import PlainTable
from tests.engine.positions import mutated
from tests.referee.plain_table import tried


@pytest.mark.parametrize("seed", range(14))
def test_the_engine_agrees_with_a_plain_second_implementation(seed: int) -> None:
    random = Random(1000 + seed)
    players, ruleset = random.randint(2, 5), random.choice(sorted(RULESETS))
    box = random.choice([12, 12, 8, None])
    line = random_game(random, players, replace(RULESETS[ruleset], dice=box), limit=500)
    table = PlainTable(players, ruleset == "riogrande2007", box)
    for state, seat, event in line:
        same(state, table)
        for _ in range(3):
            odd_seat, odd_event = mutated(random, seat, event)
            text = f"{odd_seat} {event_text(odd_event)}"
            if "?" in text or text.endswith(("roll ", "keep ", "> ")):
                continue
            allowed = odd_seat in state.seats and can(state, odd_seat, odd_event)
            after = tried(table, text)
            assert (after is not None) == allowed, (text, state)
            if after is not None:
                same(play(state, odd_seat, odd_event), after)
        table.line(f"{seat} {event_text(event)}")
    same(play(*line[-1]), table)


EVERY_CHANGE = [
    "fool",
    "maid",
    "philosopher",
    "astronomer",
    "merchant",
    "noblewoman",
    "magician",
    "alchemist",
    "nobleman",
]


@pytest.mark.parametrize("card", EVERY_CHANGE)
def test_uses_of_every_card_against_the_plain_implementation(card: str) -> None:
    random = Random(card)
    accepted = 0
    for _ in range(500):
        active = [random.randint(1, 6) for _ in range(random.randint(2, 5))]
        kept = [random.randint(1, 6) for _ in range(2)]
        table = PlainTable(2, False, None)
        table.cards[0] = [card] + ["charlatan"] * (len(active) - 1)
        table.thrown, table.active, table.kept, table.hand = True, active, kept, 0
        state = read_position(
            f"dice none; A {' '.join(table.cards[0])}; B -; display fool 0; "
            f"active {' '.join(map(str, active))}; kept {' '.join(map(str, kept))}"
        )
        before = random.sample(active, random.randint(1, min(3, len(active))))
        after = random.choice(
            [
                [random.randint(1, 6) for _ in before],
                [die + random.randint(0, 2) for die in before],
                random.sample(kept, 1),
                [
                    die + move
                    for die, move in zip(
                        before, random.choice(((1, -1), (2, -2), (1, -2, 1), (-1, 2, -1))), strict=False
                    )
                ],
            ]
        )
        if not 1 <= min(after) <= max(after) <= 6:
            continue
        event = Use(card, tuple(before), tuple(after))
        after_use = tried(table, f"A {event_text(event)}")
        assert (after_use is not None) == can(state, "A", event), (event, state)
        if after_use is not None:
            accepted += 1
            assert play(state, "A", event).turn.active == tuple(sorted(after_use.active))
    assert accepted > 10
