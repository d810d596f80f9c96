"""The README shows six commands with their output. `test_docs.py` checks that they parse."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from companion.cli import courtside

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\.venv[/\\]\S*courtside (.+)$", README, re.MULTILINE)


def test_there_are_examples_of_six_commands() -> None:
    assert len({example.split()[0] for example in EXAMPLES}) >= 6


def test_the_odds_are_those_the_readme_prints() -> None:
    example = next(example for example in EXAMPLES if example.startswith("odds"))
    printed = README[README.index(example) :].split("```")[2].strip("\n").splitlines()
    assert CliRunner().invoke(courtside, shlex.split(example)).output.splitlines()[: len(printed)] == printed
