#!/usr/bin/env python
"""Composes look-alikes of dice into real photos: `python -m scripts.compose_lookalikes --photos DIR --out FOLDER`.

No data set has photos with printed dice on cards, cut-out tokens, or phones that show our pages, and rendered images
are not photos. This script places such objects beside the real dice of `DIR/dev`, at a realistic size, in perspective,
in that photo's light and blur. Cards use the designs reserved for development, phones the pages of
`tests/kit/phone.py`. Images and labels go to `FOLDER/dev`, which `scripts/evaluate.py --photos FOLDER --no-write`
reads: every die detected on an object is false. With `--split train` photos, designs and pages are those for training
(`scripts/train.py print --add FOLDER/train --mistakes models`). They contain photos of other people and are never
committed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tests.kit.cards import any_design, game_card
from tests.kit.drawn.backdrops import real_backdrop
from tests.kit.drawn.others import at_slant
from tests.kit.drawn.photos import PIPS_ONLY, UNLABELLED_DICE, Photo, load_photos, load_training_photos
from tests.kit.options import PHOTOS, run
from tests.kit.phone import DIE_MM, PAGES, PHONE_MM, SCREENS, WIDEST, phone
from vision.types import Image

ROOT = Path(__file__).resolve().parent.parent
MAX_OBJECTS, TRIES = 4, 60  # objects in an image at most; places tried for each
# Share of the cards at their real size; the others are scaled so that their printed dice have these sizes beside the
# real ones:
AS_SOLD = 0.5
PRINT = (0.4, 1.0)
TOKEN = (0.8, 3.0)  # width in die widths
CARD, PHONE = 0.6, 0.75  # shares of the objects: cards, then phones; the others are tokens
SHARP = 8.0  # pixels per millimetre of a phone before it is placed
PART = 0.6  # share of an object that must be inside the image


def main(
    out: Path,
    photos: Path = PHOTOS,
    split: str = "dev",
    most: int = 1000,
    times: int = 1,
    seed: int = 0x1A1D,
) -> None:
    """Writes the images in which an object finds room, with their labels.

    Args:
        most: Images of one set.
        times: Images made of one photo.
    """
    dev, target, taken = split == "dev", out / split, Counter[str]()
    sources = (load_photos if dev else load_training_photos)(photos / split, ROOT / "local" / "cache")
    for name in ("images", "labels"):
        (target / name).mkdir(parents=True, exist_ok=True)
    written = objects = 0
    unfit = PIPS_ONLY if dev else PIPS_ONLY | UNLABELLED_DICE  # detections there may be dice
    for number, photo in enumerate(sources):
        if photo.set_name in unfit or taken[photo.set_name] >= most:
            continue
        taken[photo.set_name] += 1
        for again in range(times):
            picture, count = with_lookalikes(photo, sources, dev, np.random.default_rng([seed, number, again]))
            if count:
                # With the photo's own set name a third of these would count as holdout (`holdout.py`).
                stem = f"{'' if dev else 'littered-'}{Path(photo.name).stem}_{again}"
                cv2.imwrite(str(target / "images" / f"{stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
                (target / "labels" / f"{stem}.txt").write_text(_labels(photo), encoding="utf-8")
                written, objects = written + 1, objects + count
    print(f"{written} pictures with {objects} objects in {target}")


def with_lookalikes(photo: Photo, photos: Sequence[Photo], dev: bool, rng: Generator) -> tuple[Image, int]:
    """The photo with up to four objects that neither hide nor touch a die, and their number.

    Args:
        photos: Sources of tokens.
        dev: Use cards and pages reserved for development, or the others.
    """
    out, free = np.asarray(photo.image).copy(), np.ones(photo.image.shape[:2], np.uint8)
    dice = photo.xyxy
    side = float(np.median((dice[:, 2:] - dice[:, :2]).max(axis=1))) if len(dice) else 0.06 * max(out.shape[:2])
    for left, top, right, low in dice + np.array([-0.3, -0.3, 0.3, 0.3], np.float32) * side:
        free[max(0, int(top)) : max(0, int(low)), max(0, int(left)) : max(0, int(right))] = 0
    slant, away, count = np.deg2rad(rng.uniform(0, 50)), float(rng.uniform(15, 40)) * side, 0
    for _ in range(MAX_OBJECTS):
        face, shape, scale = _random_object(side, photos, dev, rng, WIDEST * min(out.shape[:2]))
        for _ in range(TRIES):
            height, width = shape.shape
            flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * scale * np.array([width, height]) / 2
            corners = at_slant(flat, float(rng.uniform(0, 2 * np.pi)), slant, away)
            corners = corners + rng.uniform(0, 1, 2) * out.shape[1::-1]
            place = np.zeros(free.shape, np.uint8)
            cv2.fillConvexPoly(place, np.round(corners).astype(np.int32), (1,))
            area = cv2.contourArea(corners.astype(np.float32))
            if place.sum() >= PART * area and not (place & (1 - free)).any():
                _paste(out, face, shape, corners, rng)
                free[place > 0] = 0
                count += 1
                break
    return out, count


def _random_object(
    side: float, photos: Sequence[Photo], dev: bool, rng: Generator, widest: float
) -> tuple[Image, npt.NDArray[np.uint8], float]:
    """A card, a token or a phone: its image (H, W, 3) BGR, its mask (H, W) 0 or 255, and its scale beside dice of this
    side.

    Args:
        widest: Maximum width of a phone, pixels.
    """
    kind = rng.random()
    if kind < CARD:
        card = game_card(any_design(rng, dev=dev))
        larger = side / DIE_MM * card.wide / card.face.shape[1]
        if rng.random() >= AS_SOLD:
            larger = side * float(rng.uniform(*PRINT)) / max(die[2] for die in card.dice)
        return card.face[..., ::-1], np.full(card.face.shape[:2], 255, np.uint8), larger
    if kind < PHONE:
        pages = PAGES if dev else [page for page in sorted(SCREENS.glob("*.webp")) if page not in PAGES]
        face = phone(pages[int(rng.integers(len(pages)))], SHARP)
        return face, np.full(face.shape[:2], 255, np.uint8), min(side / DIE_MM, widest / PHONE_MM[0]) / SHARP
    across = float(rng.uniform(*TOKEN)) * side
    size = max(16, round(across))
    shape = np.zeros((size, size), np.uint8)
    if rng.random() < 0.6:
        cv2.circle(shape, (size // 2, size // 2), size // 2 - 1, 255, -1)
    else:
        shape[:] = 255
    return real_backdrop(photos, size, rng), shape, across / size


def _paste(
    image: Image, face: Image, shape: npt.NDArray[np.uint8], corners: npt.NDArray[np.float64], rng: Generator
) -> None:
    """Composes it into the image with that place's light and a narrow shadow."""
    height, width = shape.shape
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    shrink = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (width * height))
    soft = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.5 / shrink) if shrink < 1 else 0.3)
    way = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    size = image.shape[1::-1]
    alpha = cv2.GaussianBlur(cv2.warpPerspective(shape, way, size), (0, 0), 0.8)[..., None] / np.float32(255)
    where = alpha[..., 0] > 0.5
    light = np.percentile(image[where], 80, axis=0) / 255 if where.any() else np.ones(3)
    light = np.clip(light / max(light.max(), 1e-3), 0.5, 1) * np.clip(light.max() * 1.1, 0.35, 1)
    printed = cv2.warpPerspective(cv2.GaussianBlur(soft, (0, 0), 0.6), way, size) * light
    printed += rng.normal(0, 2, printed.shape)
    shade = cv2.GaussianBlur(np.roll(alpha[..., 0], (2, 2), (0, 1)), (0, 0), 3)[..., None]
    image[:] = np.clip(image * (1 - 0.4 * shade) * (1 - alpha) + printed * alpha, 0, 255)


def _labels(photo: Photo) -> str:
    size = np.array(photo.image.shape[1::-1])
    middles, sides = (photo.xyxy[:, :2] + photo.xyxy[:, 2:]) / 2 / size, (photo.xyxy[:, 2:] - photo.xyxy[:, :2]) / size
    rows = zip(photo.faces, middles, sides, strict=True)
    return "".join(f"{face - 1} {x:.6f} {y:.6f} {w:.6f} {h:.6f}\n" for face, (x, y), (w, h) in rows)


if __name__ == "__main__":
    run(main)
