"""Holds the win chances against who really won: games played out by the advisor, a table and a picture.

    python scripts/calibration.py --games 300 --seed 7 --keep said.jsonl --svg models/worth-calibration.svg \\
        --card models/worth.md

At the start of every turn the advisor says every player's chance to win; of all times it said about 30 %, about 30 %
should have been wins. Seeds differ from training's, and purchases do not tremble. Before a claim the learned worth says
the chances, after it the odds of the challenges still to come; so the two are told apart. Every game has its own seed:
with --keep a run that was stopped goes on where it was. --card replaces the card's section on calibration.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.advice.worth import worth_table
from companion.bench.matches import thrower
from companion.bench.parallel_games import side_by_side
from engine.advice.players import Advised, play_game
from engine.advice.winning import win_chances
from engine.krone.events import Event, Roll
from engine.krone.state import RULESETS, State, new_game
from scripts.card import with_section
from vision.dice.scoring import wilson

BINS = 10


class Said(NamedTuple):
    """A chance that was said, whether that player won, and whether the King had been claimed by then."""

    chance: float
    won: bool
    claimed: bool


def play(number: int, seed: int) -> list[Said]:
    """What was said at the start of every turn of one game; two to five players in turn."""
    generator, table = random.Random(f"{seed}/{number}"), worth_table()
    noted: list[tuple[bool, tuple[float, ...]]] = []

    def note(state: State, event: Event) -> None:
        if state.turn.hand and isinstance(event, Roll):
            noted.append((state.threshold is not None, win_chances(state, table)))

    count = 2 + number % 4
    end = play_game(new_game(count, RULESETS["amigo2006"]), [Advised(table)] * count, thrower(generator), note)
    return [
        Said(round(chance, 6), seat == end.winner, claimed)
        for claimed, chances in noted
        for chance, seat in zip(chances, end.seats, strict=True)
    ]


def rows(said: Sequence[Said]) -> list[tuple[int, float, float, float, float]]:
    """By tenths of the chance said: (how often, mean said, share won, its 95 % interval)."""
    found = []
    for tenth in range(BINS):
        inside = [one for one in said if min(int(one.chance * BINS), BINS - 1) == tenth]
        if inside:
            won = sum(one.won for one in inside)
            mean = sum(one.chance for one in inside) / len(inside)
            found.append((len(inside), mean, won / len(inside), *wilson(won, len(inside))))
    return found


def table(said: Sequence[Said]) -> str:
    lines = ["| said | times | mean said | won | 95 % |", "|---|---|---|---|---|"]
    for times, mean, share, low, high in rows(said):
        tenth = min(int(mean * BINS), BINS - 1)
        span = f"{tenth * 10} to {tenth * 10 + 10} %"
        lines.append(f"| {span} | {times} | {mean:.1%} | {share:.1%} | {low:.1%} to {high:.1%} |")
    brier = sum((one.chance - one.won) ** 2 for one in said) / len(said)
    return "\n".join(
        [*lines, "", f"Mean squared error of the chances (Brier score): {brier:.4f} over {len(said)} of them."]
    )


def svg(said: Sequence[Said]) -> str:
    """Said against won, before a claim (blue, filled) and after it (red, hollow); the diagonal is perfect."""
    size, edge = 360, 40

    def x(p: float) -> float:
        return edge + p * size

    def y(p: float) -> float:
        return edge + (1 - p) * size

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 2 * edge} {size + 2 * edge}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect x="{edge}" y="{edge}" width="{size}" height="{size}" fill="none" stroke="#888"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#bbb"/>',
        f'<text x="{x(0.5)}" y="{y(0) + 28}" text-anchor="middle">chance said</text>',
        f'<text x="14" y="{y(0.5)}" text-anchor="middle" transform="rotate(-90 14 {y(0.5)})">games won</text>',
    ]
    for late, colour, fill, what in ((False, "#246", "#246", "before a claim"), (True, "#a33", "#fff", "after it")):
        parts.append(f'<text x="{x(0.04)}" y="{y(0.95) + 18 * late}" fill="{colour}">{what}</text>')
        for _, mean, share, low, high in rows([one for one in said if one.claimed == late]):
            parts.append(f'<path d="M{x(mean):.1f} {y(low):.1f}V{y(high):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{x(mean):.1f}" cy="{y(share):.1f}" r="4" fill="{fill}" stroke="{colour}"/>')
    return "\n".join([*parts, "</svg>", ""])


def section(said: Sequence[Said], command: str, picture: str, played: int) -> str:
    """The card's section."""
    return "\n".join([
        f"{played} games of two to five players (`{command}`), picture in `{picture}`. The chances of one turn and the "
        "turns of one game are not independent, so the intervals are too narrow.",
        "", "Before the King is claimed (the learned worth):", "", table([one for one in said if not one.claimed]),
        "", "After it (the challenges one by one):", "", table([one for one in said if one.claimed]),
    ])  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Holds the win chances against who really won.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="file of what was said so far")
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--card", type=Path)
    chosen = parser.parse_args(arguments)
    said: list[Said] = []
    for number, found in enumerate(side_by_side(partial(play, seed=chosen.seed), chosen.games, chosen.keep), 1):
        said += (Said(*one) for one in found)
        if number % 20 == 0:
            print(f"{number} games, {len(said)} chances", flush=True)
    command = f"PYTHONPATH=. python scripts/calibration.py --games {chosen.games} --seed {chosen.seed}"
    text = section(said, command, chosen.svg.name if chosen.svg else "", chosen.games)
    print(text)
    if chosen.svg:
        chosen.svg.write_text(svg(said), encoding="utf-8")
    if chosen.card:
        chosen.card.write_text(with_section(chosen.card, "Calibration", text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
