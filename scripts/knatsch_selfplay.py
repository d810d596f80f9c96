"""Trains what cards of Knatsch are worth, and measures the advisor against a player who takes the likeliest card.

    python -m scripts.knatsch_selfplay train --games 200 --rounds 2 --seed 1 --out models/knatsch-worth.json
    python -m scripts.knatsch_selfplay match --games 1000 --players 2 --seed 2 --keep games.txt

Training is policy iteration as in scripts/selfplay.py: the advisor plays itself, who won teaches the weights, and it
plays itself again. Which combination a card shows is drawn anew for every game (no printed deck is known in full); the
same seed gives the same file. Both write their part of the card models/knatsch-worth.md (`describe` its head alone);
with --keep a match that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping
from pathlib import Path

from companion.advice.worth import knatsch_worth
from engine.advice.knatsch_players import Advised
from engine.advice.knatsch_players import Easiest as Plain
from engine.advice.knatsch_worth import FIRST, HAND_MADE, NAMES, KnatschWorth, features, waits
from engine.knatsch.state import SEATS, State
from scripts.card import with_head, with_section
from scripts.simulation.knatsch_play import one_game
from scripts.worth_fit import Situation, fit
from vision.dice.scoring import wilson

PLAYERS = (2, 3, 4, 2, 5, 3, 6)  # cycled through


def situations(games: int, worth: KnatschWorth, chance: random.Random, label: str) -> list[Situation]:
    """Every position in which somebody chose, as everybody's features and who won."""
    found: list[Situation] = []
    for number in range(games):
        seen: list[State] = []
        end = one_game(chance, [Advised(worth)] * PLAYERS[number % len(PLAYERS)], seen)
        if end.winner is not None:
            for state in seen:
                pairs = zip(state.seated, waits(state.players, SEATS.index(state.turn)), strict=True)
                won = [float(seat == end.winner) for seat in SEATS[: state.players]]
                found.append(Situation([features(*pair) for pair in pairs], won))
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
        card = out.with_suffix(".md")
        card.write_text(with_head(card, head(training)), encoding="utf-8")
        print(f"round {number}: log-likelihood {likelihood:.4f} a situation", flush=True)


def head(training: Mapping[str, float]) -> str:
    """The head of the card of a table; round 0 is one nobody has trained."""
    return "\n".join([
        "# knatsch-worth.json: what the cards of Knatsch are worth", "", "| | |", "|---|---|",
        "| What | weights of what lies before a player; the softmax of the players' scores is their chance to win "
        "(`engine/advice/knatsch_worth.py`) |",
        *(_trained(training) if training["round"] else _BY_HAND),
        f"| Size | {len(NAMES)} weights |",
        "| Licence | AGPL-3.0-or-later, like the program |",
    ])  # fmt: skip


_BY_HAND = (
    "| Made by | **hand: the weights training would start from (`FIRST` there), not trained** |",
    "| Trained by | `python -m scripts.knatsch_selfplay train --games 200 --rounds 2 --seed 1` (same seed, same file)|",
)


def _trained(training: Mapping[str, float]) -> list[str]:
    games, rounds, seed = training["games a round"], training["round"], training["seed"]
    command = f"python -m scripts.knatsch_selfplay train --games {games} --rounds {rounds} --seed {seed}"
    return [
        f"| Made by | `{command} --out models/knatsch-worth.json` (same seed, same file) |",
        "| Data | games of the advisor against itself, two to six players, every position in which a card could be "
        "gone for; which combination a card shows is drawn anew for every game, because no printed deck is known in "
        "full |",
        f"| Training | {rounds} rounds of {games} games; "
        f"mean log-likelihood {training['likelihood']:.3f} a situation |",
    ]


def match(games: int, players: int, seed: int, worth: KnatschWorth, keep: Path | None = None) -> str:
    """The advisor in every seat in turn, the likeliest-card player in all others: the share it wins, with interval.

    Every game has its own seed. keep: a file with a letter a game so far, w(on), l(ost) or u(nfinished).
    """
    ended = keep.read_text(encoding="utf-8").strip() if keep is not None and keep.exists() else ""
    for number in range(len(ended), games):
        mine, chance = number % players, random.Random(f"{seed}/{number}")
        end = one_game(chance, [Advised(worth) if seat == mine else Plain() for seat in range(players)])
        ended += "u" if end.winner is None else "w" if end.winner == SEATS[mine] else "l"
        if keep is not None:
            keep.write_text(ended, encoding="utf-8")
    won = ended[:games].count("w")
    low, high = wilson(won, games)
    return (
        f"The advisor wins {won / games:.1%} of {games} games of {players}, 95 % {low:.1%} to {high:.1%} "
        f"(even would be {1 / players:.0%}; {ended[:games].count('u')} not finished)"
    )


def main() -> None:
    """Train, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "match", "describe"))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hand-made", action="store_true", help="match: the weights before training")
    parser.add_argument("--keep", type=Path, help="match: file of how the games so far ended")
    parser.add_argument("--card", type=Path, help="match: the card that gets the figure")
    parser.add_argument("--out", type=Path, default=Path("models/knatsch-worth.json"))
    asked = parser.parse_args()
    if asked.what == "train":
        train(asked.games, asked.rounds, asked.seed, asked.out)
    elif asked.what == "describe":
        card = asked.out.with_suffix(".md")
        training = json.loads(asked.out.read_text(encoding="utf-8"))["training"]
        card.write_text(with_head(card, head(training)), encoding="utf-8")
    else:
        said = match(
            asked.games, asked.players, asked.seed, HAND_MADE if asked.hand_made else knatsch_worth(), asked.keep
        )
        print(f"Knatsch: {said}")
        if asked.card:
            command = f"match --games {asked.games} --players {asked.players} --seed {asked.seed}"
            text = (
                f"Against players who always go for the likeliest card, keep the most alike dice and stop when it is "
                f"beaten (`python -m scripts.knatsch_selfplay {command}`): {said}."
            )
            asked.card.write_text(with_section(asked.card, f"Games of {asked.players}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
