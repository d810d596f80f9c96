"""Simulates what a cheap camera makes of a clean image."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.degrade import grain, packed
from tests.kit.dice import Array, Picture


@dataclass(frozen=True, slots=True)
class Sensor:
    """A camera sensor with its processing.

    Attributes:
        gain: Exposure.
        warmth: White balance, -1..1.
        contrast: Gamma.
        blur, shake: Pixels.
        grain: Noise, levels of 255.
        vignette: 0..1.
        sharpen: 0..2, as phones do.
        jpeg: Quality, 0 for none.
        glare: Strength of one reflection, 0..1.
    """

    gain: float = 1.0
    warmth: float = 0.0
    tint: float = 0.0
    contrast: float = 1.0
    blur: float = 0.6
    shake: float = 0.0
    shake_angle: float = 0.0
    grain: float = 3.0
    grain_size: float = 0.6
    vignette: float = 0.15
    sharpen: float = 0.3
    jpeg: int = 85
    glare: float = 0.0
    glare_at: tuple[float, float] = (0.5, 0.5)
    shade: float = 0.0
    shade_seed: int = 0


def random_sensor(rng: np.random.Generator) -> Sensor:
    """A random sensor, from a good phone to an old webcam in lamp light."""
    shaky = rng.uniform() < 0.12
    return Sensor(
        gain=float(np.exp(rng.normal(0.15, 0.25))),
        warmth=float(rng.normal(0, 0.35)),
        tint=float(rng.normal(0, 0.12)),
        contrast=float(np.exp(rng.normal(0, 0.18))),
        blur=float(rng.gamma(2, 0.35)),
        shake=float(rng.uniform(2, 9)) if shaky else 0.0,
        shake_angle=float(rng.uniform(0, 180)),
        grain=float(rng.gamma(1.3, 2.2)),
        grain_size=float(rng.uniform(0.3, 1.3)),
        vignette=float(rng.uniform(0, 0.5)),
        sharpen=float(max(0, rng.normal(0.4, 0.5))),
        jpeg=int(rng.integers(35, 96)),
        glare=float(rng.uniform(0.2, 0.9)) if rng.uniform() < 0.2 else 0.0,
        glare_at=(float(rng.uniform()), float(rng.uniform())),
        shade=float(rng.uniform(0.2, 0.7)) if rng.uniform() < 0.25 else 0.0,
        shade_seed=int(rng.integers(1 << 30)),
    )


def light(shape: tuple[int, int], sensor: Sensor) -> npt.NDArray[np.float32]:
    """(h, w, 1) gain over the image: vignette, and the edge of a person's shadow."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = x / w - 0.5, y / h - 0.5
    field = 1 - sensor.vignette * 1.6 * (x * x + y * y)
    if sensor.shade:
        rng = np.random.default_rng(sensor.shade_seed)
        angle, offset, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4), rng.uniform(0.005, 0.3)
        edge = np.cos(angle) * x + np.sin(angle) * y + 0.06 * np.sin(x * rng.uniform(0, 20)) - offset
        field = field * (1 - sensor.shade * np.clip(edge / soft + 0.5, 0, 1))
    return field[..., None]


def photograph(clean: Picture, sensor: Sensor, rng: np.random.Generator) -> Picture:
    """The (h, w, 3) uint8 BGR image that this sensor takes of a clean BGR scene."""
    picture = clean.astype(np.float32) / 255
    h, w = picture.shape[:2]
    balance = np.array([1 - 0.18 * sensor.warmth, 1 + 0.12 * sensor.tint, 1 + 0.18 * sensor.warmth], np.float32)
    picture *= sensor.gain * balance * light((h, w), sensor)
    if sensor.glare:
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        gx, gy = sensor.glare_at[0] * w, sensor.glare_at[1] * h
        spot = np.exp(-(((x - gx) / (0.12 * w)) ** 2 + ((y - gy) / (0.16 * h)) ** 2))
        picture += 0.8 * sensor.glare * spot[..., None]
    bright: Array = np.clip(picture, 0, None) ** sensor.contrast
    bright = np.where(bright > 0.8, 0.8 + 0.2 * np.tanh((bright - 0.8) / 0.2), bright)  # compresses highlights
    if sensor.blur > 0.2:
        bright = cv2.GaussianBlur(bright, (0, 0), sensor.blur)
    if sensor.shake > 1:
        size = int(sensor.shake) | 1
        kernel: Array = np.zeros((size, size), np.float32)
        kernel[size // 2] = 1
        turn = cv2.getRotationMatrix2D((size // 2, size // 2), sensor.shake_angle, 1)
        kernel = cv2.warpAffine(kernel, turn, (size, size))
        bright = cv2.filter2D(bright, -1, kernel / max(1e-6, kernel.sum()))
    return develop(bright, sensor, rng)


def develop(picture: Array, sensor: Sensor, rng: np.random.Generator) -> Picture:
    """Applies noise, sharpening and JPEG to a float image 0..1."""
    if sensor.grain > 0.1:
        noise = grain(picture.shape, sensor.grain / 255, sensor.grain_size, rng)
        picture = picture + noise * (0.5 + np.sqrt(np.clip(picture, 0, 1)))
    if sensor.sharpen > 0.05:
        picture = picture + sensor.sharpen * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    levels = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    return packed(levels, sensor.jpeg)


WEBCAM = Sensor()
QUIET = replace(WEBCAM, grain=1.0, jpeg=0)


class SimulatedWebcam:
    """A sensor that takes many images of one size with drifting exposure."""

    def __init__(self, sensor: Sensor, shape: tuple[int, int], rng: np.random.Generator) -> None:
        self._sensor, self._rng = sensor, rng
        balance = np.array([1 - 0.18 * sensor.warmth, 1 + 0.12 * sensor.tint, 1 + 0.18 * sensor.warmth], np.float32)
        self._light = light(shape, sensor) * balance * sensor.gain
        self._drift = 0.0

    def take(self, clean: Picture, gain: float = 1.0) -> Picture:
        """The next image, (h, w, 3) uint8 BGR."""
        self._drift = 0.97 * self._drift + float(self._rng.normal(0, 0.0015))
        picture = clean * (self._light * np.float32(gain * (1 + self._drift)))
        if self._sensor.blur > 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), self._sensor.blur)
        picture += grain(picture.shape, self._sensor.grain, self._sensor.grain_size, self._rng)
        return packed(np.clip(picture, 0, 255).astype(np.uint8), self._sensor.jpeg)
