"""Holds the win chances against who really won: games played out by the advisor, a table and a picture.

    python scripts/calibration.py --games 300 --seed 7 --svg models/worth-calibration.svg

At the start of every turn the advisor says every player's chance to win; of all times it said about 30 %, about 30 %
should have been wins. Seeds differ from training's, and purchases do not tremble.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.bench_advice import thrower, wilson
from companion.worth import worth_table
from engine.advice.players import Advised, play_game
from engine.advice.winning import win_chances
from engine.krone.events import Event, Roll
from engine.krone.state import RULESETS, State, new_game

BINS = 10
Said = tuple[float, bool]  # a chance, and whether that player won


def play(games: int, seed: int) -> list[Said]:
    """What was said at the start of every turn of every game."""
    generator, table = random.Random(seed), worth_table()
    found: list[Said] = []
    for number in range(games):
        count = 2 + number % 4
        noted: list[tuple[float, ...]] = []

        def note(state: State, event: Event, noted: list[tuple[float, ...]] = noted) -> None:
            if state.turn.hand and isinstance(event, Roll):
                noted.append(win_chances(state, table))

        end = play_game(new_game(count, RULESETS["amigo2006"]), [Advised(table)] * count, thrower(generator), note)
        found += [(p, seat == end.winner) for chances in noted for p, seat in zip(chances, end.seats, strict=True)]
    return found


def rows(said: Sequence[Said]) -> list[tuple[int, float, float, float, float]]:
    """By tenths of the chance said: (how often, mean said, share won, its 95 % interval)."""
    found = []
    for tenth in range(BINS):
        inside = [(p, won) for p, won in said if min(int(p * BINS), BINS - 1) == tenth]
        if inside:
            won = sum(hit for _, hit in inside)
            mean = sum(p for p, _ in inside) / len(inside)
            found.append((len(inside), mean, won / len(inside), *wilson(won, len(inside))))
    return found


def table(said: Sequence[Said]) -> str:
    lines = ["| said | times | mean said | won | 95 % |", "|---|---|---|---|---|"]
    for times, mean, share, low, high in rows(said):
        tenth = min(int(mean * BINS), BINS - 1)
        span = f"{tenth * 10} to {tenth * 10 + 10} %"
        lines.append(f"| {span} | {times} | {mean:.1%} | {share:.1%} | {low:.1%} to {high:.1%} |")
    brier = sum((p - won) ** 2 for p, won in said) / len(said)
    return "\n".join(
        [*lines, "", f"Mean squared error of the chances (Brier score): {brier:.4f} over {len(said)} of them."]
    )


def svg(said: Sequence[Said]) -> str:
    """Said against won; the diagonal is perfect."""
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
    for _, mean, share, low, high in rows(said):
        parts.append(f'<path d="M{x(mean):.1f} {y(low):.1f}V{y(high):.1f}" stroke="#246"/>')
        parts.append(f'<circle cx="{x(mean):.1f}" cy="{y(share):.1f}" r="4" fill="#246"/>')
    return "\n".join([*parts, "</svg>", ""])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Holds the win chances against who really won.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--svg", type=Path)
    chosen = parser.parse_args(arguments)
    said = play(chosen.games, chosen.seed)
    print(table(said))
    if chosen.svg:
        chosen.svg.write_text(svg(said), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
