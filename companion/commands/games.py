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
from companion.archive.copies import copies, restore_file, restore_games
from companion.archive.database import ArchiveError, DamagedFile, archive_file
from companion.archive.store import Archive
from companion.cli_errors import complain
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
    except DamagedFile as error:
        if context.invoked_subcommand != "restore":
            _stop(2, f"{error}; `courtside games restore` brings back its newest copy")
        context.obj = None  # what can be done without it, `restore` does
    except ArchiveError as error:
        _stop(2, str(error))
    else:
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
            won = f"damaged: {game.damage}; {game.events} events can be read" if game.damage else won
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
    damage = _asked(lambda: game_repository.saved(archive, game).damage)
    if out is None:
        click.echo(text, nl=False)
    else:
        try:
            out.write_bytes(text.encode())  # the text has its own line endings
        except OSError as error:
            _stop(2, f"{out}: cannot be written ({error.strerror})")
    if damage is not None:
        _stop(3, f"{damage}; this is what stands before it")


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option("--again", is_flag=True, help="Also take games that are in the archive already.")
@click.pass_obj
def import_games(archive: Archive, files: tuple[Path, ...], again: bool) -> None:
    """Puts the records in FILE… into the archive and prints their ids. The good ones are taken when others are not."""
    worst = 0
    for file in files:
        try:
            text = read_text(file)
            game = _asked(functools.partial(game_repository.import_record, archive, text, again))
            click.echo(f"{game}  {file}")
        except Unreadable as error:
            complain(f"{file}: line {error.line}: {error}")
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
    row = _asked(lambda: archive.row(game))
    if not yes:
        players = (
            " and ".join(_asked(lambda: game_repository.summary(archive, row)).players) or "players who cannot be read"
        )
        click.confirm(f"Delete the game of {players} for good?", abort=True)
    _asked(lambda: archive.delete(game))
    click.echo(f"{game} is deleted")


@command.command("restore")
@click.argument("game", required=False)
@click.option("--copy", "day", metavar="DAY", help="From the copy of this evening (2026-11-23), also what is gone.")
@click.option("--list", "listed", is_flag=True, help="Only show which copies there are.")
@click.pass_context
def restore(context: click.Context, game: str | None, day: str | None, listed: bool) -> None:
    """Brings damaged games back from the copies that are kept of every evening; GAME also when it was deleted.

    Games that are whole stay as they are. A file that does not open any more is put aside, and its newest copy put in
    its place.
    """
    archive: Archive | None = context.obj
    file = archive_file(context.parent.params["url"] if context.parent else None)
    if file is None:
        _stop(2, "an archive on a server has no copies here; ask whoever keeps the server for a backup")
    known = copies(file)
    if listed:
        for copy in known:
            click.echo(f"{copy.name}  {copy.path}")
        return
    chosen = next((copy for copy in known if copy.name == day), None)
    if day is not None and chosen is None:
        _stop(2, f"there is no copy of {day}; there is: {', '.join(copy.name for copy in known) or 'none'}")
    if archive is None:
        found = [_asked(lambda: restore_file(file))]
    else:
        try:
            found = restore_games(archive, game, chosen)
        except DamagedFile:
            archive.close()
            found = [_asked(lambda: restore_file(file))]
        except ArchiveError as error:
            _stop(2, str(error))
    for one in found:
        if one.file is not None:
            click.echo(f"the damaged file is kept as {one.file}; the copy of {one.copy.name} has taken its place")
        click.echo(f"from the copy of {one.copy.name}: {', '.join(one.games) or 'no games'}")
    if not found:
        click.echo(f"game {game} is whole here, or in no copy" if game else "nothing to restore")


def _asked(question: Callable[[], Answer]) -> Answer:
    try:
        return question()
    except ArchiveError as error:
        _stop(2, str(error))


def _stop(status: int, sentence: str) -> NoReturn:
    complain(sentence)
    sys.exit(status)
