"""Photos held before the camera for a moment, as a hand-held or a trembling camera sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.bench.vision import labelled, truth_of
from tests.kit.photograph import grain
from vision.dice.detections import Detections
from vision.dice.detector_api import Detects
from vision.dice.scoring import Outcome, Tally, compare
from vision.pipeline import Pipeline
from vision.sources.jpeg import decode
from vision.types import Frame, Image, Reading

RATE = 15.0
SECONDS = 1.6
TREMBLE = 0.6  # pixels a picture wanders at most
GRAIN = 3.0  # grey levels of noise


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """One photo: its file, the last reading compared with the labels, seconds until it first settled (None: never)."""

    path: Path
    outcome: Outcome
    settled: float | None

    @property
    def source(self) -> str:
        """The set, from the file's name."""
        return self.path.name.split("__")[0] if "__" in self.path.name else "own"


def held_up(image: Image, seed: int) -> Iterator[Frame]:
    """The photo for SECONDS, trembling and noisy."""
    chance = np.random.default_rng(seed)
    for number in range(round(SECONDS * RATE)):
        x, y = chance.uniform(-TREMBLE, TREMBLE, 2)
        moved = cv2.warpAffine(
            image, np.array([[1, 0, x], [0, 1, y]]), image.shape[1::-1], borderMode=cv2.BORDER_REFLECT
        )
        grainy = cv2.add(moved, grain(image.shape, GRAIN, 0.0, chance), dtype=cv2.CV_8U)
        yield Frame(np.asarray(grainy, np.uint8), number / RATE, number)


def hold(folder: Path, detector: Detects, only: str = "") -> Iterator[Held]:
    """Every labelled photo of the folder, watched by the whole live pipeline."""
    for seed, path in enumerate(labelled(folder)):
        if not path.name.startswith(only):
            continue
        image = decode(path.read_bytes(), str(path))
        pipeline, reading, settled = Pipeline(detector), None, None
        for frame in held_up(image, seed):
            reading = pipeline.step(frame)
            if reading.settled and settled is None:
                settled = frame.seconds
        assert reading is not None
        yield Held(path, compare(_as_detections(reading), truth_of(path, image)), settled)


def held_table(held: Sequence[Held]) -> str:
    """By set, in Markdown."""
    lines = [
        "| set | pictures | dice | read right | missed | wrong | extra | silently wrong | pictures right | unsettled |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in [*sorted({one.source for one in held}), "**all**"]:
        rows = [one for one in held if name in (one.source, "**all**")]
        t = Tally.of([one.outcome for one in rows])
        lines.append(
            f"| {name} | {t.pictures} | {t.dice} | {100 * t.right / max(t.dice, 1):.1f} % | {t.missed} | {t.wrong} "
            f"| {t.extra} | {t.silent} | {100 * t.complete / t.pictures:.1f} % "
            f"| {sum(one.settled is None for one in rows)} |"
        )
    return "\n".join(lines)


def _as_detections(reading: Reading) -> Detections:
    rows = reading.dice
    return Detections(
        np.array([die.xyxy for die in rows], np.float32).reshape(-1, 4),
        np.array([die.probabilities for die in rows], np.float32).reshape(-1, 6),
        np.ones(len(rows), np.float32),
    )
