"""Solves Yatzy for one player, packs the tables for the advice, and plays games by them.

    python -m scripts.yatzy_table build --out models         # prints the expected points of an empty sheet
    python -m scripts.yatzy_table published                  # holds them against the published optima
    python -m scripts.yatzy_table play --games 20000 --seed 1

`build` needs less than a minute of one core for both rulesets.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import numpy as np

from companion.advice.worth import yatzy_values
from engine.dice import Faces
from engine.yatzy import boxes
from engine.yatzy.advice.choices import choices
from engine.yatzy.advice.table import packed, scores, solve
from engine.yatzy.boxes import RULESETS
from engine.yatzy.events import Keep, Roll, Score
from engine.yatzy.rules import play
from engine.yatzy.state import new_game

VERHOEFF = 254.5896  # T. Verhoeff, "Optimal Solitaire Yahtzee Player", 1999
LARSSON = 248.63  # M. Larsson and A. Sjöberg, "Optimal Yatzy strategy", 2012


def build(out: Path) -> None:
    """Writes `yatzy.npz`, one packed table for each ruleset."""
    tables: dict[str, Any] = {}
    for name, rules in RULESETS.items():
        began = process_time()
        values = solve(rules)
        print(f"{name}: {values[0, 0, 0]:.6f} points, {process_time() - began:.0f} s")
        tables[name] = packed(values)
    np.savez_compressed(out / "yatzy.npz", **tables)


def published() -> None:
    """Prints our optima beside the published ones."""
    print(f"American: {solve(RULESETS['american'])[0, 0, 0]:.4f}, published {VERHOEFF}")
    print(f"Scandinavian: {solve(RULESETS['scandinavian'])[0, 0, 0]:.4f}")
    with _one_pair_counts_as_two():
        value = solve(RULESETS["scandinavian"])[0, 0, 0]
    print(f"Scandinavian, where one pair scores in the box of two pairs: {value:.2f}, published {LARSSON}")


@contextmanager
def _one_pair_counts_as_two() -> Iterator[None]:
    """The scoring that gives the figure published for Scandinavian Yatzy: the box of two pairs takes a single pair."""
    strict = boxes._scandinavian

    def lenient(box: str, dice: Faces) -> int:
        return strict(box, dice) or (strict("pair", dice) if box == "two-pairs" else 0)

    boxes._scandinavian = lenient
    scores.cache_clear()
    try:
        yield
    finally:
        boxes._scandinavian = strict
        scores.cache_clear()


def one_game(chance: random.Random, ruleset: str) -> int:
    """The total of one game with the best choices."""
    state, values = new_game(1, RULESETS[ruleset]), yatzy_values(ruleset)
    while not state.finished:
        event: Roll | Keep | Score = Roll(tuple(chance.randint(1, 6) for _ in range(state.to_roll)))
        if not state.to_roll:
            event = choices(state, values)[0].event
        state = play(state, "A", event)
    return state.sheet("A").total


def self_play(games: int, seed: int) -> None:
    for ruleset in RULESETS:
        chance = random.Random(f"{seed} {ruleset}")
        totals = [one_game(chance, ruleset) for _ in range(games)]
        expected = float(yatzy_values(ruleset)[0, 0, 0])
        error = stdev(totals) / games**0.5
        print(f"{ruleset}: mean {fmean(totals):.2f} ± {error:.2f} over {games} games, expected {expected:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build").add_argument("--out", type=Path, default=Path("models"))
    commands.add_parser("published")
    playing = commands.add_parser("play")
    playing.add_argument("--games", type=int, default=20000)
    playing.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.command == "build":
        build(options.out)
    elif options.command == "published":
        published()
    else:
        self_play(options.games, options.seed)


if __name__ == "__main__":
    main()
