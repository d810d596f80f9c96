"""Pictures of the players' own dice, corrected by them, in the layout the training reads: `images/` and `labels/`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from vision.types import Box


class OwnDice:
    """The pictures saved in `folder`, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __len__(self) -> int:
        return sum(1 for _ in (self.folder / "images").glob("*.jpg"))

    def save(self, jpeg: bytes, size: tuple[int, int], dice: Sequence[tuple[Box, int]]) -> Path:
        """Keep a picture with the true value of each die; the same picture saved again takes the place of the first.

        size: width and height in pixels; dice: corner boxes in pixels, values 1..6. Returns the picture's file. Raises
        OSError where the folder cannot be written, ValueError for a value no die has.
        """
        if any(not 1 <= value <= 6 for _, value in dice):
            raise ValueError("a die shows 1 to 6")
        name = f"own__{hashlib.sha256(jpeg).hexdigest()[:16]}"
        label = self.folder / "labels" / f"{name}.txt"
        picture = self.folder / "images" / f"{name}.jpg"
        for path, content in (
            (label, _rows(size, dice).encode()),
            (picture, jpeg),
        ):  # never a picture without its label
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{path.name}.{os.getpid()}")
            beside.write_bytes(content)
            beside.replace(path)
        return picture


def _rows(size: tuple[int, int], dice: Sequence[tuple[Box, int]]) -> str:
    """Ultralytics' rows: class (value - 1), middle and extent as parts of the picture."""
    width, height = size
    return "".join(
        f"{value - 1} {(left + right) / 2 / width:.6f} {(top + bottom) / 2 / height:.6f}"
        f" {(right - left) / width:.6f} {(bottom - top) / height:.6f}\n"
        for (left, top, right, bottom), value in dice
    )
