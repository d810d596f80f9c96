"""A wheel installed elsewhere plays the demo: weights, clip, decks and translations travel with it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = [pytest.mark.fresh, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with nothing but the wheel and what it depends on; returns its folder of programs."""
    folder = tmp_path_factory.mktemp("elsewhere")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], check=True, capture_output=True
    )
    (wheel,) = folder.glob("courtside-*.whl")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [programs / "python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel],
        check=True,
    )
    return programs


@pytest.fixture
def address(elsewhere: Path, tmp_path: Path) -> Iterator[str]:
    """`courtside play --source demo` running from the wheel, away from the checkout; yields the address it prints."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    play = subprocess.Popen(
        [elsewhere / "courtside", "play", "--source", "demo", "--port", "0"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert play.stdout is not None
    try:
        printed = ""
        for line in play.stdout:
            printed += line
            if found := re.search(r"http://\S+", line):
                yield found.group()
                break
        else:
            pytest.fail(f"no address printed:\n{printed}")
    finally:
        play.terminate()
        play.wait(timeout=20)


def test_demo_plays_from_the_wheel_and_records_a_turn(address: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{address.rstrip('/')}/record.txt", timeout=10) as answer:
            record = answer.read().decode()
        if re.search(r"^A (buy|pass)", record, re.MULTILINE):
            return
        time.sleep(0.5)
    pytest.fail(f"no turn was recorded within a minute:\n{record}")
