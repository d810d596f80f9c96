"""Loads labelled images in Ultralytics' layout from a memory-mapped cache, decoded once for all training runs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.evaluation.holdout import in_holdout

Image = npt.NDArray[Any]  # uint8; the type stubs of cv2 and numpy are less specific
Float = npt.NDArray[Any]  # float32; the type stubs of cv2 and numpy are less specific

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
# Sets taken from straight above, which may be rotated freely. Rotating an oblique image would turn a side face into
# the "top".
FROM_ABOVE = {"byler", "scope", "drawn above"}
# Sets with unlabelled dice: regions without labels must not be used as "no die".
UNLABELLED_DICE = {"desk", "pxl", "piles", "scope"}
# Sets whose boxes contain only the top face's pips.
PIPS_ONLY = {"laptop"}
CROP_BORDER = 0.08  # border around the die, share of the crop's width and height


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """One image with its dice.

    Attributes:
        name: File name without suffix.
        image: (H, W, 3) uint8 BGR, a view into the cache.
        xyxy: (n, 4) boxes in pixels.
        faces: (n,) 1..6.
    """

    name: str
    image: Image
    xyxy: Float
    faces: npt.NDArray[np.int64]

    @property
    def set_name(self) -> str:
        """The image set: the part of the file name before the double underscore."""
        if self.name.startswith("render_"):
            return "render"
        return self.name.split("__")[0] if "__" in self.name else "own"


def picture_files(folder: Path) -> list[Path]:
    """The images in `folder/images`, sorted by name.

    Raises:
        FileNotFoundError: There are none.
    """
    files = sorted(path for path in (folder / "images").glob("*") if path.suffix.lower() in SUFFIXES)
    if not files:
        raise FileNotFoundError(f"no pictures in {folder / 'images'} (expected images/ and labels/ side by side)")
    return files


def read_labels(picture: Path, width: int, height: int) -> tuple[Float, npt.NDArray[np.int64]]:
    """Boxes (n, 4) in pixels and faces (n,) 1..6 of an image from `labels/NAME.txt`; a missing file means no dice."""
    path = picture.parent.parent / "labels" / f"{picture.stem}.txt"
    rows = [line.split() for line in path.read_text().splitlines() if line.strip()] if path.exists() else []
    table = np.array(rows, dtype=np.float32).reshape(-1, 5)
    centre, size = table[:, 1:3] * (width, height), table[:, 3:5] * (width, height)
    xyxy = np.concatenate([centre - size / 2, centre + size / 2], axis=1).astype(np.float32)
    return xyxy, table[:, 0].astype(np.int64) + 1


def load_training_photos(folder: Path, cache: Path, *, without: frozenset[str] = frozenset()) -> list[Photo]:
    """Loads images like `load_photos`, without those of the holdout, which are never used in training."""
    return [photo for photo in load_photos(folder, cache, without=without) if not in_holdout(photo.name)]


def load_crops(folder: Path) -> list[Photo]:
    """The images in `folder/1` to `folder/6`; an empty list if there is no such folder.

    Each shows one die of that value, cropped to the die and a border.

    Raises:
        ValueError: An image cannot be decoded.
    """
    photos = []
    for path in sorted(folder.glob("[1-6]/*")):
        image = cv2.imread(str(path))
        if image is None:
            raise ValueError(f"{path} is not a readable picture")
        size = np.array([image.shape[1], image.shape[0]] * 2, np.float32)
        box = size * np.array([[CROP_BORDER, CROP_BORDER, 1 - CROP_BORDER, 1 - CROP_BORDER]], np.float32)
        photos.append(Photo(path.stem, image, box, np.array([int(path.parent.name)])))
    return photos


def load_photos(folder: Path, cache: Path, *, without: frozenset[str] = frozenset()) -> list[Photo]:
    """All images of a folder, decoded into one file under `cache` on the first call, memory-mapped later.

    The cache key includes the files' names, sizes and dates, so that a changed folder is decoded again.

    Args:
        folder: With `images/` and `labels/`.
        cache: Folder of the cache.
        without: Image sets to leave out.

    Raises:
        FileNotFoundError: There are no images.
        ValueError: An image cannot be decoded.
    """
    files = picture_files(folder)
    key = hashlib.sha256(
        "\n".join(f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in files).encode()
    ).hexdigest()[:16]
    pixels, index = cache / f"{key}.pixels", cache / f"{key}.json"
    if not index.exists():
        cache.mkdir(parents=True, exist_ok=True)
        shapes, offset = [], 0
        with pixels.open("wb") as out:
            for path in files:
                image = cv2.imread(str(path))
                if image is None:
                    raise ValueError(f"{path} is not a readable picture")
                out.write(image.tobytes())
                shapes.append((offset, *image.shape[:2]))
                offset += image.size
        index.write_text(json.dumps(shapes))
    flat = np.memmap(pixels, dtype=np.uint8, mode="r")
    photos = []
    for path, (offset, height, width) in zip(files, json.loads(index.read_text()), strict=True):
        image = flat[offset : offset + height * width * 3].reshape(height, width, 3)
        xyxy, faces = read_labels(path, width, height)
        photo = Photo(path.stem, image, xyxy, faces)
        if photo.set_name not in without:
            photos.append(photo)
    return photos


def die_boxes(photo: Photo) -> Float:
    """(n, 4) boxes around whole dice; estimated from the pips in sets whose boxes contain only the top pips.

    On an ordinary die the outer pips of 4, 5 and 6 span about 0.55 of an edge. 1, 2 and 3 are less informative, so the
    median of the image is used. Such images are oblique: a die extends further below its top pips than above.
    """
    if photo.set_name not in PIPS_ONLY or not len(photo.xyxy):
        return photo.xyxy
    size = photo.xyxy[:, 2:] - photo.xyxy[:, :2]
    wide = photo.faces >= 4
    sides = np.where(wide, 1.75 * size.max(axis=1), 1.5 * np.hypot(size[:, 0], size[:, 1]))
    trusted = sides[wide] if wide.any() else sides[photo.faces > 1]
    side = float(np.median(trusted)) if len(trusted) else 72.0
    side = float(np.clip(side, 30, 130))
    centre = (photo.xyxy[:, :2] + photo.xyxy[:, 2:]) / 2 + np.array([0, 0.14 * side], np.float32)
    return np.concatenate([centre - side / 2, centre + side / 2], axis=1).astype(np.float32)
