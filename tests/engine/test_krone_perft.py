"""Perft: the number of legal sequences of events, compared with golden tables, some derived by hand in the file.

`python -m tests.engine.test_krone_perft "POSITION" DEPTH` prints a line for the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.krone.legal import legal
from engine.krone.position import read_position
from engine.krone.rules import play
from engine.krone.state import State
from tests.engine.krone_refusals import every_move

GOLDEN = Path(__file__).parents[1] / "golden" / "krone_perft.txt"
LINES = [line for line in GOLDEN.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]


def perft(state: State, depth: int) -> int:
    """Number of legal sequences of `depth` events."""
    moves = list(every_move(legal(state)))
    return len(moves) if depth == 1 else sum(perft(play(state, *move), depth - 1) for move in moves)


@pytest.mark.parametrize("line", LINES)
def test_number_of_legal_sequences(line: str) -> None:
    position, counts = line.split(" | ")
    for depth, count in enumerate(counts.split(), 1):
        assert perft(read_position(position), depth) == int(count), f"depth {depth}"


if __name__ == "__main__":
    counted = [str(perft(read_position(sys.argv[1]), depth)) for depth in range(1, int(sys.argv[2]) + 1)]
    print(f"{sys.argv[1]} | {' '.join(counted)}")
