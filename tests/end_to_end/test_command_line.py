"""Wrong options and unreadable input: one sentence on standard error and status 2, whatever the command."""

from __future__ import annotations

import subprocess
import sys

import pytest

from companion.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "--ruleset", "munchkin"),
        ("odds", "--game", "chess"),
        ("odds", "--game", "knatsch", "--throws", "x"),
        ("odds", "--nonsense"),
        ("play", "--ruleset", "munchkin"),
        ("play", "--game", "knatsch", "--ruleset", "amigo2006"),
        ("play", "--port", "99999"),
        ("watch", "demo", "--players", "Anna,Bert", "--ruleset", "munchkin"),
        ("watch", "demo"),
        ("replay",),
        ("read",),
        ("mat", "--paper", "a0"),
        ("games", "--nonsense"),
        ("bench", "advice", "--games", "many"),
        ("juggle",),
        ("read", "nowhere.jpg"),
        ("cards", "read", "--set", "nowhere", "nowhere.jpg"),
        ("replay", "nowhere.txt"),
        ("odds", "--active", "7,8"),
        ("games", "--archive", "sqlite:////nowhere/none.sqlite3", "show", "nothing"),
    ],
)
def test_what_cannot_be_done_gets_one_sentence_and_status_2(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["courtside", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert said.out == ""
    assert said.err.startswith("courtside: ")
    assert said.err.count("\n") == 1


def test_the_command_runs_as_a_module_too() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "companion.cli", "juggle"], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.startswith("courtside: ")
