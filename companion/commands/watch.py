"""`courtside watch SRC`: no page; what lies on the table, or a game as it is recorded, line by line."""

from __future__ import annotations

from pathlib import Path

import click

from engine.games import GAME_IDS


@click.command()
@click.argument("source", metavar="SRC")
@click.option(
    "--readings", "only_readings", is_flag=True, help="No game: what lies there each time the dice have settled."
)
@click.option("--players", metavar="NAMES", help="Record a game of these players, as they sit: Anna,Bert.")
@click.option("--upside-down", is_flag=True, help="The camera hangs upside down: turn its pictures.")
@click.option("--game", type=click.Choice(GAME_IDS), default=GAME_IDS[0], show_default=True)
@click.option("--ruleset", help="Rules to play by; the game's own default when left out.")
@click.option("--deck", type=click.Path(path_type=Path), help="Knatsch: a deck file of your own (TOML).")
@click.option("--record", type=click.Path(path_type=Path), help="File that always holds the record so far.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for other programs.")
@click.option("--cards", metavar="SET", help="Cards taught under this name (or a .cards file): purchases are seen too.")
@click.option("--cards-source", metavar="SRC", help="A second camera or film, which looks at the cards only.")
@click.option("--model", type=click.Path(path_type=Path), help="Weights to use instead of the ones that came along.")
def command(
    source: str,
    only_readings: bool,
    players: str | None,
    upside_down: bool,
    game: str,
    ruleset: str | None,
    deck: Path | None,
    record: Path | None,
    as_json: bool,
    cards: str | None,
    cards_source: str | None,
    model: Path | None,
) -> None:
    """Watch SRC (camera number or name, video, stream address, folder of stills, `demo`) without the page.

    While a game is recorded, lines on standard input enter what no camera sees: `A buy farmer`, `B pass`, any other
    event, `answer 2` for the last question, `undo`, `redo`. Each line waits for its place, so they may all be
    given at once. With `--cards` nothing has to be entered for a game of Um Krone und Kragen.
    """
    if only_readings:
        from companion.commands.print_readings import print_readings

        print_readings(source, as_json=as_json, model=model, upside_down=upside_down)
        return
    if cards_source is not None and cards is None:
        raise click.UsageError("say which cards --cards-source looks at: --cards NAME, as they were taught")
    names = [name for name in (part.strip() for part in (players or "").split(",")) if name]
    if not names:
        raise click.UsageError("say who plays with --players Anna,Bert, or --readings to see only what lies there")
    from companion.game.watch_game import watch_game

    watch_game(
        source, names, game=game, ruleset=ruleset, deck=deck, record=record, as_json=as_json, model=model,
        upside_down=upside_down, cards=cards, cards_source=cards_source,
    )  # fmt: skip
