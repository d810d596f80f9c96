"""Compares live reading with stills: a photo shown as a film and read after half a second, against the photo itself.

`python -m scripts.measure_reader` shows every photo of `values/` and `dev` for a second at 30 frames per
second, each frame with its own slight noise, and counts the dice that both read equally. No labels are needed.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.kit.evaluation.counts import shuffled
from tests.kit.evaluation.metamorphic import equal
from tests.kit.evaluation.photos import UNSEEN, labelled, set_of, share
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.pipeline import Pipeline
from vision.sources.files import PICTURES, read_picture
from vision.types import Frame, Image, Reading

FPS, SECONDS, AFTER = 30, 1.0, 0.5
NOISE = 2.0  # grey levels, standard deviation of a pixel
ROWS = ("values", "unseen", "seen")


@dataclass(frozen=True, slots=True)
class Compared:
    """One photo.

    Attributes:
        name: File name.
        row: One of `ROWS`.
        equal: Dice read equally in the film and the still.
        dice: Dice found in either of them.
        missed: Dice found only in the still.
        extra: Dice found only in the film.
    """

    name: str
    row: str
    equal: int
    dice: int
    missed: int
    extra: int


def frames(image: Image, seconds: float = SECONDS) -> Iterator[Frame]:
    """The photo as a film; each frame has its own noise."""
    rng = np.random.default_rng(image.shape[0])
    for number in range(round(seconds * FPS)):
        noise = rng.normal(0, NOISE, image.shape[:2]).astype(np.float32)[..., None]
        yield Frame(np.asarray((image + noise).clip(0, 255), np.uint8), number / FPS, number)


def seen_after(detector: Detector, image: Image, seconds: float = AFTER) -> Detections:
    """The live pipeline's reading of a film of the photo after this many seconds."""
    pipeline, reading = Pipeline(detector), None
    for frame in frames(image, seconds + 1 / FPS):
        reading = pipeline.step(frame)
    return detections_of(reading) if reading else Detections.none()


def detections_of(reading: Reading) -> Detections:
    """The dice of a reading."""
    if not reading.dice:
        return Detections.none()
    return Detections(
        np.array([die.xyxy for die in reading.dice], np.float32),
        np.array([die.probabilities for die in reading.dice], np.float32),
        np.array([die.there for die in reading.dice], np.float32),
    )


def measure_films(folder: Path, detector: Detector, known: Container[str] = ()) -> Iterator[Compared]:
    """Compares the photos of `folder/values` and `folder/dev`, without those already in `known`."""
    row_of = {path: "values" for path in (folder / "values").iterdir() if path.suffix.lower() in PICTURES}
    row_of |= {path: "unseen" if set_of(path) in UNSEEN else "seen" for path in labelled(folder / "dev")}
    for path in shuffled(row_of):
        if path.name not in known:
            image = read_picture(path)
            still, film = detector.detect(image, thorough=True), seen_after(detector, image)
            same, dice = equal(still, film)
            missed, extra = max(0, len(still) - len(film)), max(0, len(film) - len(still))
            yield Compared(path.name, row_of[path], same, dice, missed, extra)


def films_table(compared: Sequence[Compared]) -> str:
    """One line a row, in Markdown."""
    lines = ["| row | photos | dice read equally | photos read equally |", "|---|---:|---|---|"]
    for row in (*ROWS, "all"):
        some = [one for one in compared if row in (one.row, "all")]
        if some:
            same, dice = sum(one.equal for one in some), sum(one.dice for one in some)
            alike = sum(one.equal == one.dice for one in some)
            lines.append(f"| {row} | {len(some)} | {share(same, dice)} | {share(alike, len(some))} |")
    return "\n".join(lines)
