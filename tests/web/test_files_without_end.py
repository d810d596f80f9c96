"""Files that never end, block, or hold one endless line give a short sentence at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no FIFOs and no /dev/zero"),
]
SECONDS = 60  # to start on a busy computer; what waits forever takes longer


def said(*arguments: object) -> tuple[int, str]:
    """Exit status and standard error of a command."""
    code = "from companion.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", [("read",), ("replay",), ("watch", "--readings")])
def test_a_fifo_without_a_writer_is_refused_and_not_waited_for(tmp_path: Path, command: tuple[str, ...]) -> None:
    fifo = tmp_path / "fifo.jpg"
    os.mkfifo(fifo)
    status, sentence = said(*command, fifo)
    assert status == 2
    assert "is not a file" in sentence


@pytest.mark.parametrize("command", ["read", "replay"])
def test_dev_zero_is_refused_and_not_read_to_an_end_it_does_not_have(command: str) -> None:
    status, sentence = said(command, "/dev/zero")
    assert status == 2
    assert "/dev/zero" in sentence
    assert "is not a file" in sentence


@pytest.mark.parametrize("bad", ["", "A roll "])
def test_a_bad_line_of_10_megabytes_is_not_repeated_whole(tmp_path: Path, bad: str) -> None:
    record = tmp_path / "record.txt"
    record.write_text('[Game "krone"]\n[Players "Anna" "Bert"]\n\n' + bad + "x" * 10_000_000 + "\n")
    status, sentence = said("replay", record)
    assert status == 3
    assert "line" in sentence
    assert len(sentence) < 1000
