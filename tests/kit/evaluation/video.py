"""How long a frame of live video takes as it plays: consecutive frames of clips, watched; decoding left out.

A single frame (`frame.py`) is searched whole and every die in it read. Of consecutive ones most show what the one
before showed, and of the others only the part that has changed is searched: this is what a camera's frame costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.kit.evaluation.frame import as_frame
from vision.pipeline import Detects, Pipeline
from vision.sources.camera import frames
from vision.types import Frame

TRIES = 3
WARM_UP = 10  # frames: the first looks of a network are slow


@dataclass(frozen=True, slots=True)
class Video:
    """One clip: of every frame after the first few the milliseconds, the best of a few passes, and which were looked
    at by the detector."""

    name: str
    milliseconds: tuple[float, ...]
    looked: tuple[bool, ...]

    @property
    def of_looks(self) -> list[float]:
        """Milliseconds of the frames at which the detector looked."""
        return [taken for taken, looked in zip(self.milliseconds, self.looked, strict=True) if looked]


def timed_video(detector: Detects, path: Path) -> Video:
    """Watches a clip at 1280×720 from its beginning a few times over."""
    passes = [list(_pass(detector, path)) for _ in range(TRIES)]
    best = [min(taken for taken, _ in frame) for frame in zip(*passes, strict=True)]
    return Video(path.stem, tuple(best[WARM_UP:]), tuple(looked for _, looked in passes[0][WARM_UP:]))


def _pass(detector: Detects, path: Path) -> Iterator[tuple[float, bool]]:
    pipeline = Pipeline(detector)
    for frame in frames(str(path)):
        assert isinstance(frame, Frame)
        shown, before = Frame(as_frame(frame.image), frame.seconds, frame.number), pipeline.looks
        began = time.perf_counter()
        pipeline.step(shown)
        yield 1000 * (time.perf_counter() - began), pipeline.looks > before


def told_videos(detector: Detects, paths: Iterable[Path]) -> str:
    """The times in Markdown, a row a clip."""
    lines = [
        "| consecutive frames, 1280×720 | frames | ms, median | slowest tenth from | looked at | ms, median"
        " | slowest tenth from |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for path in paths:
        video = timed_video(detector, path)
        looks = video.of_looks
        cells = video.name, len(video.milliseconds), _figures(video.milliseconds), len(looks), _figures(looks)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _figures(taken: Sequence[float]) -> str:
    """Median, and from where the slowest tenth begins."""
    if not taken:
        return "– | –"
    rows = sorted(taken)
    return f"{rows[len(rows) // 2]:.1f} | {rows[int(0.9 * len(rows))]:.1f}"
