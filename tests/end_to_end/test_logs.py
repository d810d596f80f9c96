"""The log: a rotating file beside the archive, without secrets. A failing log never stops the game."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.logs import BYTES, FILES, start_logging

pytestmark = pytest.mark.slow


def test_the_log_is_written_to_a_file_of_limited_size(tmp_path: Path) -> None:
    path = start_logging(tmp_path)
    assert path == tmp_path / "courtside.log"
    for number in range(40_000):
        logging.getLogger("companion.camera.worker").info("picture %d could not be read, and this line is long", number)
    assert "picture 39999" in path.read_text("utf-8")
    files = sorted(tmp_path.glob("courtside.log*"))
    assert len(files) == FILES + 1
    assert all(file.stat().st_size <= BYTES for file in files)


def test_lines_reach_the_terminal_only_when_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(tmp_path)
    logging.getLogger("vision").warning("quiet")
    start_logging(tmp_path, verbose=True)
    logging.getLogger("vision").debug("loud")
    start_logging(tmp_path)
    said = capsys.readouterr().err
    assert "loud" in said
    assert "quiet" not in said


def test_an_unwritable_log_folder_does_not_prevent_a_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert start_logging(tmp_path / "file" / "folder") is None


def test_the_password_of_a_camera_is_not_logged(tmp_path: Path) -> None:
    from tests.kit.served_app import served_app

    with served_app(tmp_path, source="http://anna:geheim@127.0.0.1:9/video"):
        pass
    logged = (tmp_path / "courtside.log").read_text("utf-8")
    assert "127.0.0.1:9" in logged
    assert "geheim" not in logged
