"""The container's files fit the program: their commands and the files that they copy exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from companion.cli import courtside

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
BY_ITSELF = json.loads(DOCKERFILE.splitlines()[-1].removeprefix("CMD "))
_EXPANDED = re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}", r"\1", COMPOSE)  # a variable becomes its default, or nothing
BY_COMPOSE = [
    re.findall(r"^ {6}- (\S+)$", block, re.MULTILINE)
    for block in re.split(r"^ {4}command:\n", _EXPANDED, flags=re.M)[1:]
]


@pytest.mark.parametrize("arguments", [BY_ITSELF, *BY_COMPOSE], ids=["Dockerfile", "one table", "a second table"])
def test_the_options_that_a_container_starts_with_exist(arguments: list[str]) -> None:
    assert arguments[0] == "play"
    command = courtside.get_command(click.Context(courtside), "play")
    assert command is not None
    assert command.make_context("play", arguments[1:]).params["host"] == "0.0.0.0"


def test_the_extras_that_the_image_installs_exist() -> None:
    wanted = re.search(r"\.whl\)\[([\w,]+)\]", DOCKERFILE)
    assert wanted is not None
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(wanted[1].split(",")) <= set(extras)
