"""How fast a video is read, how soon a settled roll is recorded, whether memory stays flat."""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.camera.demo import bundled_demo
from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from vision.pipeline import Detects, Pipeline
from vision.sources.camera import frames
from vision.types import Frame

WIDTH, HEIGHT = 1280, 720
WARM_UP = 30  # frames before the clock starts, because the first passes of a network are slow
MEMORY_SECONDS = 10.0  # interval of memory samples


@dataclass(frozen=True, slots=True)
class LiveRun:
    """One pass over a video.

    Attributes:
        seconds: Wall time of all frames.
        processor: Processor time of all frames and threads.
        passes: Passes of the detector.
        steps: Seconds for each frame, without decoding.
        waits: Seconds from the frame in which dice settled to their event in the record.
        memory: Samples of (video seconds, MiB).
    """

    name: str
    frames: int
    video_seconds: float
    seconds: float
    processor: float
    passes: int
    steps: tuple[float, ...]
    waits: tuple[float, ...]
    memory: tuple[tuple[float, float], ...]

    @property
    def rate(self) -> float:
        """Frames a second, with decoding."""
        return self.frames / self.seconds


def measure(path: Path, detector: Detects, *, every_frame: bool, video_seconds: float) -> LiveRun:
    """Watches the file repeatedly until this much video has passed. Each repetition records a new game, because a
    game of an hour without purchases would be unrealistic."""
    pipeline, recording = Pipeline(detector, every_frame=every_frame), _recording()
    pipeline.due = lambda: recording.table.expected_dice
    steps = array("d")  # an hour has a hundred thousand, so a list would make memory grow
    waits: list[float] = []
    memory: list[tuple[float, float]] = []
    settled: object = None
    number, now, sampled_at = 0, 0.0, -MEMORY_SECONDS
    begun, worked = time.perf_counter(), time.process_time()
    for frame, begins in _again_and_again(path, video_seconds):
        if begins:
            recording = _recording()
        arrived = time.perf_counter()
        reading = pipeline.step(frame)
        recording.see(reading)
        ended = time.perf_counter()
        number, now = number + 1, frame.seconds
        if number == WARM_UP:
            begun, worked = ended, time.process_time()
        if number > WARM_UP:
            steps.append(ended - arrived)
        fact = (reading.rolls, reading.active, reading.kept)
        if reading.settled and fact != settled:
            settled = fact
            waits.append(ended - arrived)
        if now - sampled_at >= MEMORY_SECONDS and (used := resident_mebibytes()) is not None:
            sampled_at = now
            memory.append((now, used))
    spent, worked = time.perf_counter() - begun, time.process_time() - worked
    name = "detection on every frame" if every_frame else "detection gated"
    return LiveRun(
        name, number - WARM_UP, now, spent, worked, pipeline.passes, tuple(steps), tuple(waits), tuple(memory)
    )


def as_hd(path: Path, folder: Path) -> Path:
    """The video at 1280×720, converted into `folder` if it has another size."""
    pictures = frames(str(path))
    first, second = next(pictures), next(pictures)
    assert isinstance(first, Frame)
    assert isinstance(second, Frame)
    if first.image.shape[:2] == (HEIGHT, WIDTH):
        return path
    target = folder / "hd.mp4"
    rate = 1.0 / max(second.seconds - first.seconds, 1e-3)
    writer = cv2.VideoWriter(str(target), cv2.VideoWriter.fourcc(*"mp4v"), rate, (WIDTH, HEIGHT))
    for frame in chain((first, second), pictures):
        assert isinstance(frame, Frame)
        writer.write(cv2.resize(frame.image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))
    writer.release()
    return target


def _recording() -> Recording:
    """A new game at the table."""
    demo = bundled_demo()
    header = new_record(demo.game, demo.players)
    return Recording(Table(header, referee_for(header)), lambda line: None, lambda line: None)


def _again_and_again(path: Path, video_seconds: float) -> Iterator[tuple[Frame, bool]]:
    """Yields the frames of the file again and again until `video_seconds` of video are reached, with continuous times.
    The flag says whether a frame is the first of the file."""
    offset, number = 0.0, 0
    while True:
        last, begins = 0.0, True
        for frame in frames(str(path)):
            assert isinstance(frame, Frame)
            last = frame.seconds
            yield replace(frame, seconds=offset + last, number=number), begins
            number, begins = number + 1, False
            if offset + last >= video_seconds:
                return
        offset += last + 1 / 30


def resident_mebibytes() -> float | None:
    """Memory of this process; None if the system does not say."""
    if sys.platform != "linux":
        return None
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def report(run: LiveRun) -> str:
    """The figures in words, with percentiles."""
    lines = [
        f"{run.name}: {run.rate:.0f} frames a second ({run.frames} frames, {run.passes} passes of the detector)",
        f"  processor time  {run.processor / run.frames * 1000:.1f} ms a frame, all threads and decoding together",
        f"  a frame takes   {_percentiles(run.steps)}",
        f"  settled → event {_percentiles(run.waits)}   ({len(run.waits)} times)",
    ]
    if len(run.memory) > 2:
        # A tenth of the run: until then the pools of decoder, network and allocator fill.
        (_, begun), (_, ended) = run.memory[max(1, len(run.memory) // 10)], run.memory[-1]
        most = max(used for _, used in run.memory)
        lines.append(
            f"  memory          {begun:.0f} MiB → {ended:.0f} MiB after {run.video_seconds:.0f} s of video "
            f"({(ended / begun - 1) * 100:+.1f} %), most {most:.0f} MiB"
        )
    return "\n".join(lines)


def _percentiles(seconds: tuple[float, ...]) -> str:
    if not seconds:
        return "–"
    half, most, nearly, worst = np.percentile(np.array(seconds) * 1000, [50, 95, 99, 100])
    return f"half {half:.1f} ms, 95 % {most:.1f} ms, 99 % {nearly:.1f} ms, worst {worst:.1f} ms"
