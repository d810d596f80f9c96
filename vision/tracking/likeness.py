"""Templates of resting dice, which show whether a die is still in its place, sharp or blurred."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.boxes import Matrix, grown, mapped_box
from vision.tracking.constants import ALIKE_FROM, BLURS, CONTRAST, SURELY_ALIKE
from vision.types import Box, Image

SIDE = 32  # pixels of a template
AROUND = 0.25  # margin of table on each side, in die widths
LARGEST_SHIFT = 2  # pixels of the template by which the camera may have drifted


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The template of a resting die.

    Attributes:
        box: Its place, pixels.
        soft: The template in grey, (SIDE, SIDE), at each blur of BLURS.
    """

    box: Box
    soft: tuple[Image, ...]

    @classmethod
    def of(cls, image: Image, box: Box) -> Template:
        """The template from a BGR frame."""
        sharp = _grey(image, box, 0)
        unit = SIDE / (1 + 2 * AROUND)
        blurred = (np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur * unit), np.uint8) for blur in BLURS if blur)
        return cls(box, (sharp, *blurred))

    def moved(self, matrix: Matrix) -> Template:
        """The template after the frame moved (3×3, old pixels → new pixels)."""
        return replace(self, box=mapped_box(matrix, self.box))

    def blur_in(self, image: Image) -> float | None:
        """The blur, in die widths, with which the template matches a frame best, in any light. None if it matches with
        none: the die is covered or gone."""
        now = _grey(image, self.box, LARGEST_SHIFT)
        best, blur, at = -1.0, 0.0, (0, 0)
        for one, by in zip(self.soft, BLURS, strict=True):
            _, alike, _, place = cv2.minMaxLoc(cv2.matchTemplate(now, one, cv2.TM_CCOEFF_NORMED))
            if alike > best:
                best, blur, at = alike, by, (place[0], place[1])
            if best >= SURELY_ALIKE:
                break
        if best < ALIKE_FROM:
            return None
        was, shown = map(_contrast, (self.soft[BLURS.index(blur)], now[at[1] :, at[0] :][:SIDE, :SIDE]))
        return blur if was / CONTRAST <= shown <= was * CONTRAST else None


def _contrast(grey: Image) -> float:
    """Contrast relative to brightness."""
    return float(grey.std() / max(grey.mean(), 1.0))


def _grey(image: Image, box: Box, more: int) -> Image:
    """A box with margin, (SIDE + 2 * more, SIDE + 2 * more); the frame is extended beyond its edges."""
    share = (SIDE + 2 * more) / SIDE * (0.5 + AROUND) - 0.5
    left, top, right, low = (round(side) for side in grown(box, share))
    right, low = max(right, left + 1), max(low, top + 1)
    height, width = image.shape[:2]
    part = image[max(0, top) : max(0, low), max(0, left) : max(0, right)]
    if not part.size:
        return np.zeros((SIDE + 2 * more,) * 2, np.uint8)
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    beyond = max(0, -top), max(0, low - height), max(0, -left), max(0, right - width)
    if any(beyond):
        grey = cv2.copyMakeBorder(grey, *beyond, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(grey, (SIDE + 2 * more,) * 2, interpolation=cv2.INTER_AREA), np.uint8)
