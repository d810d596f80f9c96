"""Geometry of outlines: four corners in pixels, clockwise from the one nearest the image's top left."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.types import Corners

Quad = npt.NDArray[np.float64]  # (4, 2)


def sides(quads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(…, 4) lengths of the sides of outlines (…, 4, 2), from the first corner on."""
    across, down = np.moveaxis(np.roll(quads, -1, axis=-2) - quads, -1, 0)
    return np.asarray(np.hypot(across, down))


def overlap(a: Quad, b: Quad, *, of_first: bool = False) -> float:
    """Intersection over union of two convex outlines, or intersection over the first one's area if `of_first`."""
    if _apart(a.tolist(), b.tolist()):
        return 0.0
    first, second = a.astype(np.float32), b.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(first, second)
    one, two = cv2.contourArea(first), cv2.contourArea(second)
    return float(shared / max(1e-6, one if of_first else one + two - shared))


def _apart(a: list[list[float]], b: list[list[float]]) -> bool:
    """Whether the bounding boxes of two outlines are disjoint."""
    return any(
        max(corner[axis] for corner in one) < min(corner[axis] for corner in other)
        for axis in (0, 1)
        for one, other in ((a, b), (b, a))
    )


def clockwise(quad: Quad) -> Quad:
    """The corners in clockwise order, starting nearest the image's top left."""
    middle = quad.mean(axis=0)
    order = np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))
    quad = quad[order]
    return np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0)


def corners_of(quad: Quad) -> Corners:
    """The corners as plain numbers, in tenths of a pixel."""
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d


def pixels_inside(image: npt.NDArray[np.uint8], quad: Quad, share: float) -> npt.NDArray[Any]:
    """The pixels (n, …) of an image inside an outline that is scaled by this factor around its centre."""
    inner = (quad - quad.mean(axis=0)) * share + quad.mean(axis=0)
    left, top = np.maximum(0, inner.min(axis=0).astype(int))
    right, low = inner.max(axis=0).astype(int) + 1
    piece = image[top:low, left:right]
    mask = np.zeros(piece.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(inner - (left, top)).astype(np.int32), 1)
    return piece[mask > 0]
