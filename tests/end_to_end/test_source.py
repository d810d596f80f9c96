"""The source that every page offers is complete: it builds elsewhere, plays and passes its tests."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pages import source
from companion.web.pairing import Pairing

ROOT = Path(__file__).parents[2]
A_FEW_TESTS = "test_krone_costs or test_scoring or test_pages.py"


@pytest.fixture
def offered(app_state: AppState, tmp_path: Path) -> zipfile.ZipFile:
    """The archive that a stranger downloads from the foot of a page."""
    answer = create_app(app_state, Pairing(tmp_path / "data"), Settings(port=1)).test_client().get("/source")
    assert answer.status_code == 200
    return zipfile.ZipFile(io.BytesIO(answer.data))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a clone knows which files belong to the source")
def test_every_file_of_the_repository_is_in_the_source_that_is_offered(offered: zipfile.ZipFile) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {f"courtside/{name}" for name in listed.split("\0") if name and (ROOT / name).exists()}
    assert tracked - set(offered.namelist()) == set()


@pytest.mark.slow
def test_nothing_that_was_built_is_offered_as_source(offered: zipfile.ZipFile) -> None:
    assert [
        name for name in offered.namelist() if re.search(r"__pycache__|/_kernel\.|companion/data/|\.pyc$", name)
    ] == []
    for made in (
        "engine/__pycache__/dice.cpython-311.pyc",
        "engine/krone/advice/_kernel.abi3.so",
        "companion/data/models/x",
    ):
        assert source._is_generated(Path(made)), made
    assert not source._is_generated(Path("engine/krone/advice/kernel/goals.h"))


@pytest.mark.slow
def test_a_full_disk_keeps_the_source_back_with_a_sentence(
    app_state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**asked: object) -> None:
        raise OSError(28, "No space left on device")

    source._archive.cache_clear()
    monkeypatch.setattr("companion.web.pages.source.tempfile.TemporaryFile", full)
    pages = create_app(app_state, Pairing(tmp_path / "data"), Settings(port=1)).test_client()
    answer = pages.get("/source")
    assert answer.status_code == 503
    assert "could not be packed: No space left on device" in answer.text
    monkeypatch.undo()
    assert pages.get("/source").status_code == 200  # it is tried again


def test_a_built_source_archive_is_offered_as_it_is(
    app_state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tmp_path / "courtside-1.tar.gz"
    monkeypatch.setenv("COURTSIDE_SOURCE", str(built))
    source._archive.cache_clear()
    pages = create_app(app_state, Pairing(tmp_path / "data"), Settings(port=1)).test_client()
    try:
        assert pages.get("/source").status_code == 503  # an error, not another source: the host has named this archive
        built.write_bytes(b"all of it")
        answer = pages.get("/source")
    finally:
        source._archive.cache_clear()
    assert answer.data == b"all of it"
    assert answer.mimetype == "application/gzip"
    assert built.name in answer.headers["Content-Disposition"]


@pytest.mark.stress
def test_the_offered_source_builds_and_its_two_commands_run(offered: zipfile.ZipFile, tmp_path: Path) -> None:
    """Bug: constraints.txt was missing, which `make` needs first."""
    offered.extractall(tmp_path)
    home = tmp_path / "courtside"
    passed_on = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")
    }
    passed_on |= {"XDG_DATA_HOME": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}
    make = ["make", f"PYTHON={sys.executable}"]
    play = subprocess.Popen(
        [*make, "play", "PLAY=--source demo --port 0"],
        cwd=home,
        env=passed_on,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert play.stdout is not None
    try:
        printed = ""
        for line in play.stdout:
            printed += line
            if "Courtside is at http://" in line:
                break
        else:
            pytest.fail(printed)
    finally:
        os.killpg(play.pid, signal.SIGTERM)
        play.wait(timeout=300)
    # All tests are collected, so nothing that they import is missing; a few are run, for all take many minutes.
    options = passed_on | {"PYTEST_ADDOPTS": f"-p no:cacheprovider -k '{A_FEW_TESTS}'"}
    tested = subprocess.run([*make, "test"], cwd=home, env=options, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout[-3000:] + tested.stderr[-3000:]
    assert re.search(r"\d+ passed", tested.stdout)
