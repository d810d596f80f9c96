"""An installed wheel plays the demo: it contains weights, clip, decks and translations."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.stress


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel; returns its folder of programs.

    The wheel's dependencies come from the tests' environment, by a path that does not include the checkout.
    `test_every_imported_package_is_declared` checks that none is missing from the wheel's list.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(build, check=True)
    (wheel,) = folder.glob("courtside-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel]
    subprocess.run([sys.executable, "-m", "pip", "--python", programs / "python", *install], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    Path(own, "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return programs


@pytest.fixture
def address(elsewhere: Path, tmp_path: Path) -> Iterator[str]:
    """Runs `courtside play --source demo` from the wheel, outside the checkout; yields the address it prints."""
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
        play.wait(timeout=300)


def test_demo_plays_from_the_wheel_and_records_a_turn(address: str) -> None:
    urllib.request.urlopen(address, timeout=120).read()  # the demo starts with its first viewer
    deadline = time.monotonic() + 900
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{address.rstrip('/')}/record.txt", timeout=120) as answer:
            record = answer.read().decode()
        if re.search(r"^A (buy|pass)", record, re.MULTILINE):
            return
        time.sleep(0.5)
    pytest.fail(f"no turn was recorded within a quarter of an hour:\n{record}")


def test_the_wheel_runs_from_where_it_was_installed(elsewhere: Path, tmp_path: Path) -> None:
    asked = [elsewhere / "python", "-c", "import companion; print(companion.__file__)"]
    where = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert str(elsewhere.parent) in where


def test_the_wheel_contains_no_training_code_tests_or_documents(elsewhere: Path) -> None:
    """Bug: it contained checkpoints, eight-bit copies, tests and documents, 31 MB in all. Of 21 MB now, most are
    weights and tables."""
    (wheel,) = elsewhere.parents[1].glob("courtside-*.whl")
    unwanted = re.compile(r"\.pt$|/int8/|/tests/|/docs/|/scripts/(?!build_kernel)")
    assert [name for name in zipfile.ZipFile(wheel).namelist() if unwanted.search(name)] == []
    assert wheel.stat().st_size < 24e6


def test_the_source_that_the_wheel_offers_builds_the_same_wheel(elsewhere: Path, tmp_path: Path) -> None:
    """Bug: it offered the installed packages, from which nothing can be built."""
    offer = (
        "import sys; from companion.web.pages.source import _archive; open(sys.argv[1], 'wb').write(_archive()[1][:])"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "COURTSIDE_SOURCE")}
    archive = tmp_path / "source.zip"
    subprocess.run([elsewhere / "python", "-c", offer, archive], cwd=tmp_path, env=environment, check=True)
    zipfile.ZipFile(archive).extractall(tmp_path)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, tmp_path / "courtside"]
    subprocess.run(build, check=True)
    first, second = (
        set(zipfile.ZipFile(wheel).namelist())
        for folder in (elsewhere.parents[1], tmp_path)
        for wheel in folder.glob("courtside-*.whl")
    )
    assert first == second
