"""Material for clips: dice cut out of real photos, whole photos, and table backgrounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tests.kit.drawn.backdrops import real_backdrop
from tests.kit.drawn.cutouts import CONTEXT, PATCH, Cutouts, load_cutouts
from tests.kit.drawn.photos import FROM_ABOVE, PIPS_ONLY, Photo, load_photos
from tests.kit.evaluation.photos import measure
from tests.kit.evaluation.scoring import ASK
from vision.dice.detector import Detector
from vision.types import Image

Float = npt.NDArray[Any]  # float32; the type stubs of cv2 and numpy are less specific

SIDE = PATCH / CONTEXT  # pixels: longer side of a die in its patch
SHADOW = 0.4  # opacity of a die's contact shadow
SMALLEST = 24.0  # pixels: smaller dice are too coarse to be cut out
MAX_DICE = 9  # maximum number of dice in a whole photo


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """An image with transparency.

    Attributes:
        layer: (h, w, 4) float32, premultiplied BGR and opacity 0..1.
        zero: x and y of its origin, pixels.
    """

    layer: Float
    zero: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """The dice and photos of one folder that are read correctly as still images, so that errors are due to the motion.

    Attributes:
        cutouts: All cut-out dice.
        rows: Rows of the usable cutouts by source and value.
        wholes: Photos with few dice, all read correctly.
        photos: All photos, for backgrounds.
    """

    cutouts: Cutouts
    rows: dict[str, dict[int, list[int]]]
    wholes: list[Photo]
    photos: list[Photo]

    def sources(self) -> list[str]:
        """Sources with usable cutouts of all six values."""
        return sorted(name for name, faces in self.rows.items() if len(faces) == 6)

    def die(self, row: int, pixels: float) -> Sprite:
        """A die with its shadow. pixels: its longer side, as visible; the labels of some sources leave a margin."""
        scale = pixels / _longer_side(self.cutouts.masks[row])
        size = max(8, round(PATCH * scale))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        colour = cv2.resize(self.cutouts.patches[row], (size, size), interpolation=method).astype(np.float32)
        opacity = cv2.resize(self.cutouts.masks[row], (size, size), interpolation=method).astype(np.float32) / 255
        under = SHADOW * cv2.GaussianBlur(opacity, (0, 0), 0.12 * pixels)
        both = opacity + (1 - opacity) * under
        return Sprite(np.dstack([colour * opacity[..., None], both]), (size / 2, size / 2))

    def alike(self, source: str, chance: Generator) -> dict[int, list[int]]:
        """Rows of similar dice by value: of one source, nearest in colour to a random one."""
        faces = self.rows[source]
        colours = {row: self._colour(row) for rows in faces.values() for row in rows}
        one = colours[list(colours)[int(chance.integers(len(colours)))]]
        return {
            face: sorted(rows, key=lambda row: float(np.linalg.norm(colours[row] - one)))[:3]
            for face, rows in faces.items()
        }

    def turnable(self, source: str) -> float:
        """Maximum rotation in degrees at which a photo of such a die stays plausible."""
        return 180.0 if source in FROM_ABOVE else 12.0

    def _colour(self, row: int) -> Float:
        middle = slice(PATCH // 2 - 20, PATCH // 2 + 20)
        return np.asarray(np.median(self.cutouts.patches[row][middle, middle].reshape(-1, 3), axis=0), np.float32)


def _longer_side(mask: Image) -> float:
    """Longer side of the box around a die's mask, pixels."""
    rows, columns = np.nonzero(mask > 127)
    return float(max(np.ptp(rows), np.ptp(columns)) + 1)


def load_stock(folder: Path, detector: Detector, cache: Path) -> Stock:
    """Loads the dice and photos of `folder`/dev or `folder` (images/, labels/); stores under `cache` which dice are
    read correctly."""
    folder = folder / "dev" if (folder / "dev").is_dir() else folder
    photos = load_photos(folder, cache, without=frozenset(PIPS_ONLY))
    right = _read_right(folder, detector, cache)
    cutouts = load_cutouts(photos, cache, "clips")
    usable = _legible(cutouts, detector, cache)
    rows: dict[str, dict[int, list[int]]] = {}
    number = 0
    wholes = []
    for photo in photos:
        legible = right[photo.name]
        if photo.faces.size and len(photo.faces) <= MAX_DICE and legible == [*range(len(photo.faces))]:
            wholes.append(photo)
        for place, (box, face) in enumerate(zip(photo.xyxy, photo.faces, strict=True)):
            if place in legible and usable[number] and float((box[2:] - box[:2]).max()) >= SMALLEST:
                rows.setdefault(photo.set_name, {}).setdefault(int(face), []).append(number)
            number += 1
    return Stock(cutouts, rows, wholes, photos)


def _legible(cutouts: Cutouts, detector: Detector, cache: Path) -> npt.NDArray[np.bool_]:
    """(n,) True for well cut-out dice that are read correctly on a dark and on a light background."""
    kept = cache / f"legible_{len(cutouts)}.npy"
    if kept.exists():
        return np.asarray(np.load(kept), np.bool_)
    margin = (PATCH - SIDE) / 2
    box = np.array([[margin, margin, PATCH - margin, PATCH - margin]], np.float32)
    good = np.array(cutouts.whole)
    for row in np.flatnonzero(good):
        opacity = cutouts.masks[row][..., None].astype(np.float32) / 255
        for grey in (50, 170):
            laid = (cutouts.patches[row] * opacity + grey * (1 - opacity)).astype(np.uint8)
            seen = detector.read(laid, box)
            good[row] &= seen.faces[0] == cutouts.faces[row] and seen.scores[0] > 0.5 and seen.confidences[0] > 0.5
    np.save(kept, good)
    return good


def _read_right(folder: Path, detector: Detector, cache: Path) -> dict[str, list[int]]:
    """Positions of the dice that are read correctly and confidently, by photo; none if there are false detections."""
    kept = cache / f"read_right_{folder.parent.name}_{folder.name}.json"
    if kept.exists():
        found: dict[str, list[int]] = json.loads(kept.read_text())
        return found
    right = {}
    for one in measure(folder, lambda image: detector.detect(image, thorough=True)):
        outcome = one.outcome
        sure = outcome.seen.confidences >= ASK
        good = [t for t, s in outcome.pairs if (t, s) not in outcome.wrong and sure[s]]
        right[one.path.stem] = [] if outcome.extra else sorted(good)
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(right))
    return right


TABLES = ("green felt", "wood", "dark cloth", "photo")


def table(kind: str, size: tuple[int, int], photos: Sequence[Photo], chance: Generator) -> Image:
    """An empty table of this (width, height): synthetic felt, wood or cloth, or part of a real photo without dice."""
    width, height = size
    if kind == "photo":
        bare = [photo.image for photo in photos if not len(photo.faces)]
        image = bare[int(chance.integers(len(bare)))] if bare else real_backdrop(photos, 512, chance)
        scale = max(width / image.shape[1], height / image.shape[0])
        whole = cv2.resize(image, None, fx=scale + 1e-3, fy=scale + 1e-3, interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(whole[:height, :width])
    colour = {
        "green felt": (45 + 20 * chance.random(), 95 + 35 * chance.random(), 25 + 25 * chance.random()),
        "wood": (60 + 30 * chance.random(), 100 + 40 * chance.random(), 150 + 40 * chance.random()),
        "dark cloth": tuple(chance.uniform(18, 50, 3)),
    }[kind]
    field = np.zeros((height, width), np.float32)
    for cells, strength in ((3, 14.0), (12, 5.0)):
        coarse = chance.normal(0, strength, (cells, cells)).astype(np.float32)
        field += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    grain: Float = chance.normal(0, 1, (height, width)).astype(np.float32)
    if kind == "wood":
        grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=width / 25, sigmaY=1.0)
        boards = chance.normal(0, 8, (int(chance.integers(3, 8)), 1)).astype(np.float32)
        field += 14 * grain / grain.std() + cv2.resize(boards, (width, height), interpolation=cv2.INTER_NEAREST)
    else:
        fibres = cv2.GaussianBlur(grain, (0, 0), 0.8 if kind == "green felt" else 1.3)
        field += (7 if kind == "green felt" else 4) * fibres / fibres.std()
    return np.clip(np.array(colour, np.float32) + field[..., None], 0, 255).astype(np.uint8)
