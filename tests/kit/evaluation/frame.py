"""Times the dice reader: one frame of live video without decoding, and the start up to its first reading."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from tests.kit.evaluation.photos import UNSEEN, labelled
from vision.dice.detections import Detections
from vision.sources.files import read_picture
from vision.types import Image

WIDTH, HEIGHT = 1280, 720
TRIES = 5
CROWDED = "desk"  # fifteen dice among clutter
STARTS = 5
FIRST = f"""
import sys
import numpy as np
from vision.dice.detector import Detector
Detector(sys.argv[1]).detect(np.zeros(({HEIGHT}, {WIDTH}, 3), np.uint8))
print([line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")][0], flush=True)
"""


class FrameDetector(Protocol):
    """A detector."""

    def detect(self, image: Image) -> Detections:
        """The dice in a (H, W, 3) uint8 BGR image."""
        ...


@dataclass(frozen=True, slots=True)
class FrameTime:
    """One frame: number of dice read, fastest wall time of a few runs and processor time, both in milliseconds."""

    dice: int
    milliseconds: float
    processor: float


def as_frame(image: Image) -> Image:
    """The middle of an image, scaled to fill 1280×720."""
    scale = max(WIDTH / image.shape[1], HEIGHT / image.shape[0])
    size = max(WIDTH, round(image.shape[1] * scale)), max(HEIGHT, round(image.shape[0] * scale))
    whole = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    left, top = (size[0] - WIDTH) // 2, (size[1] - HEIGHT) // 2
    return np.ascontiguousarray(whole[top : top + HEIGHT, left : left + WIDTH])


def timed(detector: FrameDetector, frame: Image) -> FrameTime:
    """Times a few readings of one frame."""
    taken: list[tuple[float, float]] = []
    for _ in range(TRIES):
        began, busy = time.perf_counter(), time.process_time()
        seen = detector.detect(frame)
        taken.append((time.perf_counter() - began, time.process_time() - busy))
    return FrameTime(len(seen), 1000 * min(wall for wall, _ in taken), 1000 * min(work for _, work in taken))


def frame_times(detector: FrameDetector, folder: Path, sets: Sequence[str]) -> list[FrameTime]:
    """Processes every photo of the sets as a live frame."""
    paths = [path for path in labelled(folder) if path.name.split("__")[0] in sets]
    return [timed(detector, as_frame(read_picture(path))) for path in paths]


def times_table(detector: FrameDetector, folder: Path) -> str:
    """The times in Markdown for a quiet and a crowded table; "" if the folder has no such photos."""
    lines = [
        "| 1280×720 frames | pictures | dice a frame | ms, median | slowest tenth from | processor ms, median |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, sets in (("unseen sources", UNSEEN), (f"{CROWDED}: fifteen dice in clutter", (CROWDED,))):
        frames = frame_times(detector, folder, sets)
        if frames:
            walls, works = sorted(f.milliseconds for f in frames), sorted(f.processor for f in frames)
            half, tenth = len(frames) // 2, int(0.9 * len(frames))
            dice = sum(f.dice for f in frames) / len(frames)
            lines.append(
                f"| {name} | {len(frames)} | {dice:.1f} | {walls[half]:.1f} | {walls[tenth]:.1f} | {works[half]:.1f} |"
            )
    return "\n".join(lines) if len(lines) > 2 else ""


def start_up(model: Path) -> str:
    """One sentence: time and peak memory of a new process until it has read its first frame.

    Linux only, whose kernel reports the peak memory of a process.
    """
    taken: list[tuple[float, int]] = []
    for _ in range(STARTS):
        began = time.perf_counter()
        command = (sys.executable, "-c", FIRST, str(model.resolve()))
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as process:
            assert process.stdout is not None
            kibibytes = int(process.stdout.readline())
            taken.append((time.perf_counter() - began, kibibytes))
    seconds, kibibytes = sorted(taken)[STARTS // 2]
    return (
        f"A new process has loaded the reader and read its first frame {seconds:.2f} s after it was called (median of"
        f" {STARTS}), with {kibibytes / 1024:.0f} MiB resident at most."
    )
