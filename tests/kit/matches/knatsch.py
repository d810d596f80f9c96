"""The advisor of Knatsch against other players.

A set of games has the same deck, card order and dice in every seat and turn, and the advisor plays each seat once.
Combinations on cards are drawn at random for every set, because no printed deck is fully known.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from companion.games.knatsch.advice import knatsch_value_function
from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import BOX, Card, Deck
from engine.knatsch.state import State, new_game
from tests.kit.matches.knatsch_players import Advised, Easiest, Player, play_game
from tests.kit.matches.knatsch_weights import HAND_MADE
from tests.kit.matches.match import MatchResult, SeatDice, play_matches

OPPONENTS: dict[str, Callable[[], Player]] = {
    "likeliest card": Easiest,
    "weights made by hand": lambda: Advised(HAND_MADE),
}


def some_deck(chance: random.Random) -> Deck:
    """The box with random combinations on all cards."""
    printed = [card if card.id == "tournament" else Card(card.id, chance.choice(EVERY_PRINTED)) for card in BOX.cards]
    return Deck(tuple(printed), chance.choice(EVERY_PRINTED))


def report(games: int, seed: int, keep: Path | None, processes: int) -> Iterator[str]:
    """The results of all matches, one line each."""
    for opponent in OPPONENTS if games else ():
        for players in (2, 3, 4, 5, 6):
            yield str(match(MatchResult(players, opponent, "knatsch"), games, seed, keep, processes))


def match(found: MatchResult, games: int, seed: int, keep: Path | None = None, processes: int = 2) -> MatchResult:
    """Plays a match, as `played` does."""
    return play_matches(found, partial(_set, found.opponent, found.players, seed), games, seed, keep, processes)


def _set(opponent: str, players: int, seed: int, number: int) -> list[float]:
    """The games won by the advisor, of one for each seat; unfinished games count for neither side."""
    won = 0
    for seat in range(players):
        seats = [
            Advised(knatsch_value_function()) if place == seat else OPPONENTS[opponent]() for place in range(players)
        ]
        end = game(seats, f"{seed}/{players}/{number}")
        won += end.winner == end.seats[seat]
    return [float(won)]


def game(seats: Sequence[Player], seed: str) -> State:
    """A game whose deck, card order and dice depend only on seed, seat and round."""
    chance, dice = random.Random(seed), SeatDice(seed)
    deck, last = some_deck(chance), ""
    order = {card.id: chance.random() for card in deck.cards}

    def turned(cards: Sequence[tuple[Card, int]]) -> Card:
        return min((card for card, _ in cards), key=lambda card: order[card.id])

    def note(state: State) -> None:
        nonlocal last
        if last != f"{state.seat}/{state.round}":
            last = f"{state.seat}/{state.round}"
            dice.begin(last)

    return play_game(new_game(len(seats), deck), seats, dice, turned, note)
