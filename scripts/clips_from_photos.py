"""Measures the live pipeline on clips composed from real photos.

    python -m scripts.clips_from_photos --photos DIR [--kinds rolled shaken] [--clips 6]

DIR contains images/ and labels/ (or dev/ with both). Real dice are cut out of the photos and rolled over drawn or real
tables, or whole photos are shown to a camera that shakes, is bumped, or loses light and focus. A drawn hand takes dice,
places them and rests on them. In the kinds of `scripts/clip_parts/impatient.py` players do not wait: the hand is back
early, frames are lost, hands hover, shadows pass, dice are hit or scooped with a cup, and a reading is due after 0.3
seconds of rest. In those of `handled.py` dice are held in an open hand, turned, aligned, pushed or reached over. In
those of `pictured.py` the table has a pattern, a slow camera sends pictures twice, the exposure jumps, or the edge cuts
a die. In those of `moving_camera.py` a hand holds the camera, or the picture is rotated, mirrored or gets bars. The
truth of every frame is known. Parts of photos are stored only below `local/`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.random import Generator

from companion.commands.print_readings import load_detector
from scripts.clip_parts.clip import Clip, frames_of, read_clip, write_truth, write_video
from scripts.clip_parts.fairness import illegible
from scripts.clip_parts.kinds import KINDS
from scripts.clip_parts.scenes import ClipScene
from scripts.clip_parts.scored import ScoredClip, results_table, score_clip
from scripts.clip_parts.stock import Stock, load_stock
from tests.kit import figures
from tests.kit.options import PHOTOS, run
from vision.dice.detector import Detector

ATTEMPTS = 20  # scenes of a kind and number, at most, until one is legible
ROOT = Path(__file__).resolve().parent.parent
TITLE = "Films composed of real photos"
ABOUT = """
Does the live pipeline read real dice despite hands, motion, poor light and video compression?

The dice are real, cut out of labelled photos that the photo reader reads correctly; motion blur, hands, shadows,
cups, cards and tokens are composed. Cameras have 10 to 30 pictures per second, 640 × 360 to 1920 × 1080 pixels,
noise, shaking and H.264 compression. Wherever the same dice, or none, rest uncovered for 1.2 s (from *hurried* on:
0.3 s) between the first and the last picture, the last reading must show exactly their values. Stills by the same
camera, without noise and compression, show each of these faces legibly; otherwise the film gets other dice. Readings
while dice move, while a hand works, or of a part of the dice are faults. Composed films do not replace clips of real
tables.
"""


def main(
    photos: Path = PHOTOS,
    cache: Path = ROOT / "local" / "cache",
    kinds: tuple[str, ...] = tuple(KINDS),
    clips: int = 6,
    first: int = 0,
    films: Path | None = None,
    keep: bool = False,
) -> None:
    """Composes, watches, prints.

    Args:
        clips: Of each kind.
        first: Number of the first clip.
        films: Keep the videos there and reuse existing ones.
    """
    detector = load_detector()
    stock = load_stock(photos, detector, cache)
    scored: list[ScoredClip] = []
    with tempfile.TemporaryDirectory() as temporary:
        target = films or Path(temporary)
        target.mkdir(parents=True, exist_ok=True)
        for clip in composed(stock, detector, kinds, range(first, first + clips), target):
            began = time.process_time()
            one = score_clip(clip, detector)
            scored.append(one)
            spent = (time.process_time() - began) / len(clip.moments) * 1000
            print(f"{'  ' if one.good else '! '}{clip.kind} {clip.path.stem}: {clip.scene} ({spent:.0f} ms a frame)")
            if not one.good:
                print(f"      due  {[(a, b, r, clip.moments[a].values) for a, b, r in one.due]}")
                print(f"      read {[(t.frame, t.values, t.rolls, t.fault) for t in one.readings]} rolls {one.rolls}")
            if films is None:
                clip.path.unlink()
    figures.report("composed_films", TITLE, ABOUT, results_table(scored), keep=keep)


def composed(stock: Stock, detector: Detector, kinds: Sequence[str], numbers: range, folder: Path) -> Iterator[Clip]:
    """The clips of these kinds and numbers, written into the folder one at a time."""
    for kind in kinds:
        for number in numbers:
            path = folder / f"{kind.replace(' ', '_')}_{number}.mp4"
            truth = path.with_suffix(".json")
            if truth.exists():
                yield read_clip(path, truth)
                continue
            scene, chance = fair_scene(stock, detector, kind, number)
            play, rate = scene.play, scene.camera.rate
            write_video(frames_of(play, scene.ground, scene.camera, scene.margin, chance), path, scene.camera)
            moments = tuple(map(play.moment, play.frame_times(rate)))
            clip = Clip(kind, scene.words, path, rate, moments, scene.camera.turns)
            write_truth(clip, truth)
            yield clip


def fair_scene(stock: Stock, detector: Detector, kind: str, number: int) -> tuple[ClipScene, Generator]:
    """A scene whose due tables are legible as stills, and the generator that composes it."""
    for attempt in range(ATTEMPTS):
        chance = np.random.default_rng([list(KINDS).index(kind), number, *([attempt] if attempt else [])])
        scene = KINDS[kind](stock, chance, number)
        if not illegible(scene, kind, chance, detector):
            break
    scene.words += f", attempt {attempt + 1}" if attempt else ""
    return scene, chance


if __name__ == "__main__":
    run(main)
