"""Trains the worth of tableaux: the advisor plays itself, who won teaches the weights, and it plays itself again.

    python scripts/selfplay.py --games 400 --rounds 3 --seed 1 --out models/worth.json

Policy iteration: in every round games of two to five players are played with the weights of the round before (in the
first, with `FIRST`), purchases trembling a little so that other tableaux are seen too. Before every turn the tableaux
and the waits are noted; the weights are then those under which the winners were most likely, held near `FIRST` by a
penalty. The same seed gives the same file. The head of its card (the same name with .md) is written with it;
`--describe` writes it anew for a table that is there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.advice.players import Advised, play_game
from engine.advice.worth import WorthTable, features, waits
from engine.dice import Faces
from engine.krone.cards import CARDS
from engine.krone.events import Event
from engine.krone.state import RULESETS, State, new_game
from scripts.card import with_head

# Where training starts, and what little-seen features stay close to: every die and every card helps.
FIRST = {
    **{f"start {n}": 0.5 for n in range(4, 13)},
    **{f"most {n}": 0.35 for n in range(4, 13)},
    **{f"changers {n}": 0.2 for n in range(1, 8)},
    "wait": -0.5,
}
PLAYERS = (2, 2, 3, 4, 5)  # cycled through: two-player games twice
TREMBLE = 0.08  # standard deviation of the factor on a purchase's worth
PENALTY = 4.0  # of a weight's squared distance from its start, against one nat of likelihood

Situation = tuple[list[dict[str, float]], int]  # every player's features, and who won


def play(games: int, table: WorthTable, generator: random.Random, label: str) -> list[Situation]:
    """Games of the advisor against itself; every turn before the King was claimed is one situation."""
    found: list[Situation] = []
    started = time.perf_counter()
    for number in range(games):
        count = PLAYERS[number % len(PLAYERS)]
        noted: list[list[dict[str, float]]] = []

        def note(state: State, event: Event, noted: list[list[dict[str, float]]] = noted) -> None:
            if state.threshold is None and state.turn.hand and not state.turn.used:
                pairs = zip(state.tableaux, waits(state), strict=True)
                noted.append([features(cards, wait) for cards, wait in pairs])

        players = [Advised(table, lambda worth: worth * (1 + generator.gauss(0, TREMBLE))) for _ in range(count)]
        end = play_game(new_game(count, RULESETS["amigo2006"]), players, thrower(generator), note)
        assert end.winner is not None
        found += [(everybody, end.seats.index(end.winner)) for everybody in noted]
        if (number + 1) % 20 == 0:
            minutes = (time.perf_counter() - started) / 60
            print(f"{label}: {number + 1} games, {len(found)} situations, {minutes:.1f} min", flush=True)
    return found


def thrower(generator: random.Random):  # type: ignore[no-untyped-def]
    """Dice thrown with this generator."""

    def throw(count: int) -> Faces:
        return tuple(sorted(generator.randint(1, 6) for _ in range(count)))

    return throw


def fit(
    situations: Sequence[Situation], names: Sequence[str], first: Mapping[str, float] = FIRST
) -> tuple[dict[str, float], float]:
    """(the weights under which the winners were most likely, mean log-likelihood a situation), by Newton's method on
    the softmax of the scores. Nothing a tableau offers may weigh below 0: a card can always be left unused, and a
    player who bought a poor card had mostly thrown poorly."""
    helps = np.array([not name.startswith("wait") for name in names])
    place = {name: i for i, name in enumerate(names)}
    start = np.array([first.get(name, 0.0) for name in names])
    weights = start.copy()
    blocks = []
    for everybody, winner in situations:
        rows = np.zeros((len(everybody), len(names)))
        for row, found in zip(rows, everybody, strict=True):
            for name, value in found.items():
                row[place[name]] = value
        blocks.append((rows, winner))
    likelihood = 0.0
    for _ in range(60):
        slope: NDArray[np.float64] = -PENALTY * (weights - start)
        curve = PENALTY * np.eye(len(names))
        likelihood = 0.0
        for rows, winner in blocks:
            scores = rows @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            likelihood += float(np.log(chances[winner]))
            mean = chances @ rows
            slope += rows[winner] - mean
            curve += (rows.T * chances) @ rows - np.outer(mean, mean)
        free = ~(helps & (weights <= 0) & (slope < 0))
        step = np.zeros(len(names))
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        moved = np.where(helps, np.maximum(weights + step, 0), weights + step)
        settled = np.abs(moved - weights).max() < 1e-9
        weights = moved
        if settled:
            break
    return dict(zip(names, weights.tolist(), strict=True)), likelihood / len(situations)


def head(out: Path) -> str:
    """The head of the card of a trained table."""
    table = json.loads(out.read_text(encoding="utf-8"))
    training, weights = table["training"], table["weights"]
    games, rounds, seed = training["games a round"], training["round"], training["seed"]
    command = f"PYTHONPATH=. python scripts/selfplay.py --games {games} --rounds {rounds} --seed {seed}"
    unmoved = sorted(name for name, weight in weights.items() if weight == round(FIRST.get(name, 0.0), 4))
    return "\n".join([
        "# worth.json: what a tableau is worth", "", "| | |", "|---|---|",
        "| What | weights of a tableau's offers; the softmax of the players' scores is their chance to win "
        "(`engine/advice/worth.py`) |",
        f"| Made by | `{command} --out models/worth.json` (same seed, same file) |",
        "| Data | games of the advisor against itself, two to five players (two-player games twice as often), ruleset "
        f"amigo2006; one situation a turn before the King is claimed; purchases tremble by {TREMBLE:.0%} so that other "
        "tableaux are seen |",
        f"| Training | {rounds} rounds of {games} games, the weights fitted to the last two rounds; "
        f"mean log-likelihood {training['likelihood']:.3f} a situation |",
        f"| Size | {len(weights)} weights |",
        "| Licence | AGPL-3.0-or-later, like the program |", "",
        "Known limits: what the others take from the display is not looked at; no weight may fall below 0, because a "
        "card can always be left unused. Where they began, for want of games that show them, or at 0, worth no more "
        f"than their dice and the number of cards say: {', '.join(unmoved)}.",
        "Strength: `courtside bench advice`.",
    ])  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=400, help="games a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("models/worth.json"))
    parser.add_argument("--describe", action="store_true", help="write the card of --out, train nothing")
    chosen = parser.parse_args(arguments)
    card = chosen.out.with_suffix(".md")
    if chosen.describe:
        card.write_text(with_head(card, head(chosen.out)), encoding="utf-8")
        return
    generator = random.Random(chosen.seed)
    everything = features(tuple(CARDS), 1.0) | features(("charlatan",) * 5 + tuple(CARDS), 1.0)
    names = sorted(everything)
    table, older = WorthTable(FIRST), list[Situation]()
    likelihood = 0.0
    for number in range(1, chosen.rounds + 1):
        newer = play(chosen.games, table, generator, f"round {number}")
        weights, likelihood = fit(older + newer, names)
        table, older = WorthTable(weights), newer
        print(f"round {number}: log-likelihood {likelihood:.4f} a situation", flush=True)
        training = {"games a round": chosen.games, "round": number, "seed": chosen.seed, "likelihood": likelihood}
        text = {"training": training, "weights": {name: round(weights[name], 4) for name in names}}
        chosen.out.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
        card.write_text(with_head(card, head(chosen.out)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
