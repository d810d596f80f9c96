"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from engine.registry import GAME_IDS

MODEL = click.option(
    "--model", type=click.Path(path_type=Path), metavar="FILE", help="Dice reader to use instead of the bundled one."
)
UPSIDE_DOWN = click.option(
    "--upside-down", is_flag=True, help="The camera is mounted upside down: rotate its pictures."
)
GAME = click.option("--game", type=click.Choice(GAME_IDS), default=GAME_IDS[0], show_default=True)
RULESET = click.option("--ruleset", help="Rules to use. Default: the game's standard rules.")
DECK = click.option(
    "--deck", type=click.Path(path_type=Path), help="Your own deck file (TOML), for a game with a deck."
)
