"""`courtside odds`: the odds of a turn, with a subcommand for each game that offers them."""

from __future__ import annotations

from pkgutil import resolve_name

import click

from companion.cli_text import check_text
from companion.plugins import plugin, plugins
from engine.registry import GAME_IDS


class ByGame(click.Group):
    """`odds GAME …`. The older forms `odds --game GAME …` and `odds …`, for the first game, still work."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Inserts the game's name where an older form of the command omits it."""
        if not {*args} & {*GAME_IDS, "--help", "-h"} or "--game" in args:
            place = args.index("--game") if "--game" in args else len(args)
            game = args[place + 1] if place + 1 < len(args) else GAME_IDS[0]
            args = [game, *args[:place], *args[place + 2 :]]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Ids of the games that offer odds."""
        return [one.id for one in plugins() if one.odds]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this game; None if it offers no odds."""
        command = plugin(cmd_name).odds if cmd_name in GAME_IDS else ""
        return check_text(resolve_name(command)) if command else None


@click.command("odds", cls=ByGame)
def command() -> None:
    """Print the odds of a turn: `courtside odds GAME …`."""
