"""Renders a simulated scene to a video file, with the ground truth of each frame."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.lens import ClipCamera, Lens
from scripts.clip_parts.pieces import ClipMoment
from scripts.clip_parts.play import Play
from scripts.clip_parts.smear import Shot, compose
from vision.types import Image

MAX_SHOTS = 14  # maximum number of images averaged per frame
DIE_STEP = 0.12  # die widths that a die moves between averaged images


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A video clip with its ground truth.

    Attributes:
        kind: Name of the situation that it tests.
        scene: Description of its dice, table and camera.
        path: The video file.
        rate: Frames per second.
        moments: Ground truth of each frame.
        turns: Changes of the picture that the video does not contain: seconds, name in `moving_camera.CHANGES`.
    """

    kind: str
    scene: str
    path: Path
    rate: float
    moments: tuple[ClipMoment, ...]
    turns: tuple[tuple[float, str], ...] = ()


def write_truth(clip: Clip, path: Path) -> None:
    """Writes the ground truth of a clip as JSON."""
    rows = [(moment.values, moment.rolls, moment.state) for moment in clip.moments]
    path.write_text(json.dumps([clip.kind, clip.scene, clip.rate, rows, clip.turns]))


def read_clip(video: Path, truth: Path) -> Clip:
    """Loads a clip from its video and its ground truth."""
    kind, scene, rate, rows, turns = json.loads(truth.read_text())
    moments = tuple(ClipMoment(tuple(values), *rest) for values, *rest in rows)
    return Clip(kind, scene, video, rate, moments, tuple((when, how) for when, how in turns))


def frames_of(play: Play, table: Image, camera: ClipCamera, margin: int, chance: Generator) -> Iterator[Image]:
    """Yields the frames in order; table: the empty table, `margin` pixels larger on every side."""
    yield from frames_at(play.frame_times(camera.rate), play, table, Lens(camera, margin, chance), margin)


def frames_at(times: Iterable[float], play: Play, table: Image, lens: Lens, margin: int) -> Iterator[Image]:
    """Yields the frames at these times, seconds; table as for `frames_of`."""
    camera = lens.camera
    base, based = table.copy(), None
    for t in times:
        legs = [die.leg(t) for die in play.dice]
        resting = tuple(id(leg) for leg in legs if leg.kind == "resting")
        if resting != based:  # resting dice are composed once
            base, based = table.copy(), resting
            for die, leg in zip(play.dice, legs, strict=True):
                if leg.kind == "resting":
                    compose(base, _moved(play.shots(die, t), margin))
        scene = base.copy()
        hand_times = _times(play, t, camera.shutter, hand=True)
        shadows, hands = zip(*(play.hand_shots(when) for when in hand_times), strict=True)
        _lay_each(scene, shadows, margin)
        for upon in (False, True):  # dice below the hand first, dice on the open hand last
            for die, leg in zip(play.dice, legs, strict=True):
                if leg.kind in ("rolling", "carried") and leg.in_hand == upon:
                    times = _times(play, t, camera.shutter, hand=leg.kind == "carried")
                    shots = [shot for when in times if die.leg(when) is leg for shot in play.shots(die, when)]
                    count = sum(die.leg(when) is leg for when in times)
                    compose(scene, _moved(shots, margin), max(1, count))
            if not upon:
                _lay_each(scene, hands, margin)
        yield lens.take(scene, t)


def _times(play: Play, t: float, shutter: float, hand: bool) -> list[float]:
    """Times to average for motion blur, in seconds; more for faster motion."""
    fast = 30.0 if not hand else 0.0
    if hand:
        now, then = (dict(play.hand_shots(when)[1]) for when in (t, t + 0.01))
        ways = [(now[one], then[one]) for one in now.keys() & then.keys()]
        fast = max((math.dist((a.x, a.y), (b.x, b.y)) / 0.01 / play.width for a, b in ways), default=0.0)
    count = int(np.clip(fast * shutter / DIE_STEP, 1, MAX_SHOTS if not hand else 5))
    return [t + shutter * part / count for part in range(count)]


def _lay_each(scene: Image, moments: Sequence[Sequence[Shot]], margin: int) -> None:
    """Composes the sprites one by one, each averaged over all its poses."""
    for thing in dict.fromkeys(sprite for shots in moments for sprite, _ in shots):
        shots = [shot for at_once in moments for shot in at_once if shot[0] is thing]
        compose(scene, _moved(shots, margin), len(moments))


def _moved(shots: Sequence[Shot], margin: int) -> list[Shot]:
    return [(sprite, replace(pose, x=pose.x + margin, y=pose.y + margin)) for sprite, pose in shots]


def write_video(pictures: Iterator[Image], path: Path, camera: ClipCamera) -> int:
    """Writes the images as a video, H.264 if ffmpeg is installed, else MPEG-4. Returns their number."""
    width, height = camera.size
    count = 0
    if shutil.which("ffmpeg"):
        words = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}"]
        words += ["-r", f"{camera.rate:g}", "-i", "-", "-c:v", "libx264", "-preset", "superfast", "-threads", "1"]
        words += ["-crf", str(camera.quality), "-pix_fmt", "yuv420p", str(path)]
        with subprocess.Popen(words, stdin=subprocess.PIPE) as packing:
            assert packing.stdin is not None
            for picture in pictures:
                packing.stdin.write(picture.tobytes())
                count += 1
        if packing.returncode:
            raise OSError(f"ffmpeg could not write {path.name}")
        return count
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), camera.rate, camera.size)
    for picture in pictures:
        writer.write(picture)
        count += 1
    writer.release()
    return count
