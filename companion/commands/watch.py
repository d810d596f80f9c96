"""`courtside watch SRC`: no page; what lies on the table, or a game as it is recorded, line by line."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("source", metavar="SRC")
@click.option(
    "--readings", "only_readings", is_flag=True, help="No game: what lies there each time the dice have settled."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for other programs.")
@click.option("--model", type=click.Path(path_type=Path), help="Weights to use instead of the ones that came along.")
def command(source: str, only_readings: bool, as_json: bool, model: Path | None) -> None:
    """Watch SRC (camera number or name, video, stream address, folder of stills, `demo`) without the page."""
    if only_readings:
        from companion.settled import print_readings

        print_readings(source, as_json=as_json, model=model)
        return
    raise click.UsageError("say --readings to see what lies there")
