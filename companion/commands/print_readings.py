"""Prints the dice on the table each time they have settled into something new, one line each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from companion.cli_errors import CliError, print_error
from companion.resources import resource
from vision.dice.detector import Detector, for_films
from vision.dice.networks import DamagedModel
from vision.pipeline import Pipeline, readings
from vision.sources.camera import Unusable, frames, is_live
from vision.sources.starting import once_started
from vision.types import Frame, Lost, Reading


def print_readings(source: str, *, as_json: bool, model: Path | None = None, upside_down: bool = False) -> None:
    """Prints each newly settled reading of a source until it ends.

    Raises:
        CliError: The source cannot be read.
    """
    try:
        path = source_path(source)
        pipeline = Pipeline(load_detector(model), live=is_live(path))
        started = once_started(frames(path, upside_down=upside_down), print_error)
        for reading in readings(_reporting_losses(started), pipeline):
            click.echo(json.dumps(as_object(reading)) if as_json else as_text(reading))
    except (Unusable, DamagedModel, FileNotFoundError) as error:
        raise CliError(str(error)) from None


def as_object(reading: Reading) -> dict[str, object]:
    """The reading as JSON data for other programs."""
    return {
        "frame": reading.frame,
        "seconds": round(reading.seconds, 2),
        "rolls": round(reading.rolls),
        "active": list(reading.active),
        "kept": list(reading.kept),
    }


def as_text(reading: Reading) -> str:
    """The reading as a line for people."""
    active, kept = (" ".join(map(str, faces)) or "–" for faces in (reading.active, reading.kept))
    line = f"{reading.seconds:8.2f} s   roll {round(reading.rolls)}   active: {active}   set aside: {kept}"
    return f"{line}   ({reading.doubt})" if reading.doubt else line


def load_detector(model: Path | None = None) -> Detector:
    """The detector with the given weights, or the bundled ones, for consecutive frames."""
    return for_films(model or resource("models"))


def source_path(source: str) -> str:
    """The source, with `demo` replaced by the path of the bundled game."""
    return demo_clip() if source == "demo" else source


def demo_clip() -> str:
    """The path of the bundled demo game.

    Raises:
        FileNotFoundError: It is missing.
    """
    return str(resource("datasets", "demo", "demo.mp4"))


def _reporting_losses(source: Iterable[Frame | Lost]) -> Iterator[Frame | Lost]:
    """Yields the same frames; prints one line to standard error when the source is lost."""
    lost = False
    for item in source:
        if isinstance(item, Lost) and not lost and not item.starting:
            print_error(f"camera lost: {item.why}")
        lost = isinstance(item, Lost)
        yield item
