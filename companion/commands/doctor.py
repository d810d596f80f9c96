"""`courtside doctor [SRC]`: checks a camera and says what to improve."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.options import MODEL


@click.command()
@click.argument("source", metavar="[SRC]", default="0")
@click.option("--seconds", type=click.FloatRange(0.5, 60), default=5.0, show_default=True, help="How long to watch.")
@MODEL
def command(source: str, seconds: float, model: Path | None) -> None:
    """Check a camera and list what to improve.

    SRC is a camera number or name, a video, a stream URL or a folder of pictures.
    """
    from companion.camera.check_up import examine
    from companion.cli_errors import CliError
    from companion.commands.print_readings import load_detector, source_path
    from vision.dice.networks import DamagedModel
    from vision.pipeline import Pipeline
    from vision.sources.camera import Unusable, frames, is_live, open_live
    from vision.types import Lost

    try:
        path = source_path(source)
        live = open_live(path) if is_live(path) else None
        pipeline = Pipeline(load_detector(model), live=live is not None)
        try:
            checkup = examine(live or frames(path), pipeline, seconds)
            settings = live.settings if live else {}
            dropped, arrived = (live.dropped, live.arrived) if live else (0, 0)
        finally:
            if live:
                live.close()
    except (Unusable, DamagedModel, FileNotFoundError) as error:
        raise CliError(str(error)) from None
    if isinstance(checkup, Lost):
        raise CliError(checkup.why)
    for line in checkup.findings():
        click.echo(line)
    for name, value in settings.items():
        click.echo(f"{name:<11} {value} (read back from the camera)")
    if live:
        click.echo(f"dropped     {dropped} of {arrived} pictures because newer ones had arrived")
    advice = checkup.advice()
    click.echo("\n" + "\n".join(advice) if advice else "\nAll good. The dice can be read.")
