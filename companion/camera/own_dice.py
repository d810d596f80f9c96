"""Images of the players' own dice with corrected values, in the layout that training reads: `images/` and `labels/`."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from companion.resources import write_atomically
from vision.types import Box, Reading

_MAX_PENDING = 8  # images that players may correct at the same time: about 2 MB


class OwnDice:
    """The images saved in `folder`, which is created with the first one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pending: OrderedDict[int, tuple[bytes, Reading]] = OrderedDict()
        self._lock = Lock()

    def add_pending(self, jpeg: bytes, reading: Reading) -> int:
        """Keeps an image with its reading while a player corrects it.

        Returns:
            The number of the image. Frame numbers are not used, because they restart with every camera.
        """
        number = secrets.randbits(48)
        with self._lock:
            self._pending[number] = jpeg, reading
            while len(self._pending) > _MAX_PENDING:
                self._pending.popitem(last=False)
        return number

    def pending(self, number: int | None) -> tuple[bytes, Reading] | None:
        """The image of that number with its reading; None if it is no longer kept."""
        with self._lock:
            return None if number is None else self._pending.get(number)

    def __len__(self) -> int:
        return sum(1 for _ in (self.folder / "images").glob("*.jpg"))

    def save(self, jpeg: bytes, size: tuple[int, int], dice: Sequence[tuple[Box, int]]) -> Path:
        """Saves an image with the true value of each die; saving it again replaces it.

        Args:
            size: Width and height in pixels.
            dice: Boxes in pixels, values 1..6.

        Returns:
            The file of the image.

        Raises:
            OSError: The folder is not writable.
            ValueError: A value is not on a die.
        """
        if any(not 1 <= value <= 6 for _, value in dice):
            raise ValueError("a die shows 1 to 6")
        name = f"own__{hashlib.sha256(jpeg).hexdigest()[:16]}"
        label = self.folder / "labels" / f"{name}.txt"
        picture = self.folder / "images" / f"{name}.jpg"
        # The label first, so that there is never an image without one.
        for path, content in ((label, _rows(size, dice).encode()), (picture, jpeg)):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        return picture


def _rows(size: tuple[int, int], dice: Sequence[tuple[Box, int]]) -> str:
    """Label rows in Ultralytics' format: class (value − 1), centre and size as fractions of the image."""
    width, height = size
    return "".join(
        f"{value - 1} {(left + right) / 2 / width:.6f} {(top + bottom) / 2 / height:.6f}"
        f" {(right - left) / width:.6f} {(bottom - top) / height:.6f}\n"
        for (left, top, right, bottom), value in dice
    )
