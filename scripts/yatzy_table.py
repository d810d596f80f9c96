"""Solves Yatzy for one player, packs the tables for the advice, and plays games with them.

    python -m scripts.yatzy_table build --out models         # prints the expected points of an empty sheet
    python -m scripts.yatzy_table published                  # compares them with the published optima
    python -m scripts.yatzy_table play --games 20000 --seed 1

`build` needs less than a minute of one core for both rulesets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any, Literal

import numpy as np
from tyro.conf import Positional

from companion.advice.packed_numbers import in_steps
from companion.games.yatzy.advice import yatzy_values
from engine.dice import Faces, faces, parts
from engine.yatzy import boxes
from engine.yatzy.advice.choices import box_total
from engine.yatzy.advice.table import KEPT, Sheets, Values, box_values, kept_values, scores
from engine.yatzy.boxes import BONUS_FROM, DICE, RULESETS, YATZY, YATZY_POINTS
from engine.yatzy.state import Sheet, new_game
from tests.kit.options import run
from tests.kit.yatzy_solver import CHUNK, solve

VERHOEFF = 254.5896  # T. Verhoeff, "Optimal Solitaire Yahtzee Player", 1999
LARSSON = 248.63  # M. Larsson and A. Sjöberg, "Optimal Yatzy strategy", 2012


def build(out: Path) -> None:
    """Writes `yatzy.npz`, one packed table for each ruleset."""
    tables: dict[str, Any] = {}
    for name, rules in RULESETS.items():
        began = process_time()
        values = solve(rules)
        print(f"{name}: {values[0, 0, 0]:.6f} points, {process_time() - began:.0f} s")
        tables[name] = in_steps(values)
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
    """The scoring behind the published figure for Scandinavian Yatzy: the box of two pairs accepts a single pair."""
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


def turn(chance: random.Random, sheets: list[Sheet], values: Values) -> list[Sheet]:
    """Plays one turn of each sheet by the table. All sheets have the same number of filled boxes and the same
    score in the Yatzy box."""
    rules = sheets[0].rules
    sets = [sum(1 << place for place, score in enumerate(sheet.scored) if score is not None) for sheet in sheets]
    held = int(rules.jokers and sheets[0][YATZY] == YATZY_POINTS)
    upper = np.array([min(sheet.upper, BONUS_FROM) for sheet in sheets])
    last = box_values(rules, values, Sheets(held, np.array(sets), upper))
    one_left = KEPT.best(kept_values(last.copy()))
    after_first, after_second = kept_values(one_left), kept_values(last)
    written = []
    for number, sheet in enumerate(sheets):
        dice: Faces = ()
        for levels in (None, after_first, after_second):
            if levels is not None:
                dice = max(parts(dice), key=lambda kept: levels[len(kept)][KEPT.place[len(kept)][kept], number])
            dice = faces((*dice, *(chance.randint(1, 6) for _ in range(DICE - len(dice)))))
        box = max(sheet.open, key=lambda box: box_total(sheet, box, dice, values))
        written.append(sheet.with_score(box, dice))
    return written


def self_play(games: int, seed: int) -> None:
    """Plays games in parallel: sheets with the same Yatzy box share one pass over the lattice of dice."""
    for ruleset, rules in RULESETS.items():
        chance, values = random.Random(f"{seed} {ruleset}"), yatzy_values(ruleset)
        sheets = list(new_game(1, rules).sheets) * games
        for _ in rules.boxes:
            sheets.sort(key=lambda sheet: sheet[YATZY] == YATZY_POINTS)
            after: list[Sheet] = []
            for _, alike in groupby(sheets, key=lambda sheet: sheet[YATZY] == YATZY_POINTS):
                together = list(alike)
                for start in range(0, len(together), CHUNK):
                    after += turn(chance, together[start : start + CHUNK], values)
            sheets = after
        totals = [sheet.total for sheet in sheets]
        expected, error = float(values[0, 0, 0]), stdev(totals) / games**0.5
        print(f"{ruleset}: mean {fmean(totals):.2f} ± {error:.2f} over {games} games, expected {expected:.2f}")


def main(
    what: Positional[Literal["build", "published", "play"]],
    out: Path = Path("models"),
    games: int = 20_000,
    seed: int = 1,
) -> None:
    """Solves, compares or plays.

    Args:
        out: Folder for the tables of `build`.
    """
    if what == "build":
        build(out)
    elif what == "published":
        published()
    else:
        self_play(games, seed)


if __name__ == "__main__":
    run(main)
