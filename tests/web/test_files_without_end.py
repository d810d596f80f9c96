"""Files that never end, block, or hold one endless line give a short sentence at once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import courtside

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no FIFOs and no /dev/zero"),
]
SECONDS = 60  # what waits forever takes longer


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """Ends a command that waits forever, and the test with it."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits"))
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def said(*arguments: object) -> tuple[int, str]:
    """Exit status and standard error of a command."""
    done = CliRunner().invoke(courtside, [str(argument) for argument in arguments])
    return done.exit_code, done.stderr


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
def test_a_bad_line_of_a_megabyte_is_not_repeated_whole(tmp_path: Path, bad: str) -> None:
    record = tmp_path / "record.txt"
    record.write_text('[Game "krone"]\n[Players "Anna" "Bert"]\n\n' + bad + "x" * 1_000_000 + "\n")
    status, sentence = said("replay", record)
    assert status == 3
    assert "line" in sentence
    assert len(sentence) < 1000
