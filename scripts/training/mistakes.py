"""False detections of the finder: the hardest training samples of the reader's class "no die"."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.kit.drawn.cutouts import CONTEXT, PATCH, patch_of
from tests.kit.drawn.photos import UNLABELLED_DICE, Image, Photo
from vision.dice.detector import Detector

LEAST = 0.05  # minimum score of the finder
MAX_MISTAKES = 12  # per image, so that a board full of tokens does not dominate


def load_mistakes(photos: Sequence[Photo], model: Path, cache: Path, context: float = CONTEXT) -> Image:
    """(n, 160, 160, 3) patches around false detections of a finder; computed once, then memory-mapped.

    Sets with unlabelled dice contribute only boxes inside a labelled die that are far too small for it.

    Args:
        photos: Labelled images.
        model: The finder's checkpoint.
        cache: Folder of cached patches.
        context: Width of a patch in box widths.
    """
    key = hashlib.sha256(model.joinpath("finder.onnx").read_bytes() + "\n".join(p.name for p in photos).encode())
    if context != CONTEXT:
        key.update(f"{context}".encode())
    path = cache / f"{key.hexdigest()[:16]}.mistakes.npy"
    if not path.exists():
        detector, patches = Detector(model, threads=1), []
        for number, photo in enumerate(photos):
            if number % 100 == 0:
                print(f"looking for the finder's mistakes: {number} of {len(photos)} pictures", flush=True)
            boxes, scores = detector.candidates(photo.image, thorough=True, least=LEAST)
            patches += [
                patch_of(photo.image, box, context=context)
                for box in boxes[_wrong(photo, boxes, scores)][:MAX_MISTAKES]
            ]
        np.save(path, np.array(patches, np.uint8).reshape(-1, PATCH, PATCH, 3))
    return np.asarray(np.load(path, mmap_mode="r"))


def _wrong(photo: Photo, boxes: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Rows of the boxes that are no die, highest score first."""
    order = np.argsort(-scores)
    if not len(photo.xyxy):
        return order
    middle, side = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]).max(axis=1)
    true_middle = (photo.xyxy[:, :2] + photo.xyxy[:, 2:]) / 2
    true_side = (photo.xyxy[:, 2:] - photo.xyxy[:, :2]).max(axis=1)
    away = np.abs(middle[:, None] - true_middle[None]).max(axis=2)
    apart = (away > 0.75 * (true_side[None] + 0.4 * side[:, None])).all(axis=1)
    within = ((away < 0.5 * true_side[None]) & (side[:, None] < 0.4 * true_side[None])).any(axis=1)
    wrong = within if photo.set_name in UNLABELLED_DICE else apart | (within & (photo.set_name != "laptop"))
    return order[wrong[order]]
