"""Finds the printed sheet for the cards for sale by the markers in its corners."""

from __future__ import annotations

import cv2
import numpy as np

from vision.table.mat import DISPLAY_SHEETS, Polygon
from vision.table.printed_mat import mark_detector, marks_in
from vision.types import Image

FEWEST = 2  # markers: cards may cover the others


def display_sheet(image: Image) -> Polygon | None:
    """The corners of the sheet in an image (H, W, 3), as fractions of its width and height; None if it is not found."""
    seen = marks_in(image, mark_detector())
    sheet = max(DISPLAY_SHEETS.values(), key=lambda sheet: len(seen.keys() & sheet.marks.keys()))
    common = sorted(seen.keys() & sheet.marks.keys())
    if len(common) < FEWEST:
        return None
    mm = np.array([corner for number in common for corner in sheet.marks[number]], np.float64)
    fitted, _ = cv2.findHomography(mm, np.concatenate([seen[number] for number in common]), 0)
    if fitted is None:
        return None
    corners = cv2.perspectiveTransform(np.array([sheet.sheet], np.float64), fitted)[0] / image.shape[1::-1]
    return tuple((float(np.clip(x, 0, 1)), float(np.clip(y, 0, 1))) for x, y in corners)
