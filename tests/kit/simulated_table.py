"""The simulated table: a script in, images and truth out. `tests/kit/__init__.py` lists the parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from tests.kit.camera import Camera
from tests.kit.clutter import SKIN, hand
from tests.kit.dice import Array, Picture
from tests.kit.hands import outline
from tests.kit.hurry import Hurry
from tests.kit.moves import PALM
from tests.kit.performance import performance
from tests.kit.photograph import SimulatedWebcam
from tests.kit.roll_physics import simulate_roll
from tests.kit.scene import Place, Scene, Shade
from tests.kit.script import Step, most_dice, steps
from tests.kit.setting import Setting, plain, random_setting
from tests.kit.stage import Stage
from tests.kit.table import surface
from tests.kit.truth import FrameTruth, TrueDie, truth_of
from vision.types import Frame

__all__ = ["FrameTruth", "Place", "Setting", "TrueDie", "plain", "random_setting", "simulate", "steps"]


SHUTTER = 0.35  # exposure time as a share of the time between frames
SOFT = 31  # width of the soft edge of a passing shadow, pixels


def simulate(
    script: Sequence[Step] | str,
    layout: str = "mat",
    seed: int = 0,
    *,
    setting: Setting | None = None,
    fps: float = 15.0,
    passes: int = 1,
    hurry: Hurry | None = None,
) -> Iterator[tuple[Frame, FrameTruth]]:
    """Performs the script (steps, or a record's text) and films it; a frame is rendered again only if something has
    moved.

    Args:
        passes: Render passes; 1 is fast, 4 gives soft shadows.
        hurry: Parameters of players who do not wait, whose camera loses frames; their numbers are missing.

    Raises:
        ValueError: The script cannot be performed, for example because a die to set aside is not active.
    """
    todo = list(steps(script) if isinstance(script, str) else script)
    table = setting or random_setting(layout, seed)
    rng = np.random.default_rng([0xF11, seed])
    camera = table.camera
    props = [*table.props, *hand(1, SKIN[table.skin], rng, fingers=0.55)]
    looks = [table.look] * most_dice(todo)
    stage = Stage(
        looks,
        surface(table.surface),
        camera.width,
        camera.height,
        props=props,
        extent=260.0,
        shadow=512 if passes == 1 and camera.width <= 640 else 1024,
    )
    stage.light = table.light
    webcam = SimulatedWebcam(table.sensor, (camera.height, camera.width), np.random.default_rng([0xCA, seed]))
    before: tuple[Array, ...] | None = None  # the pose in the last image
    passed: tuple[Array, ...] | None = None  # the pose in the last frame, even a lost one
    clean: Picture | None = None
    try:
        for number, (scene, lost) in enumerate(performance(todo, table, seed, fps, simulate_roll, hurry, rng)):
            pose, passing = scene.pose, passed
            passed = pose
            if lost:
                continue
            moving = before is None or not all(np.array_equal(a, b) for a, b in zip(pose, before, strict=True))
            last = clean
            if moving or clean is None:
                _place(stage, scene)
                clean = stage.draw(scene.camera, np.random.default_rng(1), passes)  # the same shadows in every frame
            shown = clean
            if moving and passing is not None and last is not None:
                shown = _smeared(clean, last, scene, passing, table)
            if scene.shade is not None:
                shown = _shaded(shown, scene.shade, scene.camera)
            image = webcam.take(shown, scene.gain)
            before = pose
            yield Frame(image, number / fps, number), truth_of(scene, table, moving, number, number / fps)
            scene.done.clear()
            scene.entered.clear()
    finally:
        stage.close()


def _shaded(clean: Picture, shade: Shade, camera: Camera) -> Picture:
    """The image with the soft shadow of a person outside it."""
    light = np.ones(clean.shape[:2], np.float32)
    for around in outline(shade.outline, camera):
        cv2.fillConvexPoly(light, np.round(around).astype(np.int32), shade.gain)
    return np.asarray(clean * cv2.blur(light, (SOFT, SOFT))[..., None], np.uint8)


def _place(stage: Stage, scene: Scene) -> None:
    for die in scene.dice:
        stage.place(die.number, die.position, die.rotation)
    if scene.hand is None or scene.hand.at is None:
        stage.place_group(1, (0, 0, -4000), np.eye(3))
    else:
        stage.place_group(1, scene.hand.at, scene.hand.turn)


def _smeared(clean: Picture, last: Picture, scene: Scene, before: tuple[Array, ...], table: Setting) -> Picture:
    """The image with motion blur: what moved since `last` is blurred along its path during the exposure."""
    picture = clean.copy()
    size, camera = table.look.size, scene.camera
    moved = [(die.position, before[0][die.number], size) for die in scene.dice]
    if scene.hand is not None and scene.hand.at is not None:
        grip = scene.hand.turn @ PALM
        moved.append((scene.hand.at + grip, before[2] + grip, 140.0))
    for now, old, wide in moved:
        way = camera.project(now) - camera.project(old)
        length = float(np.linalg.norm(way)) * SHUTTER
        if not 1.5 < length < 80 or now[2] < -100:
            continue
        reach = wide / camera.distance * camera.focal * 0.8 + length / 2
        x, y = camera.project(now)
        area = np.s_[max(0, int(y - reach)) : max(0, int(y + reach)), max(0, int(x - reach)) : max(0, int(x + reach))]
        patch, streak = picture[area], _streak(way, length)
        if patch.size:  # only pixels that differ from the last image have moved; the table stays sharp
            stirred = (cv2.absdiff(patch, last[area]).max(axis=2) > 10).astype(np.float32)
            share = cv2.blur(cv2.filter2D(stirred, -1, streak), (5, 5))[..., None]
            patch[:] = (patch + (cv2.filter2D(patch, -1, streak) - patch.astype(np.float32)) * share).astype(np.uint8)
    return picture


def _streak(way: Array, length: float) -> Array:
    """The kernel of a linear motion of this many pixels."""
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size, size), np.float32)
    middle, step = size // 2, way / np.linalg.norm(way) * length / 2
    ends = [(round(middle + sign * step[0]), round(middle + sign * step[1])) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return kernel / kernel.sum()
