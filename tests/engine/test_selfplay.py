"""Training targets from games of self-play."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_DECIDED = """
import json
from scripts.selfplay import TrainingGame, TrainingTurn, training_targets
turns = [TrainingTurn(f"amigo2006; A -; B -; C -; turn {seat}; round 1; start A", 0.4, False) for seat in "ABC"]
print(json.dumps([taught for _, taught in training_targets(TrainingGame(turns, [0.0, 0.0, 1.0]))]))
"""


def test_chances_taught_add_up_to_one_when_the_game_was_decided_before_the_final_round() -> None:
    """Bug: if only one player could still win, the others had no probability among which to share the rest of an
    earlier turn's target. Targets added up to less than 1, and the network diverged."""
    command, root = [sys.executable, "-c", _DECIDED], Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    for taught in json.loads(done.stdout):
        assert sum(taught) == pytest.approx(1)
        assert min(taught) > 0
