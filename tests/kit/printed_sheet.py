"""A printed mat or sheet as a picture."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.table.mat import Mat, mark_cells


def mat_picture(mat: Mat, pixels_per_mm: float = 4.0) -> npt.NDArray[np.uint8]:
    """The sheet as the printer prints it: grey (H, W) uint8."""
    width, height = round(mat.width * pixels_per_mm), round(mat.height * pixels_per_mm)
    picture = np.full((height, width), 255, np.uint8)
    for number, corners in mat.marks.items():
        (left, top), (right, bottom) = corners[0], corners[2]
        x0, y0, x1, y1 = (round(v * pixels_per_mm) for v in (left, top, right, bottom))
        cells = np.where(mark_cells(number), 0, 255).astype(np.uint8)
        picture[y0:y1, x0:x1] = cv2.resize(cells, (x1 - x0, y1 - y0), interpolation=cv2.INTER_NEAREST)
    for area, grey in ((mat.rolling, 190), (mat.kept, 120)):
        outline = np.round(np.array(area) * pixels_per_mm).astype(np.int32)
        cv2.polylines(picture, [outline], True, (grey,), max(1, round(0.6 * pixels_per_mm)), cv2.LINE_AA)
    return picture
