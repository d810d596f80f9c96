"""Cuts every die out of the training images, as a square patch with a mask; computed once and cached."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from .photos import Float, Image, Photo, die_boxes

PATCH = 160  # pixels; the die's longer side spans PATCH / CONTEXT
CONTEXT = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class Cutouts:
    """Cut-out dice.

    Attributes:
        patches: (n, 160, 160, 3) BGR.
        masks: (n, 160, 160) 0..255.
        whole: (n,) whether the mask is plausible.
        faces: (n,) 1..6.
        sets: (n,) names of the image sets.
    """

    patches: Image
    masks: Image
    whole: npt.NDArray[np.bool_]
    faces: npt.NDArray[np.int64]
    sets: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.faces)


def patch_of(image: Image, box: Float, *, context: float = CONTEXT, size: int = PATCH) -> Image:
    """The square around a box, `context` times its longer side wide, scaled to (size, size); borders are mirrored."""
    centre, reach = (box[:2] + box[2:]) / 2, context * float((box[2:] - box[:2]).max())
    scale = size / reach
    if scale < 0.6:  # warpAffine does not average, so reduce first to avoid aliasing of fine pips
        left, top = np.floor(np.maximum(centre - reach / 2 - 2, 0)).astype(int)
        right, bottom = np.ceil(centre + reach / 2 + 2).astype(int)
        piece = image[top:bottom, left:right]
        shrink = 2 * scale if scale > 0.3 else 1.2 * scale
        image = cv2.resize(piece, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        centre = (centre - (left, top)) * shrink
        scale /= shrink
    matrix = np.array([[scale, 0, size / 2 - scale * centre[0]], [0, scale, size / 2 - scale * centre[1]]])
    return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def die_mask(patch: Image, aspect: Float) -> tuple[Image, bool]:
    """Segments the die in a patch with GrabCut, starting from an ellipse in its box.

    Args:
        patch: (160, 160, 3) BGR.
        aspect: (2,) width and height of the box divided by its longer side.

    Returns:
        The mask (160, 160), 0..255, and whether it is plausible.
    """
    half = PATCH // 2
    small = cv2.resize(patch, (half, half), interpolation=cv2.INTER_AREA)
    side = half / CONTEXT
    width, height = aspect * side
    labels = np.full((half, half), cv2.GC_BGD, np.uint8)
    middle = (half / 2, half / 2)
    cv2.ellipse(labels, (middle, (width * 1.4, height * 1.4), 0), cv2.GC_PR_BGD, -1)
    cv2.ellipse(labels, (middle, (width * 1.05, height * 1.05), 0), cv2.GC_PR_FGD, -1)
    cv2.ellipse(labels, (middle, (width * 0.6, height * 0.6), 0), cv2.GC_FGD, -1)
    left, top = int(half / 2 - width / 2 * 1.06), int(half / 2 - height / 2 * 1.06)
    inside = np.zeros_like(labels)
    inside[max(top, 0) : half - top + 1, max(left, 0) : half - left + 1] = 1
    labels[inside == 0] = cv2.GC_BGD
    cv2.grabCut(small, labels, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 2, cv2.GC_INIT_WITH_MASK)
    mask: Image = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return np.zeros((PATCH, PATCH), np.uint8), False
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))  # a die is convex: fills holes from glare and pips
    full = np.zeros((PATCH, PATCH), np.uint8)
    cv2.fillConvexPoly(full, hull * 2, 255, cv2.LINE_AA)
    share = cv2.contourArea(hull) / max(width * height, 1)
    return cv2.GaussianBlur(full, (0, 0), 1.2), bool(0.28 < share < 1.05)


def load_cutouts(photos: Sequence[Photo], cache: Path, tag: str = "") -> Cutouts:
    """Patches and masks of all dice of `photos`; computed on the first call, memory-mapped from `cache` later."""
    boxes = [die_boxes(photo) for photo in photos]
    stem = cache / _key(photos, boxes, tag)
    count = sum(map(len, boxes))
    paths = stem.with_suffix(".patches.npy"), stem.with_suffix(".masks.npy"), stem.with_suffix(".whole.npy")
    size = np.concatenate([b[:, 2:] - b[:, :2] for b in boxes])
    sides = size.max(axis=1)
    if not paths[2].exists():
        patches = np.lib.format.open_memmap(paths[0], "w+", np.uint8, (count, PATCH, PATCH, 3))
        masks = np.lib.format.open_memmap(paths[1], "w+", np.uint8, (count, PATCH, PATCH))
        whole, number = np.zeros(count, bool), 0
        for photo, box in zip(photos, boxes, strict=True):
            if number // 1000 != (number + len(box)) // 1000:
                print(f"cutting out dice: {number + len(box)} of {count}", flush=True)
            for row in box:
                patches[number] = patch_of(photo.image, row)
                masks[number], whole[number] = die_mask(patches[number], size[number] / sides[number])
                number += 1
        patches.flush()
        masks.flush()
        np.save(paths[2], whole)
    return Cutouts(
        np.load(paths[0], mmap_mode="r"),
        np.load(paths[1], mmap_mode="r"),
        np.load(paths[2]),
        np.concatenate([p.faces for p in photos]),
        np.array([p.set_name for p, b in zip(photos, boxes, strict=True) for _ in b]),
    )


def _key(photos: Sequence[Photo], boxes: Sequence[Float], tag: str) -> str:
    """Cache key of these images and labels."""
    named = hashlib.sha256(tag.encode())
    for photo, box in zip(photos, boxes, strict=True):
        named.update(photo.name.encode() + box.tobytes() + photo.faces.tobytes())
    return named.hexdigest()[:16]


def load_wide(photos: Sequence[Photo], cache: Path, context: float) -> Image:
    """(n, 160, 160, 3) patches around all dice, `context` dice wide; computed once, then memory-mapped."""
    boxes = [die_boxes(photo) for photo in photos]
    path = cache / f"{_key(photos, boxes, str(context))}.wide.npy"
    if not path.exists():
        part = path.with_suffix(".part")
        places = np.lib.format.open_memmap(part, "w+", np.uint8, (sum(map(len, boxes)), PATCH, PATCH, 3))
        rows = ((photo.image, row) for photo, box in zip(photos, boxes, strict=True) for row in box)
        for number, (image, row) in enumerate(rows):
            places[number] = patch_of(image, row, context=context)
        places.flush()
        part.rename(path)
    return np.asarray(np.load(path, mmap_mode="r"))


def joined(*parts: Cutouts) -> Cutouts:
    """Concatenates several parts; the result is held in memory if there is more than one."""
    if len(parts) == 1:
        return parts[0]
    return Cutouts(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Cutouts)))
