"""Processes a video at 1280×720 as fast as possible; prints frame rate, delay to the record and memory.

    python -m scripts.bench_live [--source FILM] [--minutes 2] [--gated]

Without --source it processes two films: the bundled demo, and its start at 30 frames a second. --gated leaves out the
mode that runs the detector on every frame.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.resources import resource
from tests.kit.evaluation.live import as_hd, measure, report
from tests.kit.options import run
from vision.dice.detector import for_films


def main(source: Path | None = None, minutes: float = 2.0, gated: bool = False, model: Path | None = None) -> None:
    """Prints one report for each film and mode. minutes: of video in each mode."""
    bundled = [resource("datasets", "bench", "table30.mp4"), resource("datasets", "demo", "demo.mp4")]
    for film in [source] if source else bundled:
        print(f"{film.stem}:")
        with tempfile.TemporaryDirectory() as folder:
            video = as_hd(film, Path(folder))
            for every_frame in (False,) if gated else (False, True):
                detector = for_films(model or resource("models"))
                print(report(measure(video, detector, every_frame=every_frame, video_seconds=minutes * 60)))


if __name__ == "__main__":
    run(main)
