"""The script that retrains the networks uses existing runs, options and files."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from vision.dice.networks import load

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def commands(tmp_path: Path) -> list[list[str]]:
    """The commands of the recipe, in order."""
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nprintf "%s\\t" "$@"\necho\n', encoding="utf-8")
    python.chmod(0o755)
    folders = {name: f"/photos and {name}" for name in ("PHOTOS", "RENDERS", "CARDS", "TRACED", "LAID")}
    said = subprocess.run(
        [ROOT / "scripts" / "recipe.sh"],
        env=dict(os.environ, PYTHON=str(python), **folders),
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.rstrip("\t").split("\t") for line in said.stdout.splitlines()]


def test_every_run_begins_from_one_that_was_made_before(commands: list[list[str]]) -> None:
    made: set[str] = set()
    for words in map(" ".join, commands):
        assert set(re.findall(r"local/runs/(\w+)/", words)) <= made, words
        made |= set(re.findall(r"--run (\w+)", words))
    assert len(made) == len(commands) - 1  # all but the export, which comes last


@pytest.mark.parametrize("script", ["train", "export"])
def test_every_option_of_the_recipe_is_one_of_its_script(commands: list[list[str]], script: str) -> None:
    source = (ROOT / "scripts" / f"{script}.py").read_text(encoding="utf-8")
    known = {f"--{name}" for name in re.findall(r"^    (\w+): [^=\n]+ =", source, re.MULTILINE)}
    known |= {f"--{name}" for name in re.findall(r'arg\(name="(\w+)"\)', source)}
    used = {
        word for command in commands if command[0] == f"scripts/{script}.py" for word in command if word[:2] == "--"
    }
    assert used
    assert used <= known


def test_all_networks_that_are_shipped_come_out(commands: list[list[str]]) -> None:
    assert {"--find", "--glance", "--read", "--close", "--print", "--int8"} <= set(commands[-1])


def test_the_recipe_exports_the_verifier_with_the_weights_of_its_evidence_as_shipped() -> None:
    shipped = load(ROOT / "models" / "verifier.onnx", 1).notes["fusion"]
    assert f"--fusion {shipped} " in (ROOT / "scripts" / "recipe.sh").read_text(encoding="utf-8")
