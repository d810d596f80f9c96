"""`courtside bench …`: measures this installation on this computer."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Measure the dice reader, the live table and the advice on this computer."""


@command.command()
@click.option(
    "--photos",
    envvar="COURTSIDE_PHOTOS",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Labelled pictures: DIR/dev, or DIR itself, with images/ and labels/ (Ultralytics' layout).",
)
@click.option("--model", type=click.Path(path_type=Path), metavar="FILE", help="Another dice reader.")
@click.option("--live", is_flag=True, help="Read as live video is read: one quick look, no tiles.")
@click.pass_context
def vision(context: click.Context, photos: Path, model: Path | None, live: bool) -> None:
    """Read labelled photos and say by set what was read right, missed, wrong and extra."""
    from companion.bench import vision
    from companion.resources import resource
    from vision.dice.detector import Detector
    from vision.dice.networks import DamagedModel

    try:
        detector = Detector(model if model is not None else resource("models"))
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
    help="A video; `demo` is the bundled game, `table` its beginning filmed with 30 frames a second. Left out: both.",
)
@click.option("--minutes", type=click.FloatRange(0.1, 600), default=2.0, show_default=True, help="Of video, each way.")
@click.option(
    "--gated", is_flag=True, help="Only with detection gated, as it plays; not with detection on every frame."
)
@click.option("--model", type=click.Path(path_type=Path), metavar="FILE", help="Another dice reader.")
def live(source: str | None, minutes: float, gated: bool, model: Path | None) -> None:
    """Watch a video at 1280×720 as fast as possible: frames a second, time from settled to recorded, memory."""
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
@click.option("--games", default=20, show_default=True, help="Games of every match (2000 for the table in the docs).")
@click.option("--positions", default=300, show_default=True, help="Positions of as many games of self-play to answer.")
@click.option("--seed", default=1, show_default=True)
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Where a run that was stopped goes on.")
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Games played side by side.")
def advice(games: int, positions: int, seed: int, keep: Path | None, processes: int) -> None:
    """Time the odds and let the advisor play other players, two to five of them: both rulesets, and Knatsch."""
    from companion.bench import advice

    for line in advice.report(games, positions, seed, keep, processes):
        click.echo(line)
