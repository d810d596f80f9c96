"""`courtside watch SRC`: without the page, prints readings or records a game line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.cli_text import names_in
from companion.commands.options import DECK, GAME, MODEL, RULESET, UPSIDE_DOWN


@click.command()
@click.argument("source", metavar="SRC")
@click.option(
    "--readings", "only_readings", is_flag=True, help="Print the dice each time they come to rest, without a game."
)
@click.option("--players", metavar="NAMES", help="Record a game with these players, in seating order: Anna,Bert.")
@UPSIDE_DOWN
@GAME
@RULESET
@DECK
@click.option("--record", type=click.Path(path_type=Path), help="File to write the record to while the game runs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--cards", metavar="SET", help="Name of a learned card set (or a .cards file). Purchases are then recorded too."
)
@click.option("--cards-source", metavar="SRC", help="A second camera or video for the cards only.")
@MODEL
def command(source: str, only_readings: bool, players: str | None, **options: Any) -> None:
    """Record a game without the page.

    SRC is a camera number or name, a video, a stream URL, a folder of pictures or `demo`.

    Enter what the camera cannot see as lines on standard input: `A buy farmer`, `B pass`, any other entry,
    `answer 2` for the last question, `undo` or `redo`. Each line waits until it is legal, so you can send them all
    at once. With `--cards`, what the cards show needs no input.
    """
    if only_readings:
        from companion.commands.print_readings import print_readings

        print_readings(source, **{name: options[name] for name in ("as_json", "model", "upside_down")})
        return
    if options["cards_source"] is not None and options["cards"] is None:
        raise click.UsageError("--cards-source also needs --cards NAME, the name of a learned card set")
    names = names_in(players)
    if not names:
        raise click.UsageError("add --players Anna,Bert to record a game, or --readings to print the dice only")
    from companion.commands.watch_game import watch_game

    watch_game(source, names, **options)
