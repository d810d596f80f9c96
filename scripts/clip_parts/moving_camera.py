"""Clips whose camera is held in a hand, and clips whose picture is rotated, mirrored or gets bars in mid-play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.pictured import board
from scripts.clip_parts.scenes import SIZES, ClipScene, empty_table
from scripts.clip_parts.stock import Stock
from vision.types import Frame, Image, Lost

WANDER, TILT = (0.01, 0.03), (1.0, 3.0)  # amplitudes of a hand-held camera: share of the longer side, degrees
ROOM = 0.1  # share of the longer side by which the table is larger than a hand-held camera's picture
PIVOTED = (15.0, 120.0)  # degrees by which a camera's arm turns
DARK = (0.0, 0.0, 0.2, 0.6)  # seconds without a picture before it comes back changed


def handheld(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """One die is set aside and the others are rerolled, seen by a camera that wanders smoothly."""
    scene = _on_any_ground(stock, chance, number, ROOM)
    far = float(chance.uniform(*WANDER)) * max(scene.camera.size)
    scene.camera = replace(scene.camera, wander=(far, float(chance.uniform(*TILT))))
    return scene


def rotated(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """The same while the picture is changed once or twice, at any time: rotated, mirrored, with bars, or the camera's
    arm turns."""
    scene = _on_any_ground(stock, chance, number, 0.4)
    times = np.sort(chance.uniform(1.0, scene.play.clock - 1.6, int(chance.integers(1, 3)))).tolist()
    if chance.random() < 0.25:
        degrees = float(chance.uniform(*PIVOTED) * chance.choice([-1, 1]))
        scene.camera = replace(scene.camera, bumps=((times[0], 0.0, 0.0, degrees),))
        scene.words += f", camera turned by {degrees:.0f}°"
        return scene
    turns = []
    for when in times:
        how = str(chance.choice([*TURNS]))
        turns += [(when, "dark"), (when + float(chance.choice(DARK)), how)]
        scene.words += f", {how} at {when:.1f} s"
    scene.camera = replace(scene.camera, turns=tuple(turns))
    return scene


MOVING_CAMERA = (handheld, rotated)


def seen(frames: Iterator[Frame | Lost], turns: Sequence[tuple[float, str]]) -> Iterator[Frame | Lost]:
    """Yields the frames with the changes of the picture. turns: seconds, name of the change from then on."""
    for frame in frames:
        how = next((how for when, how in reversed(turns) if when <= frame.seconds), "")
        yield replace(frame, image=CHANGES[how](frame.image)) if how and isinstance(frame, Frame) else frame


def _rotated(code: int) -> Callable[[Image], Image]:
    return lambda image: np.asarray(cv2.rotate(image, code), np.uint8)


def _flipped(code: int) -> Callable[[Image], Image]:
    return lambda image: np.asarray(cv2.flip(image, code), np.uint8)


def _with_bars(image: Image) -> Image:
    height, width = image.shape[:2]
    down, across = max(0, width - height) // 2, max(0, height - width) // 2
    return np.asarray(cv2.copyMakeBorder(image, down, down, across, across, cv2.BORDER_CONSTANT), np.uint8)


def _on_its_side(image: Image) -> Image:
    """Rotated by a quarter and fitted into the old format."""
    height, width = image.shape[:2]
    scale = min(width / height, height / width)
    side = cv2.resize(cv2.transpose(cv2.flip(image, 0)), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    back = np.zeros_like(image)
    top, left = (height - side.shape[0]) // 2, (width - side.shape[1]) // 2
    back[top : top + side.shape[0], left : left + side.shape[1]] = side
    return back


TURNS: dict[str, Callable[[Image], Image]] = {
    "rotated right": _rotated(cv2.ROTATE_90_CLOCKWISE),
    "rotated left": _rotated(cv2.ROTATE_90_COUNTERCLOCKWISE),
    "upside down": _rotated(cv2.ROTATE_180),
    "mirrored": _flipped(1),
    "upside down in a mirror": _flipped(0),
    "with bars": _with_bars,
    "on its side": _on_its_side,
    "as it was": lambda image: image,
}
CHANGES: dict[str, Callable[[Image], Image]] = {**TURNS, "dark": lambda image: np.zeros_like(image)}


def _on_any_ground(stock: Stock, chance: Generator, number: int, room: float) -> ClipScene:
    """A scene on the usual tables, a plain one or a patterned board, `room` times the longer side larger."""
    scene = empty_table(stock, chance, number, room=int(room * max(SIZES[number % len(SIZES)])))
    ground = str(chance.choice(["plain", "board", "as it is"]))
    if ground == "plain":
        scene.ground = np.full_like(scene.ground, chance.integers(40, 150, 3))
    elif ground == "board":
        scene.ground = board(scene.ground, scene.play.width, chance)
    scene.words += "" if ground == "as it is" else f", {ground}"
    scene.reroll_all_but_one(last=2.2)
    return scene
