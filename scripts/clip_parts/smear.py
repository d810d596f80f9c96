"""Motion blur: sprites composed onto an image, averaged over the exposure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scripts.clip_parts.stock import Float, Sprite
from vision.types import Image

OPAQUE = 0.7  # opacity of a die, not of its shadow


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of a sprite.

    Attributes:
        x, y: Position of its origin, pixels.
        turn: Counterclockwise rotation, degrees.
        opacity: 0..1.
        size: Scale factor.
    """

    x: float
    y: float
    turn: float = 0.0
    opacity: float = 1.0
    size: float = 1.0


Shot = tuple[Sprite, Pose]


def compose(picture: Image, shots: Sequence[Shot], times: int = 1) -> None:
    """Composes sprites onto the image in place, averaged over `times` equal parts of the exposure."""
    placed = [(sprite, pose, _matrix(sprite, pose)) for sprite, pose in shots]
    if not placed:
        return
    corners = np.concatenate([_corners(sprite, matrix) for sprite, _, matrix in placed])
    height, width = picture.shape[:2]
    left, top = np.floor(np.clip(corners.min(axis=0), 0, (width, height))).astype(int)
    right, low = np.ceil(np.clip(corners.max(axis=0), 0, (width, height))).astype(int)
    if right <= left or low <= top:
        return
    total = np.zeros((low - top, right - left, 4), np.float32)
    for sprite, pose, matrix in placed:
        matrix[:, 2] -= left, top
        layer = cv2.warpAffine(sprite.layer, matrix, (int(right - left), int(low - top)), flags=cv2.INTER_LINEAR)
        total += layer * np.float32(pose.opacity / times)
    part = picture[top:low, left:right]
    mixed = part * (1 - total[..., 3:]) + total[..., :3]
    part[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def covering(sprite: Sprite, pose: Pose, places: Float) -> Float:
    """(n,) opacity of the sprite at (n, 2) positions of the image."""
    back = cv2.invertAffineTransform(_matrix(sprite, pose))
    spots = np.rint(places @ back[:, :2].T + back[:, 2]).astype(int)
    height, width = sprite.layer.shape[:2]
    inside = ((spots >= 0) & (spots < (width, height))).all(axis=1)
    found = np.zeros(len(places), np.float32)
    found[inside] = sprite.layer[spots[inside, 1], spots[inside, 0], 3]
    return found


def corners_of_opaque(sprite: Sprite, pose: Pose) -> Float:
    """(n, 2) corners of the convex hull of what is opaque, without the shadow, at positions of the image."""
    rows, columns = np.nonzero(sprite.layer[..., 3] > OPAQUE)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))[:, 0].astype(np.float64)
    matrix = _matrix(sprite, pose)
    return np.asarray(hull @ matrix[:, :2].T + matrix[:, 2])


def _matrix(sprite: Sprite, pose: Pose) -> Float:
    matrix: Float = cv2.getRotationMatrix2D(sprite.zero, pose.turn, pose.size)
    matrix[:, 2] += pose.x - sprite.zero[0], pose.y - sprite.zero[1]
    return np.asarray(matrix)


def _corners(sprite: Sprite, matrix: Float) -> Float:
    height, width = sprite.layer.shape[:2]
    corners = np.array([(0, 0), (width, 0), (0, height), (width, height)], np.float64)
    return np.asarray(corners @ matrix[:, :2].T + matrix[:, 2])
