"""`courtside games`: the archive on the command line."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from companion.archive import game_repository
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.commands.replay import read_text, readable, summary
from engine.errors import Unreadable

Answer = TypeVar("Answer")


@click.group("games")
@click.option("--archive", "url", metavar="URL", help="Another archive: sqlite:///FILE or postgresql+psycopg://…")
@click.pass_context
def command(context: click.Context, url: str | None) -> None:
    """Lists, shows, exports, imports and deletes recorded games."""
    try:
        context.obj = Archive(url)
    except ArchiveError as error:
        _stop(2, str(error))
    context.call_on_close(context.obj.close)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_obj
def list_games(archive: Archive, as_json: bool) -> None:
    """All games, the one played last first."""
    games = _asked(lambda: game_repository.summaries(archive))
    if not games and not as_json:
        click.echo("no games yet")
    for game in games:
        if as_json:
            click.echo(json.dumps(game.body(), ensure_ascii=False))
        else:
            won = f"{game.winner} won" if game.finished else f"{game.events} events, not finished"
            click.echo(f"{game.id}  {game.touched:%Y-%m-%d %H:%M}  {game.game:8}{' – '.join(game.players)}  ({won})")


@command.command("show")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="The same object as `courtside replay --json`.")
@click.pass_obj
def show(archive: Archive, game: str, as_json: bool) -> None:
    """Where GAME stands."""
    replay = _asked(lambda: game_repository.replayed(archive, game))
    click.echo(json.dumps(summary(replay), ensure_ascii=False) if as_json else readable(replay))


@command.command("export")
@click.argument("game")
@click.option("--format", "form", type=click.Choice(game_repository.FORMATS), default="record", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of the screen.")
@click.pass_obj
def export(archive: Archive, game: str, form: str, out: Path | None) -> None:
    """Writes GAME as a record, as JSON with every change, or as a table."""
    text = _asked(lambda: game_repository.exported(archive, game, form))
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_bytes(text.encode())  # the text has its own line endings
    except OSError as error:
        _stop(2, f"{out}: cannot be written ({error.strerror})")


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.pass_obj
def import_games(archive: Archive, files: tuple[Path, ...]) -> None:
    """Puts the records in FILE… into the archive and prints their ids. The good ones are taken when others are not."""
    worst = 0
    for file in files:
        try:
            text = read_text(file)
            game = _asked(functools.partial(game_repository.import_record, archive, text))
            click.echo(f"{game}  {file}")
        except Unreadable as error:
            click.echo(f"{file}: line {error.line}: {error}", err=True)
            worst = 3
        except SystemExit as stopped:  # the sentence about this file has been said; the others are still to come
            worst = max(worst, int(stopped.code or 0))
    sys.exit(worst)


@command.command("delete")
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(archive: Archive, game: str, yes: bool) -> None:
    """Forgets GAME with all its pictures, for good."""
    replay = _asked(lambda: game_repository.replayed(archive, game))
    if not yes:
        click.confirm(f"Delete the game of {' and '.join(replay.record.players)} for good?", abort=True)
    _asked(lambda: archive.delete(game))
    click.echo(f"{game} is deleted")


def _asked(question: Callable[[], Answer]) -> Answer:
    try:
        return question()
    except ArchiveError as error:
        _stop(2, str(error))


def _stop(status: int, sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(status)
