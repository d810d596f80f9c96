"""Compares the odds with a brute-force solver, on more cards than the tests do.

    python -m scripts.compare_odds --families 300 --first 1000 --keep

A family is a goal, a tableau and a ruleset with 40 positions. Compared are odds as fractions and as doubles, the value
of every action and the order of equally good ones. Another --first selects other families, so a long run can be split.
"""

from __future__ import annotations

import time
from collections import Counter

from tests.kit import figures
from tests.kit.odds_families import ADDERS, CHANGERS, differences, family
from tests.kit.options import run

POSITIONS = 40
TITLE = "Odds checked by a second solver"
ABOUT = """
Are the odds on the page right? They are compared with a second solver that follows the rules of a turn word by word,
without the optimisations of the first (`tests/kit/reference_solver.py`). It is slow, so turns are short: about six
dice, or four dice and four cards. The table counts the positions by what they contain: unused cards, goals, rulesets.
"""


def main(families: int = 300, first: int = 1000, minutes: float = 20, keep: bool = False) -> int:
    """Compares until the number of families or the time limit is reached; status 1 after a difference.

    Args:
        first: Seed of the first family.
        minutes: Time limit.
        keep: Store the table.
    """
    until = time.monotonic() + minutes * 60
    cards: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = done = 0
    for seed in range(first, first + families):
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
    verdict = f"{done * POSITIONS} positions, every action of each, as fractions: **{wrong} differences**."
    named = [(f"{name} unused", cards[name]) for name in (*CHANGERS, *ADDERS)]
    rows = [{"what": name, "positions": count} for name, count in (*named, *sorted(kinds.items()))]
    figures.report("odds", TITLE, ABOUT, verdict, rows, keep=keep)
    return int(bool(wrong))


if __name__ == "__main__":
    run(main)
