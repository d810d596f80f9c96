"""Whole games of Knatsch between sensible players, with a random deck for each game."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.knatsch.deck import Card
from engine.knatsch.state import State, new_game
from tests.kit.matches.knatsch import some_deck
from tests.kit.matches.knatsch_players import Player, play_game
from tests.kit.matches.match import dice_roller


def one_game(chance: random.Random, seats: Sequence[Player], seen: list[State] | None = None) -> State:
    """Plays a whole game with a random deck, rolls and cards; `seen` receives every position."""

    def turned(cards: Sequence[tuple[Card, int]]) -> Card:
        return chance.choices([card for card, _ in cards], [count for _, count in cards])[0]

    note = seen.append if seen is not None else None
    return play_game(new_game(len(seats), some_deck(chance)), seats, dice_roller(chance), turned, note)
