"""Trains what cards of Knatsch are worth, and measures the advisor against a player who takes the likeliest card.

    python -m scripts.knatsch_selfplay train --games 200 --rounds 2 --seed 1 --out models/knatsch-worth.json
    python -m scripts.knatsch_selfplay match --games 1000 --players 2 --seed 2

Training is policy iteration as in scripts/selfplay.py: the advisor plays itself, who won teaches the weights, and it
plays itself again. Which combination a card shows is drawn anew for every game (no printed deck is known in full); the
same seed gives the same file.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

from companion.bench_advice import thrower, wilson
from companion.worth import knatsch_worth
from engine.advice.knatsch_players import Advised, Player, play_game
from engine.advice.knatsch_players import Easiest as Plain
from engine.advice.knatsch_worth import FIRST, HAND_MADE, NAMES, KnatschWorth, features, waits
from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import BOX, Card, Deck
from engine.knatsch.state import SEATS, State, new_game
from scripts.selfplay import Situation, fit

PLAYERS = (2, 3, 4, 2, 5, 3, 6)  # cycled through


def some_deck(chance: random.Random) -> Deck:
    """The box, every card with a combination drawn at random."""
    printed = [card if card.id == "tournament" else Card(card.id, chance.choice(EVERY_PRINTED)) for card in BOX.cards]
    return Deck(tuple(printed), chance.choice(EVERY_PRINTED))


def one_game(chance: random.Random, seats: Sequence[Player], seen: list[State] | None = None) -> State:
    """A whole game with a deck, throws and cards from this generator."""

    def turned(cards: Sequence[tuple[Card, int]]) -> Card:
        return chance.choices([card for card, _ in cards], [count for _, count in cards])[0]

    note = seen.append if seen is not None else None
    return play_game(new_game(len(seats), some_deck(chance)), seats, thrower(chance), turned, note)


def situations(games: int, worth: KnatschWorth, chance: random.Random, label: str) -> list[Situation]:
    """Every position in which somebody chose, as everybody's features and who won."""
    found: list[Situation] = []
    for number in range(games):
        seen: list[State] = []
        end = one_game(chance, [Advised(worth)] * PLAYERS[number % len(PLAYERS)], seen)
        if end.winner is not None:
            for state in seen:
                pairs = zip(state.seated, waits(state.players, SEATS.index(state.turn)), strict=True)
                found.append(([features(*pair) for pair in pairs], SEATS.index(end.winner)))
        if (number + 1) % 20 == 0:
            print(f"{label}: {number + 1} games, {len(found)} situations", flush=True)
    return found


def train(games: int, rounds: int, seed: int, out: Path) -> None:
    """Writes the table after every round."""
    chance, worth, older = random.Random(seed), HAND_MADE, list[Situation]()
    for number in range(1, rounds + 1):
        newer = situations(games, worth, chance, f"round {number}")
        weights, likelihood = fit(older + newer, NAMES, FIRST)
        worth, older = KnatschWorth(weights), newer
        training = {"games a round": games, "round": number, "seed": seed, "likelihood": likelihood}
        text = {"training": training, "weights": {name: round(weights[name], 4) for name in NAMES}}
        out.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
        print(f"round {number}: log-likelihood {likelihood:.4f} a situation", flush=True)


def match(games: int, players: int, seed: int, worth: KnatschWorth) -> str:
    """The advisor in every seat in turn, the likeliest-card player in all others: the share it wins, with interval."""
    chance, won, unfinished = random.Random(seed), 0, 0
    for number in range(games):
        mine = number % players
        end = one_game(chance, [Advised(worth) if seat == mine else Plain() for seat in range(players)])
        won += end.winner == SEATS[mine]
        unfinished += end.winner is None
    low, high = wilson(won, games)
    return (
        f"Knatsch: the advisor wins {won / games:.1%} of {games} games of {players}, 95 % {low:.1%} to {high:.1%} "
        f"(even would be {1 / players:.0%}; {unfinished} not finished)"
    )


def main() -> None:
    """Train, or measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("train", "match"))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hand-made", action="store_true", help="match: the weights before training")
    parser.add_argument("--out", type=Path, default=Path("models/knatsch-worth.json"))
    asked = parser.parse_args()
    if asked.what == "train":
        train(asked.games, asked.rounds, asked.seed, asked.out)
    else:
        print(match(asked.games, asked.players, asked.seed, HAND_MADE if asked.hand_made else knatsch_worth()))


if __name__ == "__main__":
    main()
