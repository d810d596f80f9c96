"""Times the odds and the advice, and lets the advisor play against other players.

    python -m scripts.bench_advice --games 2000 --seed 801 --keep local/yard

--games is the number of games of each match (0: times alone; 2000 for the tables in `models/`), --positions how many
positions are analysed, each from a different self-play game. A run with --keep DIR can be stopped and continued.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from engine.krone.advice.odds import odds
from engine.krone.advice.turn_position import Position, checked
from engine.krone.state import RULESETS
from tests.kit import reference_solver
from tests.kit.matches import knatsch, krone_timing
from tests.kit.matches.krone import OPPONENTS, match
from tests.kit.matches.krone_timing import fastest
from tests.kit.matches.match import MatchResult
from tests.kit.options import run

_POOL = ThreadPoolExecutor(2)
_AMIGO = RULESETS["amigo2006"]
SEVEN_DICE = Position.begin(("farmer", "charlatan", "general"), _AMIGO)
SIX_DICE = (
    checked(
        ("farmer", "charlatan", "charlatan", "laborer", "maid", "fool", "astronomer"), _AMIGO, (), (2, 3, 3, 5, 6), (3,)
    ),
    checked(
        ("farmer", "charlatan", "charlatan", "guard", "philosopher", "merchant", "noblewoman"),
        _AMIGO,
        (),
        (1, 3, 5, 6),
        (4, 4),
        True,
    ),
)
_FIRST_ANSWER = (
    "from engine.krone.advice.odds import odds\n"
    "from engine.krone.advice.turn_position import Position\nodds(Position.begin(()))"
)


def krone(games: int, positions: int, seed: int, keep: Path | None, processes: int) -> Iterator[str]:
    """The lines about Um Krone und Kragen."""
    yield f"all costs, 7 dice, no cards: {fastest(20, lambda: odds(SEVEN_DICE))} (target 20)"
    yield f"  as exact fractions: {fastest(10, lambda: odds(SEVEN_DICE, fractions=True))}"
    yield f"  plain Python, the King alone: {fastest(1, _reference_king)}"
    for position in SIX_DICE:
        timing = fastest(10, lambda position=position: odds(position, mapped=_POOL.map))  # type: ignore[misc]
        yield f"all costs, 6 dice, 4 unused cards, mid-turn: {timing} (target 100)"
    command = [sys.executable, "-c", _FIRST_ANSWER]
    cold = fastest(5, lambda: subprocess.run(command, check=True))
    yield f"import and first answer, cold: {cold.wall:.0f} ms (target 1500)"
    for opponent in OPPONENTS if games else ():
        for ruleset in RULESETS:
            for players in (2, 3, 4, 5):
                yield str(match(MatchResult(players, opponent, ruleset), games, seed, keep, processes))
    yield from krone_timing.report(max(1, positions // 4), positions, seed, keep)


def _reference_king() -> None:
    begin = reference_solver.solver(reference_solver.COSTS["king"])[1]
    begin(SEVEN_DICE.cards)


def main(games: int = 20, positions: int = 300, seed: int = 1, keep: Path | None = None, processes: int = 2) -> None:
    """Prints the lines as they are computed."""
    for line in chain(krone(games, positions, seed, keep, processes), knatsch.report(games, seed, keep, processes)):
        print(line, flush=True)


if __name__ == "__main__":
    run(main)
