"""Wrong options and unreadable input: one sentence on standard error and status 2 for every command."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.cli import courtside, main
from companion.cli_text import Text
from companion.server.bootstrap import PlayOptions, open_app

pytestmark = pytest.mark.slow


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
        ("juggle",),
        ("read", "nowhere.jpg"),
        ("cards", "read", "--set", "nowhere", "nowhere.jpg"),
        ("replay", "nowhere.txt"),
        ("odds", "--active", "7,8"),
        ("games", "--archive", "sqlite:////nowhere/none.sqlite3", "show", "nothing"),
        ("play", "--source", "none", "--players", "J\udcfcrgen,Bert"),  # as Python reads bytes that are no UTF-8
        ("play", "--source", "none", "--host", "J\udcfcrgen"),
        ("games", "show", "J\udcfcrgen"),
    ],
)
def test_an_impossible_command_gets_one_sentence_and_status_2(
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


def text_parameters(command: click.Command, context: click.Context) -> Iterator[click.Parameter]:
    yield from (param for param in command.params if isinstance(param.type, click.types.StringParamType))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from text_parameters(below, context)


def test_every_text_that_a_command_takes_is_checked() -> None:
    found = list(text_parameters(courtside, click.Context(courtside)))
    assert len(found) > 30
    assert [param.name for param in found if not isinstance(param.type, Text)] == []


def options(host: str) -> PlayOptions:
    return PlayOptions("none", "krone", None, (), None, host, 0, False, None, None, None)


def test_an_unwritable_data_folder_does_not_prevent_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: the archive reported that games are not kept, and then the program did not start."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    said: list[str] = []
    running_app = open_app(options("127.0.0.1"), said.append, tmp_path / "file" / "courtside")
    try:
        assert running_app.app_state.invitation_link("host").startswith("http://127.0.0.1:")
    finally:
        running_app.stop()
    assert len(said) == 2
    assert "games are not kept" in said[0]
    assert "invitations end with this program" in said[1]


@pytest.mark.parametrize(("host", "shown"), [("::1", "[::1]"), ("::", "[::1]"), ("127.0.0.1", "127.0.0.1")])
def test_every_address_of_the_page_can_be_typed_into_a_browser(tmp_path: Path, host: str, shown: str) -> None:
    if ":" in host and not has_ipv6():
        pytest.skip("this computer has no IPv6")
    running_app = open_app(options(host), lambda said: None, tmp_path)
    try:
        port = running_app.server.port
        assert running_app.server.address == f"http://{shown}:{port}/"
        link = running_app.app_state.invitation_link("spectator")
        linked = link.removeprefix("http://").partition(f":{port}/pair/")[0]
        assert linked == shown or host == "::"
        assert ":" not in linked.strip("[]") or linked.startswith("[")
    finally:
        running_app.stop()


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True
