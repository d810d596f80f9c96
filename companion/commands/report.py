"""`courtside report IMAGE|FILM`: saves a problem report as one file to send."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.options import MODEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.dice.detector import Detector

SECONDS = 10.0  # length of the end of a video that is packed
PAUSE = 0.1  # minimum interval between its frames
ReportPictures = list[tuple[bytes, "Mapping[str, object]"]]


@click.command()
@click.argument("source", metavar="SRC")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Default: courtside-report.zip.")
@click.option("--says", metavar="VALUES", help="The dice really on the table at the end, such as “3 5 5”.")
@click.option("--upside-down", is_flag=True, help="The camera was mounted upside down: rotate its pictures.")
@MODEL
def command(source: str, out: Path | None, says: str | None, upside_down: bool, model: Path | None) -> None:
    """Save a problem report.

    SRC is a photo or a video; of a video, the last ten seconds are saved. The file contains pictures, readings,
    versions and settings, listed in its README. Check it before you share it. While a game runs, save a report on the
    Camera page instead.
    """
    from companion.camera.failure_report import pack_report, parse_faces
    from companion.cli_errors import CliError
    from companion.commands.print_readings import load_detector
    from companion.resources import resource
    from vision.dice.networks import DamagedModel
    from vision.sources.camera import Unusable
    from vision.sources.files import is_still

    target = out or Path("courtside-report.zip")
    try:
        detector, still = load_detector(model), is_still(Path(source))
        pictures = [_still(Path(source), detector)] if still else _film(source, detector, upside_down)
        number = pictures[-1][1]["frame"] if pictures else 0
        truth = {int(str(number)): parse_faces(says)} if says is not None else {}
        settings = {"source": "a photo" if still else "a film", "upside_down": upside_down}
        data = pack_report(pictures, settings, model or resource("models"), truth)
        target.write_bytes(data)
    except (Unusable, DamagedModel, ValueError) as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"{error.filename or target}: {error.strerror or error}") from None
    click.echo(
        f"{target}: {len(pictures)} picture{'' if len(pictures) == 1 else 's'}. Check the file before you share it."
    )


def _still(path: Path, detector: Detector) -> tuple[bytes, Mapping[str, object]]:
    """A photo, encoded again, and its reading."""
    from companion.camera.failure_report import die_fields
    from vision.sources.files import read_picture
    from vision.sources.jpeg import encoded

    image = read_picture(path)
    seen = detector.detect(image, thorough=True)
    dice = [die_fields(*die) for die in zip(seen.faces, seen.confidences, seen.xyxy, strict=True)]
    return encoded(image, 95), {"frame": 0, "still": True, "dice": dice}


def _film(source: str, detector: Detector, upside_down: bool) -> ReportPictures:
    """The last seconds of a video and their readings."""
    from companion.camera.failure_report import reading_fields
    from vision.pipeline import Pipeline
    from vision.sources.camera import frames, is_live
    from vision.sources.jpeg import Unusable, encoded
    from vision.types import Frame

    if is_live(source):
        raise Unusable("a report needs a photo or a video; for a running camera, use the Camera page")
    watch, packed_at = Pipeline(detector), float("-inf")
    pictures: ReportPictures = []
    for frame in frames(source, upside_down=upside_down):
        reading = watch.step(frame)
        if isinstance(frame, Frame) and frame.seconds - packed_at >= PAUSE:
            packed_at = frame.seconds
            pictures.append((encoded(frame.image, 88), reading_fields(reading)))
            while float(str(pictures[0][1]["seconds"])) < packed_at - SECONDS:
                del pictures[0]
    return pictures
