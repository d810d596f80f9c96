"""The examples of the README are commands that work, and its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import courtside

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\.venv[/\\]\S*courtside (.+)$", README, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_options_of_each_example_exist(example: str) -> None:
    name, *arguments = shlex.split(example)
    command = courtside.get_command(click.Context(courtside), name)
    assert command is not None
    command.make_context(name, arguments)


def test_there_are_examples_of_six_commands() -> None:
    assert len({example.split()[0] for example in EXAMPLES}) >= 6


def test_the_odds_are_those_the_readme_prints() -> None:
    example = next(example for example in EXAMPLES if example.startswith("odds"))
    printed = README[README.index(example) :].split("```")[2].strip("\n").splitlines()
    assert CliRunner().invoke(courtside, shlex.split(example)).output.splitlines()[: len(printed)] == printed


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_links_lead_to_files(link: str) -> None:
    assert (ROOT / link).exists()
