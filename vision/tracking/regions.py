"""Connected regions of a small mask: large ones, as boxes of the full frame, or as pieces to search."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Piece, merged
from vision.tracking.constants import (
    HAND_DICE,
    HAND_SHARE,
    LEAST_PIECE,
    SMALLEST_FLYING,
    UNKNOWN_DIE,
)
from vision.types import Box

Mask = npt.NDArray[np.bool_]
Float = npt.NDArray[np.float32]


def regions(mask: Mask, scale: float, least: float, strip: int) -> tuple[Box, ...]:
    """Boxes (full pixels) of connected regions of a mask.

    Args:
        scale: Full pixels per small pixel.
        least: Minimum area of a region, small pixels.
        strip: Rows of a strip. A region larger than two strips is cut, because one box around an arm would cover half
            of the table.
    """
    if not mask.any():
        return ()
    labels, stats = _components(mask)
    boxes: list[Box] = []
    # Noise makes hundreds of small regions, which are removed all at once.
    for label in (np.nonzero(stats[1:, cv2.CC_STAT_AREA] >= least)[0] + 1).tolist():
        x, y, width, height, _ = stats[label].tolist()
        found = [(0, 0, width, height)]
        if min(width, height) > 2 * strip:
            found = [*_strips(labels[y : y + height, x : x + width] == label, strip)]
        boxes += [((x + a) * scale, (y + b) * scale, (x + c) * scale, (y + d) * scale) for a, b, c, d in found]
    return tuple(boxes)


def large(mask: Mask, least: float, restless: Mask, leaving: tuple[Mask, float] | None = None) -> Mask:
    """The pixels of a mask in connected regions that are large enough and contain a restless pixel.

    Args:
        least: Minimum area of a region, small pixels.
        restless: Where something has moved recently.
        leaving: Where such regions were a moment ago, and the minimum area of one of them that leaves over the edge of
            the frame.
    """
    if not mask.any():
        return mask
    labels, stats = _components(mask)
    areas = stats[:, cv2.CC_STAT_AREA]
    enough = areas >= least
    if leaving is not None:
        edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
        there = _among(edges, len(areas)) & _among(labels[leaving[0]], len(areas))
        enough |= there & (areas >= leaving[1])
    enough &= _among(labels[restless], len(areas))
    enough[0] = False
    return np.asarray(enough[labels])


def _components(mask: Mask) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Connected components of a mask: (h, w) the label of each pixel, 0 outside, and (n, 5) their statistics."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def _among(labels: npt.NDArray[np.int32], number: int) -> Mask:
    """(number,) whether each label is one of these."""
    found = np.zeros(number, np.bool_)
    found[labels] = True
    return found


def shares(mask: Mask, parts: tuple[int, int]) -> Float:
    """(down, across) share of each part of a small picture in which the mask is true. parts: across and down."""
    return np.asarray(cv2.resize(mask.astype(np.float32), parts, interpolation=cv2.INTER_AREA), np.float32)


def hand_limits(pixels: int, die: float) -> tuple[int, float]:
    """Rows of a strip and minimum area of a hand, in a small frame of this number of pixels.

    Args:
        die: Width of a die there; 0 if unknown.
    """
    return max(2, round(die)) if die else UNKNOWN_DIE, max(HAND_SHARE * pixels, HAND_DICE * die**2)


def denser(mask: Mask, place: tuple[slice, slice], around: tuple[slice, slice]) -> bool:
    """Whether the mask is so much denser in a place than around it that a die may be there."""
    inner, outer = mask[place], mask[around]
    ring = (outer.sum() - inner.sum()) / max(1, outer.size - inner.size)
    return bool(inner.mean() - ring >= SMALLEST_FLYING)


def _strips(part: Mask, strip: int) -> Iterator[tuple[int, int, int, int]]:
    for top in range(0, len(part), strip):
        rows = part[top : top + strip]
        (columns,) = np.nonzero(rows.any(axis=0))
        if len(columns):
            yield int(columns[0]), top, int(columns[-1]) + 1, top + len(rows)


def pieces(
    mask: Mask,
    scale: float,
    margin: float,
    size: tuple[int, int],
    least: int = LEAST_PIECE,
    grid: int = 1,
) -> list[Piece]:
    """Regions to cut out of a frame of this (width, height) where the small mask is true, in whole pixels.

    Args:
        margin: Full pixels around each region.
        least: Minimum width and height.
        grid: Pieces begin and end at multiples of it, or at the frame's edge.
    """
    if not mask.any():
        return []
    grown = 2 * math.ceil(margin / scale) + 1
    around = cv2.dilate(mask.astype(np.uint8), np.ones((grown, grown), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(around, connectivity=8)
    places = [(x * scale, y * scale, (x + w) * scale, (y + h) * scale) for x, y, w, h, _ in stats[1:].tolist()]
    return merged(_widened(place, size, least, grid) for place in places)


def _widened(box: Box, size: tuple[int, int], least: int, grid: int) -> Piece:
    """The box in whole pixels within the frame, at least as large as asked, on the grid."""
    sides = []
    for low, high, most in ((box[0], box[2], size[0]), (box[1], box[3], size[1])):
        length = min(most, max(least, math.ceil(high) - math.floor(low)))
        start = min(max(0, round((low + high - length) / 2)), most - length)
        sides.append((start // grid * grid, min(most, -(-(start + length) // grid) * grid)))
    return sides[0][0], sides[1][0], sides[0][1], sides[1][1]
