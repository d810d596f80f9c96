"""Times frames of live video: consecutive frames of clips in the live pipeline, without decoding.

A single frame (`frame.py`) is searched as a whole and every die in it is read. Most consecutive frames show the same as
the one before, and only changed regions are searched. This is the cost of a camera's frame.
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
WARM_UP = 10  # frames: the first passes of a network are slow


@dataclass(frozen=True, slots=True)
class Video:
    """One clip.

    Attributes:
        name: File name.
        milliseconds: Of every frame after the warm-up, the fastest of several runs.
        with_pass: Whether the detector ran on that frame.
    """

    name: str
    milliseconds: tuple[float, ...]
    with_pass: tuple[bool, ...]

    @property
    def of_passes(self) -> list[float]:
        """Milliseconds of the frames on which the detector ran."""
        return [taken for taken, with_pass in zip(self.milliseconds, self.with_pass, strict=True) if with_pass]


def timed_video(detector: Detects, path: Path) -> Video:
    """Runs the pipeline on a clip at 1280×720 several times."""
    passes = [list(_pass(detector, path)) for _ in range(TRIES)]
    best = [min(taken for taken, _ in frame) for frame in zip(*passes, strict=True)]
    return Video(path.stem, tuple(best[WARM_UP:]), tuple(with_pass for _, with_pass in passes[0][WARM_UP:]))


def _pass(detector: Detects, path: Path) -> Iterator[tuple[float, bool]]:
    pipeline = Pipeline(detector)
    for frame in frames(str(path)):
        assert isinstance(frame, Frame)
        shown, before = Frame(as_frame(frame.image), frame.seconds, frame.number), pipeline.passes
        began = time.perf_counter()
        pipeline.step(shown)
        yield 1000 * (time.perf_counter() - began), pipeline.passes > before


def videos_table(detector: Detects, paths: Iterable[Path]) -> str:
    """The times in Markdown, one row per clip."""
    lines = [
        "| consecutive frames, 1280×720 | frames | ms, median | slowest tenth from | with a pass | ms, median"
        " | slowest tenth from |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for path in paths:
        video = timed_video(detector, path)
        passes_ms = video.of_passes
        cells = video.name, len(video.milliseconds), _figures(video.milliseconds), len(passes_ms), _figures(passes_ms)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _figures(taken: Sequence[float]) -> str:
    """Median and 90th percentile."""
    if not taken:
        return "– | –"
    rows = sorted(taken)
    return f"{rows[len(rows) // 2]:.1f} | {rows[int(0.9 * len(rows))]:.1f}"
