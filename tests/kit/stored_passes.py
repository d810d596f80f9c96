"""Stored output of the shipped reader and the motion detector for rendered films, so compact that many turns load
quickly."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.kit.played_turns import UnusedDetector, layout_of
from tests.kit.setting import LAYOUTS, random_setting
from vision.dice.detections import Detections
from vision.pipeline import Detects, Pipeline
from vision.table.layout import Layout
from vision.tracking.constants import WIDTH
from vision.tracking.motion import Activity
from vision.tracking.tracked_die import TrackedDie
from vision.types import Box, Reading

Columns = dict[str, npt.NDArray[np.generic]]
Float = npt.NDArray[Any]  # float32, which the stubs of numpy do not promise
PARTS = 16  # resolution of stored boxes, steps per pixel
FPS = 12.0


@dataclass(slots=True)
class StoredPasses:
    """The stored passes of one film.

    Attributes:
        lines: The record's lines.
        size: Width and height of the frames.
        passes: (frame, detections) of each pass.
        activities: Activity in each frame.
        entered: (frame, line that a person enters then).
    """

    lines: list[str]
    size: tuple[int, int]
    passes: list[tuple[int, Detections]] = field(default_factory=list)
    activities: list[Activity] = field(default_factory=list)
    entered: list[tuple[int, str]] = field(default_factory=list)

    def columns(self) -> Columns:
        """The data as arrays."""
        scale = self.size[0] / WIDTH
        values = {"lines": self.lines, "size": self.size, "entered": self.entered}
        rows = [found for _, found in self.passes]
        boxes = np.concatenate([found.xyxy for found in rows]) * PARTS
        return {
            "values": np.frombuffer(json.dumps(values).encode(), np.uint8),
            "looked": np.array([(frame, len(found)) for frame, found in self.passes], np.uint16),
            "boxes": np.clip(boxes.round(), 0, 65535).astype(np.uint16),
            "chances": (np.concatenate([found.probabilities for found in rows]) * 255).round().astype(np.uint8),
            "scores": (np.concatenate([found.scores for found in rows]) * 255).round().astype(np.uint8),
            "stirring": np.array([(len(s.moving), len(s.hands), s.fresh) for s in self.activities], np.uint16),
            "regions": np.array(
                [np.array(box) / scale for s in self.activities for box in (*s.moving, *s.hands)]
            ).round().astype(np.uint8).reshape(-1, 4),
        }  # fmt: skip

    @classmethod
    def of(cls, columns: Columns) -> StoredPasses:
        """Reads the data from arrays."""
        values = json.loads(columns["values"].tobytes())
        kept = cls(values["lines"], tuple(values["size"]), entered=[(frame, line) for frame, line in values["entered"]])
        scale, row = kept.size[0] / WIDTH, 0
        for frame, count in columns["looked"].tolist():
            some = slice(row, row + count)
            chances = np.maximum(columns["chances"][some].astype(np.float32), 0.2)
            boxes: Float = columns["boxes"][some].astype(np.float32) / PARTS
            scores: Float = columns["scores"][some].astype(np.float32) / 255
            found = Detections(boxes, chances / chances.sum(axis=1, keepdims=True), scores)
            kept.passes.append((frame, found if count else Detections.none()))
            row += count
        regions: Iterator[Box] = (tuple(v * scale for v in box) for box in columns["regions"].tolist())
        for moving, hands, fresh in columns["stirring"].tolist():
            first = tuple(next(regions) for _ in range(moving))
            kept.activities.append(Activity(first, tuple(next(regions) for _ in range(hands)), bool(fresh)))
        return kept


class RecordingPipeline(Pipeline):
    """A pipeline that notes what it saw."""

    def __init__(self, detector: Detects, layout: Layout, passes: StoredPasses) -> None:
        super().__init__(detector, layout)
        self._stored = passes

    def see(self, detections: Detections, seconds: float, hands: Sequence[Box] = ()) -> list[TrackedDie]:
        """Notes one pass."""
        self._stored.passes.append((round(seconds * FPS), detections))
        return super().see(detections, seconds, hands)

    def conclude(
        self, scene: Activity, size: tuple[int, int], number: int, seconds: float, trouble: str | None = None
    ) -> Reading:
        """Notes the activity around it."""
        self._stored.activities.append(scene)
        return super().conclude(scene, size, number, seconds, trouble)


def replay_passes(number: int, kept: StoredPasses) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of a turn with stored passes, and the lines that a person enters; `number` as when it was filmed."""
    layout = layout_of(random_setting(LAYOUTS[number % len(LAYOUTS)], number), known=True)
    layout.update(np.zeros((kept.size[1], kept.size[0], 3), np.uint8))  # the mat records where its marks must be
    pipeline = Pipeline(UnusedDetector(), layout)  # type: ignore[arg-type]
    passes = dict(kept.passes)
    for frame, scene in enumerate(kept.activities):
        if frame in passes:
            pipeline.see(passes[frame], frame / FPS, scene.hands)
        entered = [line for at, line in kept.entered if at == frame]
        yield pipeline.conclude(scene, kept.size, frame, frame / FPS), entered


def write(path: Path, turns: Iterable[tuple[int, StoredPasses]]) -> None:
    """Writes all turns into one file."""
    columns = {f"{number}/{name}": array for number, kept in turns for name, array in kept.columns().items()}
    np.savez_compressed(path, **columns)  # type: ignore[arg-type]


def read(path: Path) -> dict[int, StoredPasses]:
    """The turns of a file by number."""
    found: dict[int, Columns] = {}
    with np.load(path) as file:
        for key in file.files:
            number, name = key.split("/")
            found.setdefault(int(number), {})[name] = file[key]
    return {number: StoredPasses.of(columns) for number, columns in found.items()}
