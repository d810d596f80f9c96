"""Benchmark of Um Krone und Kragen: speed of the odds, time of the advice, playing strength of the advisor."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

from companion.bench.matches import MatchResult
from companion.bench.timing import fastest
from companion.games.krone import pace
from companion.games.krone.matches import OPPONENTS, match
from engine.krone.advice.odds import odds
from engine.krone.advice.turn_position import Position, checked
from engine.krone.state import RULESETS

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


def report(games: int, positions: int, seed: int, keep: Path | None = None, processes: int = 2) -> Iterator[str]:
    """Yields the lines of the benchmark as they are computed. `games` is the number of games of each match."""
    yield f"all costs, 7 dice, no cards: {fastest(20, lambda: odds(SEVEN_DICE))} (target 20)"
    yield f"  as exact fractions: {fastest(10, lambda: odds(SEVEN_DICE, fractions=True))}"
    obvious = _obvious_solver()
    if obvious is not None:
        yield f"  plain Python, the King alone: {fastest(1, lambda: _obvious_king(obvious))}"
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
    yield from pace.report(max(1, positions // 4), positions, seed, keep)


def _obvious_solver() -> ModuleType | None:
    """The brute-force solver of the tests; None outside a checkout."""
    path = Path(__file__).parents[3] / "tests" / "kit" / "obvious_solver.py"
    spec = importlib.util.spec_from_file_location("obvious_solver", path) if path.exists() else None
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _obvious_king(obvious: ModuleType) -> None:
    begin = obvious.solver(obvious.COSTS["king"])[1]
    begin(SEVEN_DICE.cards)
