"""Augmentation of light, lens and camera."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from tests.kit.drawn.photos import Image

_RAMP = np.arange(256, dtype=np.float32) / 255


def recolour(image: Image, rng: Generator, *, strength: float = 1.0) -> Image:
    """A differently dyed die: hue rotated, saturation scaled, sometimes inverted (white dice become black)."""
    if rng.random() < 0.12 * strength:
        image = 255 - image
    if rng.random() < 0.15 * strength:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.6 * strength:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        turn = int(rng.integers(0, 180)) if rng.random() < 0.3 else int(rng.integers(-8, 9))
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + turn) % 180
        hsv[..., 1] = cv2.convertScaleAbs(hsv[..., 1], alpha=float(rng.uniform(0.4, 1.6)))
        image = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return image


def relight(image: Image, rng: Generator) -> Image:
    """Random exposure, gamma, colour of the light (one curve per channel), haze, and a soft shadow or glow."""
    gamma, gain, lift = np.exp(rng.normal(0, 0.35)), np.exp(rng.normal(0, 0.18)), rng.normal(0, 0.05)
    if rng.random() < 0.12:  # overexposed white dice on white paper, without edges
        gain *= rng.uniform(1.3, 2.4)
    warmth = np.exp(rng.normal(0, 0.09, 3))
    curve = (_RAMP[:, None] ** gamma) * gain * warmth + lift
    image = cv2.LUT(image, (np.clip(curve, 0, 1) * 255).astype(np.uint8).reshape(256, 1, 3))
    if rng.random() < 0.2:  # haze, or low contrast of the pips
        faded = image.mean(axis=(0, 1)) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
        keep = float(rng.uniform(0.3, 0.9))
        image = cv2.add(cv2.convertScaleAbs(image, alpha=keep), np.append((1 - keep) * faded, 0.0))
    if rng.random() < 0.3:
        height, width = image.shape[:2]
        coarse = rng.normal(1.0, 0.28, (3, 3)).clip(0.3, 1.6).astype(np.float32)
        field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        image = cv2.multiply(image, cv2.merge([field] * 3), dtype=cv2.CV_8U)
    if rng.random() < 0.1:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return image


def degrade(image: Image, rng: Generator, *, largest_blur: float = 1.6) -> Image:
    """Random defocus, motion blur, low resolution, noise and JPEG compression."""
    height, width = image.shape[:2]
    if rng.random() < 0.15:
        factor = float(rng.uniform(0.35, 0.8))
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, largest_blur)))
    elif rng.random() < 0.12:
        length = int(rng.integers(3, 4 + int(3 * largest_blur)))
        kernel: Image = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), float(rng.uniform(0, 180)), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length))
        image = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-3))
    if rng.random() < 0.3:
        # Shifted copies of one noise plane serve all channels, because drawing random numbers dominates the cost.
        noise: Image = np.empty((height + 14, width), np.int16)
        cv2.randn(noise, np.zeros(1), np.full(1, rng.uniform(2, 16)))
        grain = np.dstack([noise[at : at + height] for at in (0, 7, 14)])
        image = cv2.add(image, grain, dtype=cv2.CV_8U)
    if rng.random() < 0.25:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return image
