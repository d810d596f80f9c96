"""Candidates of the finder as lessons for the verifier: patches around boxes, each with what is in it.

What the finder and the readers take for a die in pictures without dice, or away from the labelled dice, is none. Boxes
beside a die, around a pip and around far more than a die are made from the labels.
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
PATCH, CONTEXT = 144, 3.2  # pixels of a patch, and how many dice wide it is
LEAST = 0.02  # the finder's score from which a candidate is kept
SEARCHED = 3  # of so many pictures with dice the finder searches one; of the others the labels serve
MOST = 30  # candidates of one picture: a board full of pieces must not outweigh all others
SAME, APART = 0.5, 0.25  # intersection over union from which a candidate is the die, and below which it is not
FAR = 1.0  # of a die's side and 0.3 of the candidate's: farther than that it has nothing to do with the die


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Patches around boxes.

    Attributes:
        patches: (n, 144, 144, 3) uint8 BGR, 3.2 boxes wide.
        kinds: (n,) DIE, NOTHING, PRINTED or PART.
        names: (n,) of the pictures.
        chances: (n,) what the finder and the reader together give for a die; 1 where the box is a label.
    """

    patches: Image
    kinds: npt.NDArray[np.int64]
    names: npt.NDArray[np.str_]
    chances: Float

    def save(self, path: Path) -> None:
        """Writes `path.npy` (patches, to be mapped) and `path.npz` (the rest)."""
        np.save(path.with_suffix(".npy"), self.patches)
        np.savez(path.with_suffix(".npz"), kinds=self.kinds, names=self.names, chances=self.chances)

    @classmethod
    def load(cls, path: Path) -> Candidates:
        """What `save` wrote."""
        with np.load(path.with_suffix(".npz")) as kept:
            return cls(np.load(path.with_suffix(".npy"), mmap_mode="r"), *(kept[k] for k in kept.files))


def load_candidates(folder: Path) -> dict[str, Candidates]:
    """All that `scripts/harvest.py` collected, by name, but what is put aside to fit how evidence is added up."""
    return {path.stem: Candidates.load(path) for path in sorted(folder.glob("*.npz")) if path.stem != "aside"}


def harvest(photos: Iterator[Photo], detector: Detector, rng: Generator, false: int = NOTHING) -> Candidates:
    """The candidates of some pictures; false: what is found away from their dice."""
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
    """Boxes that the finder, or all networks together, take for dice; what they are; the chance given.

    Among dice the finder alone is asked: reading them all takes ten times as long.
    """
    image = np.ascontiguousarray(photo.image)
    boxes, scores = detector.candidates(image, thorough=True, least=LEAST)
    order = np.argsort(-scores)[: max(MOST, len(photo.xyxy))]
    boxes, scores = boxes[order], scores[order]
    if not len(photo.xyxy):
        seen = detector.doubtful(image, LEAST)
        boxes, scores = np.concatenate([seen.xyxy, boxes]), np.concatenate([seen.scores, scores])
    kinds = kinds_of(photo, boxes, false)
    for row in range(len(boxes)):
        if kinds[row] >= 0:
            yield boxes[row], int(kinds[row]), float(scores[row])


def kinds_of(photo: Photo, boxes: Float, false: int = NOTHING) -> npt.NDArray[np.int64]:
    """(n,) What is in boxes (n, 4) of a labelled picture; -1 where the labels do not say."""
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
    """The labels themselves, and boxes that hold a part of a die, or a die and much more."""
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
    """(n, m) Intersection over union."""
    corner = np.minimum(these[:, None, 2:], those[None, :, 2:]) - np.maximum(these[:, None, :2], those[None, :, :2])
    shared = np.maximum(corner, 0).prod(axis=2)
    areas = [(boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (these, those)]
    return np.asarray(shared / np.maximum(areas[0][:, None] + areas[1] - shared, 1e-9), np.float32)


def kept_for_fitting(name: str) -> bool:
    """Whether a picture without dice is left out of training, a fifth by source, to fit how evidence is added up."""
    row, _, rest = name.partition("__")
    if row not in ("near", "domino", "anything"):
        return False
    source = rest.split("__")[0]
    return hashlib.sha256(source.encode()).digest()[9] % 5 == 0
