"""Simulates the camera of a clip: shake, bumps, exposure drift, focus hunting and sensor noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.stock import Float
from tests.kit.degrade import grain
from vision.types import Image

FOCAL = 0.9  # focal length of a webcam in image widths: 58 degrees field of view


@dataclass(frozen=True, slots=True)
class ClipCamera:
    """The properties of a simulated camera.

    Attributes:
        size: Width and height of the images, pixels.
        rate: Frames per second.
        shutter: Exposure time, seconds.
        shake: Amplitude of a hand-held camera's motion, pixels.
        bumps: Pushes after which the camera stays displaced: seconds, shift of the image centre in x and y (pixels),
            rotation (degrees).
        wander: Amplitudes of a hand-held camera's smooth motion: pixels, degrees.
        turns: Changes of the picture: seconds, name in `moving_camera.CHANGES`.
        light: Exposure, a factor of the grey levels.
        steps: Sudden exposure changes: seconds, factor.
        drift: Amplitude of the exposure drift, a share.
        hunts: Times at which the focus is lost for half a second.
        blur: Defocus, standard deviation in pixels; scaled with the image width.
        grain: Standard deviation of the noise, grey levels; 0 for none.
        quality: Compression of the video, CRF 0..51, higher is worse.
    """

    size: tuple[int, int]
    rate: float = 30.0
    shutter: float = 1 / 60
    shake: float = 0.0
    bumps: tuple[tuple[float, float, float, float], ...] = ()
    wander: tuple[float, float] = (0.0, 0.0)
    turns: tuple[tuple[float, str], ...] = ()
    light: float = 1.0
    steps: tuple[tuple[float, float], ...] = ()
    drift: float = 0.0
    hunts: tuple[float, ...] = ()
    blur: float = 0.5
    grain: float = 3.0
    quality: int = 26


class Lens:
    """Takes the images of one clip from a larger scene with `margin` more pixels on every side."""

    def __init__(self, camera: ClipCamera, margin: int, chance: Generator) -> None:
        self.camera, self._margin, self._chance = camera, margin, chance
        self._phases = chance.uniform(0, 2 * np.pi, (2, 4))

    def take(self, scene: Image, t: float) -> Image:
        """The image at time t, seconds."""
        camera = self.camera
        shots = [self._view(scene, t)]
        if self._speed(t) * camera.shutter > 2:
            shots += [self._view(scene, t + part * camera.shutter) for part in (1 / 3, 2 / 3, 1)]
        picture = shots[0] if len(shots) == 1 else np.mean(shots, axis=0).astype(np.uint8)
        blur = camera.blur + 4.5 * sum(float(np.exp(-(((t - when) / 0.22) ** 2))) for when in camera.hunts)
        blur *= camera.size[0] / 960 + 0.33
        if blur > 0.3:
            picture = cv2.GaussianBlur(picture, (0, 0), blur)
        gain = camera.light * (1 + camera.drift * np.sin(0.9 * t + self._phases[0, 3]))
        for when, times in camera.steps:
            late = 1 / (1 + np.exp(-(t - when) / 0.12))
            gain *= 1 + (times - 1) * late
        if abs(gain - 1) > 0.01:
            picture = cv2.convertScaleAbs(picture, alpha=float(gain))
        if not camera.grain:
            return picture
        blotches = 0.8 if camera.grain > 4 else 0.0  # cameras denoise in low light, which leaves blotches
        noise = grain(picture.shape, camera.grain, blotches, self._chance)
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)

    def offset(self, t: float) -> tuple[float, float, float]:
        """Displacement of the image at time t: pixels in x and y, degrees."""
        swing = self.camera.shake
        x, y = (
            swing * (np.sin(1.7 * t + p[0]) + 0.35 * np.sin(9 * t + p[1]) + 0.12 * np.sin(43 * t + p[2]))
            for p in self._phases
        )
        far, turn = self.camera.wander
        x, y = x + far * np.sin(1.1 * t + self._phases[0, 1]), y + far * np.sin(0.8 * t + self._phases[1, 1])
        turn *= np.sin(0.7 * t + self._phases[0, 2])
        for when, far_x, far_y, degrees in self.camera.bumps:
            part = 1 / (1 + np.exp(-(t - when) / 0.05))
            x, y, turn = x + far_x * part, y + far_y * part, turn + degrees * part
        return float(x), float(y), float(turn)

    def moved(self, t: float) -> Float:
        """(3, 3) homography from the image of a camera that does not move to the image at time t."""
        x, y, turn = self.offset(t)
        width, height = self.camera.size
        margin = np.array([[1, 0, self._margin], [0, 1, self._margin], [0, 0, 1]])
        whole = width + 2 * self._margin, height + 2 * self._margin
        return np.asarray(np.linalg.inv(margin) @ turned_by(whole, FOCAL * width, (x, y), turn) @ margin)

    def _view(self, scene: Image, t: float) -> Image:
        width, height = self.camera.size
        if not any(self.offset(t)):
            return np.ascontiguousarray(scene[self._margin :, self._margin :][:height, :width])
        matrix = self.moved(t) @ np.array([[1, 0, -self._margin], [0, 1, -self._margin], [0, 0, 1]])
        view = cv2.warpPerspective(scene, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(view, np.uint8)

    def _speed(self, t: float) -> float:
        (x0, y0, _), (x1, y1, _) = self.offset(t), self.offset(t + 0.01)
        return float(np.hypot(x1 - x0, y1 - y0) / 0.01)


def turned_by(size: tuple[int, ...], focal: float, far: tuple[float, float], degrees: float) -> Float:
    """(3, 3) homography from old to new pixels when a camera rotates.

    Args:
        size: Width and height of the image.
        focal: Focal length, pixels.
        far: Displacement of the image centre, pixels.
        degrees: Rotation about the image centre.
    """
    to_middle = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1]])
    lens = np.diag([focal, focal, 1.0])
    axes = ((math.atan2(-far[1], focal), 0, 0), (0, math.atan2(far[0], focal), 0), (0, 0, math.radians(-degrees)))
    tilt, pan, roll = (np.asarray(cv2.Rodrigues(np.array(axis, np.float64))[0]) for axis in axes)
    seen = lens @ roll @ pan @ tilt @ np.linalg.inv(lens)
    return np.asarray(np.linalg.inv(to_middle) @ seen @ to_middle, np.float64)
