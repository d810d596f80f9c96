"""Wrong options: one sentence on standard error and status 2, whatever the command."""

from __future__ import annotations

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
    ],
)
def test_a_wrong_option_gets_one_sentence_and_status_2(
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
