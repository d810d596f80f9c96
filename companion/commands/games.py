"""`courtside games`: the archive on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from companion.archive.database import ArchiveError, DamagedFile, archive_file
from companion.archive.store import Archive
from companion.cli_errors import ILLEGAL, UNREADABLE, CliError, print_error
from companion.commands.replay import read_text, readable, summary
from companion.game.archived import game_repository
from companion.game.archived.backups import backups, restore_file, restore_games
from engine.errors import Unreadable


class GamesGroup(click.Group):
    """Reports what the archive cannot do in one sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a subcommand.

        Raises:
            CliError: The archive failed.
        """
        try:
            return super().invoke(ctx)
        except ArchiveError as error:
            raise CliError(str(error)) from None


@click.group("games", cls=GamesGroup)
@click.option("--archive", "url", metavar="URL", help="Archive to use: sqlite:///FILE or postgresql+psycopg://…")
@click.pass_context
def command(context: click.Context, url: str | None) -> None:
    """List, show, export and delete games."""
    try:
        context.obj = Archive(url)
    except DamagedFile as error:
        if context.invoked_subcommand != "restore":
            raise CliError(f"{error}; run `courtside games restore` to restore its newest backup") from None
        context.obj = None  # only `restore` works without an archive
    else:
        context.call_on_close(context.obj.close)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.pass_obj
def list_games(archive: Archive, as_json: bool) -> None:
    """List all games, the latest first."""
    games = game_repository.summaries(archive)
    if not games and not as_json:
        click.echo("no games yet")
    for game in games:
        if as_json:
            click.echo(json.dumps(game.body(), ensure_ascii=False))
        else:
            won = f"{' and '.join(game.winners)} won" if game.finished else f"{game.events} entries, not finished"
            won = f"damaged: {game.damage}; {game.events} entries can be read" if game.damage else won
            click.echo(f"{game.id}  {game.touched:%Y-%m-%d %H:%M}  {game.game:8}{' – '.join(game.players)}  ({won})")


@command.command("show")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="Print the same object as `courtside replay --json`.")
@click.pass_obj
def show(archive: Archive, game: str, as_json: bool) -> None:
    """Show the state of GAME."""
    replay = game_repository.load_replay(archive, game)
    click.echo(json.dumps(summary(replay), ensure_ascii=False) if as_json else readable(replay))


@command.command("export")
@click.argument("game")
@click.option(
    "--format", "file_format", type=click.Choice(game_repository.EXPORT_FORMATS), default="record", show_default=True
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file instead of the screen."
)
@click.pass_obj
def export(archive: Archive, game: str, file_format: str, out: Path | None) -> None:
    """Write GAME as a record, as JSON with every change, or as a table."""
    text = game_repository.export(archive, game, file_format)
    damage = game_repository.load(archive, game).damage
    if out is None:
        click.echo(text, nl=False)
    else:
        try:
            out.write_bytes(text.encode())  # the text has its own line endings
        except OSError as error:
            raise CliError(f"{out}: cannot be written ({error.strerror})") from None
    if damage is not None:
        raise CliError(f"{damage}; only the part before it was written", ILLEGAL)


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option("--again", is_flag=True, help="Also import games that are already in the archive.")
@click.pass_obj
def import_games(archive: Archive, files: tuple[Path, ...], again: bool) -> None:
    """Import the records in FILE… and print their IDs. Valid records are imported even if others fail."""
    worst = 0
    for file in files:
        try:
            text = read_text(file)
            game = game_repository.import_record(archive, text, again)
            click.echo(f"{game}  {file}")
        except Unreadable as error:
            print_error(f"{file}: line {error.line}: {error}")
            worst = ILLEGAL
        except ArchiveError as error:
            print_error(str(error))
            worst = max(worst, UNREADABLE)
        except CliError as error:
            error.show()
            worst = max(worst, error.exit_code)
    sys.exit(worst)


@command.command("delete")
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def delete(archive: Archive, game: str, yes: bool) -> None:
    """Delete GAME and all its pictures permanently."""
    row = archive.row(game)
    if not yes:
        players = " and ".join(game_repository.summary(archive, row).players) or "unreadable players"
        click.confirm(f"Delete the game of {players} permanently?", abort=True)
    archive.delete(game)
    click.echo(f"{game} is deleted")


@command.command("restore")
@click.argument("game", required=False)
@click.option(
    "--copy", "day", metavar="DAY", help="Use the backup of this evening (2026-11-23); also restores deleted games."
)
@click.option("--list", "listed", is_flag=True, help="Only list the backups.")
@click.pass_context
def restore(context: click.Context, game: str | None, day: str | None, listed: bool) -> None:
    """Restore damaged games from the backup of each evening. GAME is restored even if it was deleted.

    Intact games stay as they are. An archive file that cannot be opened is set aside and replaced by its newest
    backup.
    """
    archive: Archive | None = context.obj
    file = archive_file(context.parent.params["url"] if context.parent else None)
    if file is None:
        raise CliError("there are no backups here for an archive on a server; ask its administrator")
    known = backups(file)
    if listed:
        for backup in known:
            click.echo(f"{backup.name}  {backup.path}")
        return
    chosen = next((backup for backup in known if backup.name == day), None)
    if day is not None and chosen is None:
        raise CliError(
            f"there is no backup of {day}; there are: {', '.join(backup.name for backup in known) or 'none'}"
        )
    if archive is None:
        found = [restore_file(file)]
    else:
        try:
            found = restore_games(archive, game, chosen)
        except DamagedFile:
            archive.close()
            found = [restore_file(file)]
    for one in found:
        if one.file is not None:
            click.echo(f"the damaged file is kept as {one.file} and replaced by the backup of {one.backup.name}")
        click.echo(f"restored from the backup of {one.backup.name}: {', '.join(one.games) or 'no games'}")
    if not found:
        click.echo(f"game {game} is intact, or in no backup" if game else "nothing to restore")
