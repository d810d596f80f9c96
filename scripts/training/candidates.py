"""Training data of the verifier: patches around candidate boxes, each with the kind of its content.

Detections in images without dice, or away from the labelled dice, are false candidates. Boxes beside a die, around one
pip or around far more than a die are generated from the labels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tests.kit.drawn.photos import PIPS_ONLY, UNLABELLED_DICE, Float, Image, Photo, die_boxes
from vision.dice.crops import crop_at
from vision.dice.detector import Detector
from vision.dice.pyramid import ImagePyramid

DIE, NOTHING, PRINTED, PART = range(4)
PATCH, CONTEXT = 144, 3.2  # width of a patch in pixels, and in dice
LEAST = 0.02  # minimum score of the finder
SEARCHED = 3  # the finder runs on every third image with dice; the others provide labels only
MAX_CANDIDATES = 30  # candidates per image, so that a board full of pieces does not dominate
SAME, APART = 0.5, 0.25  # intersection over union from which a candidate is a die, and below which it is not
FAR = 1.0  # distance in die sides, plus 0.3 candidate sides, beyond which a candidate is unrelated to a die


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Patches around boxes.

    Attributes:
        patches: (n, 144, 144, 3) uint8 BGR, 3.2 boxes wide.
        kinds: (n,) DIE, NOTHING, PRINTED or PART.
        names: (n,) file names of the images.
        chances: (n,) probability of a die according to finder and reader; 1 for labels.
    """

    patches: Image
    kinds: npt.NDArray[np.int64]
    names: npt.NDArray[np.str_]
    chances: Float

    def save(self, path: Path) -> None:
        """Writes `path.npy` (patches, memory-mapped on load) and `path.npz` (the rest)."""
        np.save(path.with_suffix(".npy"), self.patches)
        np.savez(path.with_suffix(".npz"), kinds=self.kinds, names=self.names, chances=self.chances)

    @classmethod
    def load(cls, path: Path) -> Candidates:
        """Loads what `save` wrote."""
        with np.load(path.with_suffix(".npz")) as kept:
            return cls(np.load(path.with_suffix(".npy"), mmap_mode="r"), *(kept[k] for k in kept.files))


def load_candidates(folder: Path) -> dict[str, Candidates]:
    """The candidates collected by `scripts/harvest.py`, by name.

    Those reserved for fitting the evidence weights are left out.
    """
    return {path.stem: Candidates.load(path) for path in sorted(folder.glob("*.npz")) if path.stem != "aside"}


def harvest(photos: Iterator[Photo], detector: Detector, rng: Generator, false: int = NOTHING) -> Candidates:
    """Collects the candidates of some images; false: kind of the detections away from labelled dice."""
    patches: list[Image] = []
    kinds: list[int] = []
    names: list[str] = []
    chances: list[float] = []
    for number, photo in enumerate(photos):
        if number % 100 == 0:
            print(f"{number} pictures, {len(patches)} candidates", flush=True)
        picture = ImagePyramid(np.asarray(photo.image))
        searched = not len(photo.xyxy) or number % SEARCHED == 0
        found = _found(photo, detector, false) if searched else ()
        for box, kind, chance in [*found, *_made(photo, rng)]:
            patches.append(crop_at(picture, box, PATCH, context=CONTEXT))
            kinds.append(kind)
            names.append(photo.name)
            chances.append(chance)
    return Candidates(
        np.array(patches, np.uint8).reshape(-1, PATCH, PATCH, 3), np.array(kinds, np.int64), np.array(names, str),
        np.array(chances, np.float32),
    )  # fmt: skip


def _found(photo: Photo, detector: Detector, false: int) -> Iterator[tuple[Float, int, float]]:
    """Yields each box detected as a die, with its kind and the probability of a die.

    In images with dice only the finder runs, because running all networks takes ten times as long.
    """
    image = np.ascontiguousarray(photo.image)
    boxes, scores = detector.candidates(image, thorough=True, least=LEAST)
    order = np.argsort(-scores)[: max(MAX_CANDIDATES, len(photo.xyxy))]
    boxes, scores = boxes[order], scores[order]
    if not len(photo.xyxy):
        seen = detector.doubtful(image, LEAST)
        boxes, scores = np.concatenate([seen.xyxy, boxes]), np.concatenate([seen.scores, scores])
    kinds = kinds_of(photo, boxes, false)
    for row in range(len(boxes)):
        if kinds[row] >= 0:
            yield boxes[row], int(kinds[row]), float(scores[row])


def kinds_of(photo: Photo, boxes: Float, false: int = NOTHING) -> npt.NDArray[np.int64]:
    """(n,) kinds of boxes (n, 4) in a labelled image; -1 where the labels leave it open."""
    kinds = np.full(len(boxes), -1, np.int64)
    dice = die_boxes(photo)
    if not len(dice):
        kinds[:] = false
        return kinds
    shared = _overlap(boxes, dice)
    middle, true_middle = (boxes[:, :2] + boxes[:, 2:]) / 2, (dice[:, :2] + dice[:, 2:]) / 2
    side, true_side = (boxes[:, 2:] - boxes[:, :2]).max(axis=1), (dice[:, 2:] - dice[:, :2]).max(axis=1)
    away = np.abs(middle[:, None] - true_middle).max(axis=2) / (true_side + 0.3 * side[:, None])
    if photo.set_name not in UNLABELLED_DICE:
        kinds[(away > FAR).all(axis=1)] = false
    if photo.set_name not in PIPS_ONLY:
        within = (away < 0.6).any(axis=1)
        kinds[within & (shared.max(axis=1) < APART)] = PART
    kinds[shared.max(axis=1) >= SAME] = DIE
    return kinds


def _made(photo: Photo, rng: Generator) -> Iterator[tuple[Float, int, float]]:
    """Yields the labels themselves, and generated boxes that contain part of a die, or a die and much more."""
    dice = die_boxes(photo)
    for box in dice:
        yield box, DIE, 1.0
        if photo.set_name in PIPS_ONLY:
            continue
        middle, size = (box[:2] + box[2:]) / 2, box[2:] - box[:2]
        kind = rng.random()
        if kind < 0.4:  # beside it
            angle = rng.uniform(0, 2 * np.pi)
            at, half = middle + size * rng.uniform(0.6, 0.9) * np.array([np.cos(angle), np.sin(angle)]), size / 2
        elif kind < 0.6:  # one of its pips
            at, half = middle + size * rng.uniform(-0.35, 0.35, 2), size * rng.uniform(0.08, 0.2)
        elif kind < 0.75:  # far too large
            at, half = middle + size * rng.uniform(-0.6, 0.6, 2), size * rng.uniform(1.1, 1.8)
        else:
            continue
        made = np.concatenate([at - half, at + half]).astype(np.float32)
        if _overlap(made[None], dice).max() < APART:
            yield made, PART, 1.0


def _overlap(these: Float, those: Float) -> Float:
    """(n, m) intersection over union."""
    corner = np.minimum(these[:, None, 2:], those[None, :, 2:]) - np.maximum(these[:, None, :2], those[None, :, :2])
    shared = np.maximum(corner, 0).prod(axis=2)
    areas = [(boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (these, those)]
    return np.asarray(shared / np.maximum(areas[0][:, None] + areas[1] - shared, 1e-9), np.float32)


def kept_for_fitting(name: str) -> bool:
    """Whether an image without dice is reserved for fitting the evidence weights: a fifth of the sources."""
    row, _, rest = name.partition("__")
    if row not in ("near", "domino", "anything"):
        return False
    source = rest.split("__")[0]
    return hashlib.sha256(source.encode()).digest()[9] % 5 == 0
