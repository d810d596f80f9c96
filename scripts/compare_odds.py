"""Holds the odds against an obvious solver for as long as wanted, with more cards than the suite.

    python -m scripts.compare_odds --families 300 --first 1000 --write docs/odds.md

Every family is a goal, a tableau and a ruleset with 40 positions: odds as fractions and as doubles, the worth of every
action and the order of equally good ones. Another --first takes other families, so a long run can be done in pieces.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.kit.odds_families import ADDERS, CHANGERS, differences, family

POSITIONS = 40
_HEAD = (
    "Are the chances right that the page shows? They are held against a second solver that follows the rules of a turn",
    "word by word, without any of the shortcuts that make the first one fast (`tests/kit/obvious_solver.py`).",
    "It is slow, so turns are short: about six dice, or four dice and four cards. The table counts the positions by",
    "what is in them: cards not used yet, goals, rulesets.",
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Holds the odds against an obvious solver.")
    parser.add_argument("--families", type=int, default=300)
    parser.add_argument("--first", type=int, default=1000, help="seed of the first family")
    parser.add_argument("--minutes", type=float, default=20, help="stop after so long")
    parser.add_argument("--write", type=Path, help="file for the table")
    chosen = parser.parse_args(arguments)
    until = time.monotonic() + chosen.minutes * 60
    cards: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = done = 0
    for seed in range(chosen.first, chosen.first + chosen.families):
        if time.monotonic() > until:
            break
        one = family(seed, long=True, positions=POSITIONS)
        for difference in differences(one):
            wrong += 1
            print(f"family {seed}: {difference}", flush=True)
        done += 1
        kinds[one.goal] += POSITIONS
        for position in one.positions:
            cards.update(position.unused)
            kinds["before the first roll"] += bool(position.hand)
            kinds["all dice set aside"] += not position.hand and not position.active
            kinds["no die left to add"] += not position.room
            kinds[position.rules.id] += 1
        if done % 20 == 0:
            print(f"{done} families, {done * POSITIONS} positions, {wrong} differences", flush=True)
    lines = [
        "# The odds against the obvious solver",
        "",
        *_HEAD,
        "",
        f"`python -m scripts.compare_odds --families {done} --first {chosen.first}`: "
        f"{done * POSITIONS} positions, every action of each, as fractions: **{wrong} differences**.",
        "",
        "| what | positions |",
        "|---|---|",
        *(f"| {name} unused | {cards[name]} |" for name in (*CHANGERS, *ADDERS)),
        *(f"| {name} | {count} |" for name, count in sorted(kinds.items())),
    ]
    text = "\n".join([*lines, ""])
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
