"""Draws a reading over its frame: areas, dice with their values, the ones to set aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import cv2
import numpy as np

from vision.table.layout import Outline, TableZone
from vision.types import Image, Reading

ACTIVE, KEPT, ASIDE, UNSURE = (60, 220, 60), (230, 160, 40), (0, 200, 255), (60, 60, 240)  # BGR
AREAS = {TableZone.ROLLING: (60, 220, 60), TableZone.KEPT: (230, 160, 40), TableZone.OUTSIDE: (200, 200, 200)}
CONFIDENT = 0.65


def drawn(image: Image, reading: Reading, outlines: Iterable[Outline] = (), aside: Iterable[int] = ()) -> Image:
    """A copy of the frame with everything drawn in.

    Active dice are green, kept ones blue, uncertain values red; dice to set aside have a thick yellow frame.

    Args:
        outlines: The layout's areas.
        aside: Values that the advice sets aside, one for each die.
    """
    picture = image.copy()
    height, width = picture.shape[:2]
    line = max(1, round(width / 500))
    for outline in outlines:
        corners = np.round(np.array(outline.corners) * (width, height)).astype(np.int32)
        cv2.polylines(picture, [corners], True, AREAS[outline.place], line, cv2.LINE_AA)
    wanted = Counter(aside)
    for die in reading.dice:
        left, top, right, bottom = (round(value) for value in die.xyxy)
        advised = not die.kept and wanted[die.value] > 0
        wanted[die.value] -= advised
        colour = ASIDE if advised else KEPT if die.kept else ACTIVE
        cv2.rectangle(picture, (left, top), (right, bottom), colour, 3 * line if advised else line, cv2.LINE_AA)
        _label(picture, str(die.value), (left, top - 2 * line), UNSURE if die.confidence < CONFIDENT else colour, line)
    if reading.doubt:
        _label(picture, _ascii(reading.doubt), (4 * line, height - 6 * line), UNSURE, line)
    return picture


def _label(picture: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], line: int) -> None:
    """Text with a dark outline, readable on any table."""
    x, y = at[0], max(at[1], 14 * line)
    for shade, thick in (((0, 0, 0), 3 * line), (colour, line)):
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45 * line, shade, thick, cv2.LINE_AA)


def _ascii(text: str) -> str:
    """The text in ASCII, because OpenCV's fonts have no other letters."""
    return text.encode("ascii", "replace").decode()
