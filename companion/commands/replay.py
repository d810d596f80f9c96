"""`courtside replay FILE`: the state after a record, or the line where it becomes illegal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from companion.cli_errors import ILLEGAL, CliError
from engine.errors import Unreadable
from engine.replay import Replay, event_count, read_game

MAX_RECORD_BYTES = 20_000_000  # bytes; a 30-turn game has less than 10,000
MAX_MESSAGE = 400  # maximum length of a message in characters
_TEXT_CONTROLS = "\t\n\r\f"


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path, as_json: bool) -> None:
    """Replay a game record and show its state.

    Exit status 2 when the file cannot be read, 3 with line and reason when the game in it breaks the rules.
    """
    text = read_text(file)
    try:
        replay = read_game(text)
    except Unreadable as error:
        raise CliError(f"{file}: line {error.line}: {_shortened(str(error))}", ILLEGAL) from None
    click.echo(json.dumps(summary(replay), ensure_ascii=False) if as_json else readable(replay))


def summary(replay: Replay) -> dict[str, Any]:
    """The state after a record as JSON data for other programs."""
    game, record, state = replay.game, replay.record, replay.state
    return {
        "game": game.ID,
        "ruleset": record.ruleset,
        "players": list(record.players),
        "finished": state.finished,
        "winner": record.name(state.winners[0]) if len(state.winners) == 1 else None,
        "winners": [record.name(seat) for seat in state.winners],
        "round": state.round,
        "seat": None if state.finished else state.seat,
        "open": list(state.open),
        "tableaux": {name: list(cards) for name, cards in zip(record.players, game.tableaux(state), strict=True)},
        "display": dict(game.display(state)),
        "events": event_count(replay),
        **game.details(state, record.players),
    }


def readable(replay: Replay) -> str:
    """The state after a record as text for people, one fact per line."""
    facts = summary(replay)
    state, record = replay.state, replay.record
    lines = [f"{facts['game']} ({facts['ruleset']}), {' – '.join(facts['players'])}: {facts['events']} entries"]
    if state.finished:
        won = "has won" if facts["winner"] else "have tied"
        lines.append(f"{' and '.join(facts['winners'])} {won} in round {facts['round']}.")
    else:
        lines.append(f"Round {facts['round']}, it is {record.name(state.seat)}'s turn ({state.seat}).")
    for seat in state.open:
        lines.append(f"{record.name(seat)} ({seat}) has a purchase that was not entered.")
    lines += [f"  {name}: {', '.join(cards) or 'no cards'}" for name, cards in facts["tableaux"].items()]
    left = [f"{card} {'∞' if n is None else n}" for card, n in facts["display"].items() if n != 0]
    lines.append(f"  cards for sale: {', '.join(left) or 'none'}")
    return "\n".join(lines)


def read_text(file: Path) -> str:
    """The text of the file.

    Raises:
        CliError: There is none, or (status ILLEGAL) otherwise valid text has an undecodable byte.
    """
    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            raise CliError(f"{file}: is not a file; expected a game record")
        if file.is_file() and file.stat().st_size > MAX_RECORD_BYTES:
            raise CliError(f"{file}: too large for a game record")
        data = file.read_bytes()
    except OSError as error:
        raise CliError(f"{file}: cannot be read ({error.strerror or error}); expected a game record") from None
    if not data.strip():
        raise CliError(f"{file}: is empty; expected a game record")
    text = data.decode("utf-8-sig", errors="surrogateescape")
    stray = [place for place, letter in enumerate(text) if _is_stray(letter)]
    if len(stray) * 20 > len(text):
        raise CliError(f"{file}: is not text; expected a game record")
    if stray:
        line = text[: stray[0]].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        raise CliError(f"{file}: line {line}: a byte that is not UTF-8 text", ILLEGAL)
    return text


def _shortened(sentence: str) -> str:
    """The sentence without the middle of a long line that it quotes."""
    return (
        sentence
        if len(sentence) <= MAX_MESSAGE
        else f"{sentence[: MAX_MESSAGE // 2]} … {sentence[-MAX_MESSAGE // 2 :]}"
    )


def _is_stray(letter: str) -> bool:
    """Whether a character cannot be in a record: undecodable bytes and control characters."""
    return "\ud800" <= letter <= "\udfff" or (letter < " " and letter not in _TEXT_CONTROLS)
