"""Places a phone that shows one of our own pages onto an image of a table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from vision.dice.detections import Detections
from vision.types import Image

SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
PAGES = SCREENS / "table-phone.webp", SCREENS / "player.webp"  # pages that players open on their phones
PHONE_MM, DIE_MM = (71.0, 147.0), 16.0  # sizes of a six-inch phone and of an ordinary die
EDGE_MM = 2.0  # width of the frame around the screen
WIDEST = 0.45  # maximum share of the image's width; a phone beside very large dice is drawn smaller


def phone(page: Path, mm: float) -> Image:
    """A phone with this page from straight above, at this many pixels per millimetre."""
    shot = cv2.imread(str(page))
    assert shot is not None, f"{page} cannot be read"
    size = round(PHONE_MM[0] * mm), round(PHONE_MM[1] * mm)
    shown = shot[: round(shot.shape[1] * size[1] / size[0])]
    screen = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
    edge = max(2, round(EDGE_MM * mm))
    return np.asarray(cv2.copyMakeBorder(screen, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(15, 15, 15)))


def with_phone(photo: Image, page: Path, die: float, chance: Generator) -> tuple[Image, Image]:
    """The photo with a phone that shows this page; die: pixels of a die beside it."""
    height, width = photo.shape[:2]
    device = phone(page, min(die / DIE_MM, WIDEST * width / PHONE_MM[0]))
    middle = device.shape[1] / 2, device.shape[0] / 2
    turn = float(chance.choice([0, 90, 180, 270]) if chance.random() < 0.5 else chance.uniform(-180, 180))
    matrix = cv2.getRotationMatrix2D(middle, turn, 1.0)
    at = chance.uniform(0.3, 0.7, 2) * (width, height)
    matrix[:, 2] += at - middle
    there = cv2.warpAffine(np.full(device.shape[:2], 255, np.uint8), matrix, (width, height))
    glow = float(chance.uniform(0.8, 1.0))
    screen = cv2.convertScaleAbs(cv2.warpAffine(device, matrix, (width, height)), alpha=glow)
    picture = np.where(there[..., None] > 127, screen, photo).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), np.asarray(there, np.uint8)


def on_it(found: Detections, there: Image) -> int:
    """Number of these boxes whose centre is on the phone."""
    middles = ((found.xyxy[:, :2] + found.xyxy[:, 2:]) / 2).astype(int)
    rows = np.clip(middles[:, 1], 0, there.shape[0] - 1), np.clip(middles[:, 0], 0, there.shape[1] - 1)
    return int((there[rows] > 127).sum())
