"""Trains the worth of tableaux: the advisor plays itself, who won teaches the weights, and it plays itself again.

    python scripts/selfplay.py --games 1000 --rounds 2 --seed 1 --out models/worth.json --keep local/selfplay

Policy iteration: in every round games of two to five players are played with the weights of the round before (in the
first, with `FIRST`), purchases trembling a little so that other tableaux are seen too. The position before every turn
is noted. A game is over for training once the King is claimed: who wins the final round is known by then as a chance
(`engine.advice.winning`), which teaches more than one throw of it. The weights are then those under which these chances
were most likely, held near `FIRST` by a penalty.

Every game has its own seed, and the same seed gives the same file: with --keep FOLDER a run that was stopped goes on
where it was, and --processes changes nothing but the time. The head of the table's card (the same name with .md) is
written with it; `--describe` writes it anew for a table that is there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.bench.matches import thrower
from companion.bench.parallel_games import side_by_side
from engine.advice.players import Advised, play_game
from engine.advice.winning import win_chances
from engine.advice.worth import Wait, WorthTable, features, waits
from engine.krone.cards import CARDS
from engine.krone.events import Event
from engine.krone.position import position_text, read_position
from engine.krone.state import RULESETS, State, new_game
from scripts.card import with_head
from scripts.worth_fit import Situation, fit

# Where training starts, and what little-seen features stay close to: every die and every card helps.
FIRST = {
    **{f"start {n}": 0.5 for n in range(4, 13)},
    **{f"most {n}": 0.35 for n in range(4, 13)},
    **{f"changers {n}": 0.2 for n in range(1, 8)},
    "wait": -0.5,
}
PLAYERS = (2, 2, 3, 4, 5)  # cycled through: two-player games twice
TREMBLE = 0.08  # standard deviation of the factor on a purchase's worth


class Played(NamedTuple):
    """A game up to the claim. turns: the position before each, as text. won: every player's chance after the claim."""

    turns: list[str]
    won: list[float]


def played(weights: Mapping[str, float], seed: str, number: int) -> Played:
    """One game of the advisor against itself."""
    count, table, generator = PLAYERS[number % len(PLAYERS)], WorthTable(weights), random.Random(f"{seed}/{number}")
    turns: list[str] = []

    def note(state: State, event: Event) -> None:
        if state.turn.hand and not state.turn.used:
            turns.append(position_text(state))

    players = [Advised(table, lambda worth: worth * (1 + generator.gauss(0, TREMBLE))) for _ in range(count)]
    start = new_game(count, RULESETS["amigo2006"])
    end = play_game(start, players, thrower(generator), note, lambda state: state.threshold is not None)
    return Played(turns, [round(chance, 6) for chance in win_chances(end, table)])


def games(number: int, weights: Mapping[str, float], seed: str, keep: Path | None, processes: int) -> Iterator[Played]:
    """So many games, those already kept from the file."""
    return (Played(*game) for game in side_by_side(partial(played, weights, seed), number, keep, processes))


def situations(game: Played) -> Iterator[Situation]:
    """Every turn of a game as everybody's features and what came of it."""
    for line in game.turns:
        state = read_position(line)
        pairs = zip(state.tableaux, waits(state), strict=True)
        yield Situation([features(cards, wait) for cards, wait in pairs], game.won)


def told(found: Iterator[Played], label: str) -> Iterator[Played]:
    """The games as they come; says every now and then how far it is."""
    started = time.perf_counter()
    for number, game in enumerate(found, 1):
        yield game
        if number % 50 == 0:
            print(f"{label}: {number} games, {(time.perf_counter() - started) / 60:.1f} min", flush=True)


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
        "amigo2006; one situation a turn before the King is claimed, taught by everybody's chance just after the "
        f"claim; purchases tremble by {TREMBLE:.0%} so that other tableaux are seen |",
        f"| Training | {_rounds(rounds, games)}; mean log-likelihood {training['likelihood']:.3f} a situation |",
        f"| Size | {len(weights)} weights |",
        "| Licence | AGPL-3.0-or-later, like the program |", "",
        "Known limits: what the others take from the display is not looked at; no weight may fall below 0, because a "
        "card can always be left unused. Where they began, for want of games that show them, or at 0, worth no more "
        f"than their dice and the number of cards say: {', '.join(unmoved)}.",
        "Strength: `courtside bench advice`.",
    ])  # fmt: skip


def _rounds(rounds: int, games: int) -> str:
    if rounds == 1:
        return f"{games} games played with hand-made weights"
    return f"{rounds} rounds of {games} games, the weights fitted to the last two"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("models/worth.json"))
    parser.add_argument("--keep", type=Path, help="folder for the games played so far")
    parser.add_argument("--processes", type=int, default=1, help="games played side by side")
    parser.add_argument("--describe", action="store_true", help="write the card of --out, train nothing")
    chosen = parser.parse_args(arguments)
    card = chosen.out.with_suffix(".md")
    if chosen.describe:
        card.write_text(with_head(card, head(chosen.out)), encoding="utf-8")
        return
    everything = features(tuple(CARDS), Wait()) | features(("charlatan",) * 5 + tuple(CARDS), Wait())
    names = sorted(everything)
    weights: Mapping[str, float] = FIRST
    older: list[Situation] = []
    for number in range(1, chosen.rounds + 1):
        keep = chosen.keep / f"seed{chosen.seed}-round{number}.jsonl" if chosen.keep is not None else None
        found = games(chosen.games, weights, f"{chosen.seed}/{number}", keep, chosen.processes)
        newer = [one for game in told(found, f"round {number}") for one in situations(game)]
        fitted, likelihood = fit(older + newer, names, FIRST)
        weights, older = {name: round(fitted[name], 4) for name in names}, newer
        print(f"round {number}: log-likelihood {likelihood:.4f} a situation", flush=True)
        training = {
            "games a round": chosen.games,
            "round": number,
            "seed": chosen.seed,
            "situations": len(newer),
            "likelihood": round(likelihood, 4),
        }
        text = {"training": training, "weights": weights}
        chosen.out.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
        card.write_text(with_head(card, head(chosen.out)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
