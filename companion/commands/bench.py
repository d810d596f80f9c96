"""`courtside bench …`: benchmarks of this installation on this computer."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name

import click

from companion.commands.options import MODEL


@click.group()
def command() -> None:
    """Measure accuracy and speed on this computer."""


@command.command()
@click.option(
    "--photos",
    envvar="COURTSIDE_PHOTOS",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Labelled pictures: DIR/dev or DIR, with images/ and labels/ (Ultralytics layout).",
)
@MODEL
@click.option("--live", is_flag=True, help="Read as in live video: one fast pass, no tiles.")
@click.pass_context
def vision(context: click.Context, photos: Path, model: Path | None, live: bool) -> None:
    """Read labelled photos and report correct, missed, wrong and extra dice for each set."""
    from companion.bench import vision
    from companion.resources import resource
    from vision.dice.detector import Detector
    from vision.dice.networks import DamagedModel

    try:
        detector = Detector(model or resource("models"))
        folder = photos / "dev" if (photos / "dev").is_dir() else photos
        measured = vision.measure(folder, lambda image: detector.detect(image, thorough=not live))
    except (DamagedModel, ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error
    click.echo(vision.table(measured))
    click.echo()
    click.echo(vision.details(measured))


@command.command()
@click.option(
    "--source",
    metavar="FILE",
    help="A video. `demo` is the bundled game, `table` its start at 30 frames per second. Default: both.",
)
@click.option(
    "--minutes", type=click.FloatRange(0.1, 600), default=2.0, show_default=True, help="Minutes of video in each mode."
)
@click.option(
    "--gated", is_flag=True, help="Only with motion-gated detection, as in play; skip detection on every frame."
)
@MODEL
def live(source: str | None, minutes: float, gated: bool, model: Path | None) -> None:
    """Process a video at 1280×720 as fast as possible; report frame rate, delay to the record and memory."""
    from companion.bench import live
    from companion.cli_errors import CliError
    from companion.commands.print_readings import demo_clip, load_detector
    from companion.resources import resource
    from vision.dice.networks import DamagedModel
    from vision.sources.jpeg import Unusable

    try:
        bundled = {"table": str(resource("datasets", "bench", "table30.mp4")), "demo": demo_clip()}
        for name in [source] if source else list(bundled):
            if not source:
                click.echo(f"{name}:")
            ways = (False,) if gated else (False, True)
            for lines in live.bench(Path(bundled.get(name, name)), load_detector(model), minutes * 60, ways):
                click.echo(lines)
    except (DamagedModel, Unusable, FileNotFoundError) as error:
        raise CliError(str(error)) from None


@command.command()
@click.option("--games", default=20, show_default=True, help="Games in each match (2000 for the table in the docs).")
@click.option(
    "--positions", default=300, show_default=True, help="Positions to analyse, each from a different self-play game."
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for partial results, to continue a stopped run.",
)
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Games to play in parallel.")
def advice(games: int, positions: int, seed: int, keep: Path | None, processes: int) -> None:
    """Time the odds, and let the advisor play against other players."""
    from companion.plugins import plugins

    for report in [resolve_name(one.bench) for one in plugins() if one.bench]:
        for line in report(games, positions, seed, keep, processes):
            click.echo(line)
