"""Finds cards by their edges: quadrilaterals of a card's proportions, whether the card is known or not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.quads import Quad, clockwise, overlap, pixels_inside, sides
from vision.types import Image

ASPECTS = (0.55, 1.0)  # short side / long side: all playing cards, square ones included, also seen at an angle
LONG_SIDE = 960  # pixels: larger images are reduced to this long side first
MIN_SIDE = 22.0  # pixels: minimum short side of a card
LEANING = 0.72  # minimum ratio of opposite sides
FILLED = 0.86  # minimum share of the smallest enclosing rectangle
LEVELS = 9  # thresholds per colour plane
PRINTED = 9.0  # grey levels: minimum standard deviation inside a card
CLOSE = 0.03  # of the mean side: maximum corner distance of two outlines that agree
AGREED = 3  # minimum number of binary images that agree on an outline
AGREED_SHARE = 0.4  # minimum ratio of votes to the best outline with the same centre
NESTED = 0.45  # intersection over union: a card's frame and its edge
SAME = 0.7  # overlap from which two outlines are one card
MOST_IN_A_ROW = 8
ROW_FITS = 0.05  # relative error of a row's length


def outlines(image: Image, aspects: Sequence[float] = (), *, most: float = 0.9) -> list[Quad]:
    """Outlines of cards, largest first, none inside another.

    Args:
        image: (H, W, 3) BGR.
        aspects: Width divided by height of the game's cards, if known.
        most: Maximum share of the image that a card may fill.
    """
    return outlines_and_rows(image, aspects, most=most)[0]


def outlines_and_rows(
    image: Image, aspects: Sequence[float] = (), *, most: float = 0.9, least: float = MIN_SIDE
) -> tuple[list[Quad], list[Quad]]:
    """Outlines of single cards, and outlines of cards that may touch each other in a row.

    Edges between touching cards cannot be seen, so the row's outline is divided by its proportions. Three upright cards
    in a row have about the proportions of one card on its side; the caller must choose by the size of the cards.

    Args:
        image: (H, W, 3) BGR.
        aspects: Width divided by height of the game's cards; rows are not divided without it.
        most: Maximum share of the image that a card may fill.
        least: Minimum short side, pixels of the image reduced to LONG_SIDE pixels.

    Returns:
        Single cards, largest first, and cards in rows.
    """
    small, scale = reduced(image)
    found, rows = _candidates(small, aspects, most, least)
    kept: list[Quad] = []
    for quad in _agreed(found):
        if all(overlap(quad, other, of_first=True) < SAME and overlap(quad, other) < NESTED for other in kept):
            kept.append(quad)
    kept.sort(key=lambda quad: -cv2.contourArea(quad.astype(np.float32)))
    touching: list[Quad] = []
    for quad in rows:
        if all(overlap(quad, other) < SAME for other in touching):
            touching.append(quad)
    return in_full_size(kept, scale), in_full_size(touching, scale)


def agreed_outlines(small: Image, aspects: Sequence[float] = ()) -> list[Quad]:
    """All outlines in an image of at most LONG_SIDE pixels, also several of one card. Those found at several thresholds
    come first."""
    return _agreed(_candidates(small, aspects, 0.9, MIN_SIDE)[0])


def reduced(image: Image) -> tuple[Image, float]:
    """The image reduced to a long side of LONG_SIDE pixels, and by which factor."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    small = image if scale == 1.0 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def in_full_size(quads: Sequence[Quad], scale: float) -> list[Quad]:
    """Outlines of a reduced image in pixels of the original."""
    return [clockwise((quad + 0.5) / scale - 0.5) for quad in quads]


def _candidates(small: Image, aspects: Sequence[float], most: float, least: float) -> tuple[list[Quad], list[Quad]]:
    """Outlines of single cards in every binary image, and outlines of cards in rows."""
    low, high = _proportions(aspects)
    found: list[Quad] = []
    rows: list[Quad] = []
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    for mask in _masks(small):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            quad = _four_sided(np.asarray(contour, np.int32), grey.shape, most, least)
            if quad is None or not _is_square(quad) or not _is_inside(quad, grey.shape):
                continue
            if low <= _aspect(quad) <= high and _is_printed(grey, quad):
                found.append(quad)
            rows += [piece for piece in _cut(quad, aspects) if _is_printed(grey, piece)]
    return found, rows


def _agreed(found: list[Quad]) -> list[Quad]:
    """Merges outlines found at several thresholds.

    A supported outline becomes the median of those that agree with it. Card edges and printed frames appear at many
    thresholds; outlines across shadows or wood grain at few.

    Returns:
        Supported outlines first, then doubtful ones, each group by descending area.
    """
    if not found:
        return []
    quads = np.array(found)
    side = sides(quads).mean(axis=1)
    agree = np.ones((len(quads), len(quads)), np.bool_)
    for corner in range(4):
        apart = quads[:, None, corner] - quads[None, :, corner]
        agree &= np.hypot(apart[..., 0], apart[..., 1]) < 1 + CLOSE * side[:, None]
    votes = agree.sum(axis=1)
    middle = quads.mean(axis=1)
    apart = middle[:, None] - middle[None]
    rivals = (np.hypot(apart[..., 0], apart[..., 1]) < 0.2 * side[:, None]) & (side[None] < 1.5 * side[:, None])
    most = np.where(rivals, votes[None], 0).max(axis=1)
    doubtful = votes < np.maximum(AGREED, AGREED_SHARE * most)
    area = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    return [quads[n] if doubtful[n] else np.median(quads[agree[n]], axis=0) for n in np.lexsort((-area, doubtful))]


def _cut(quad: Quad, aspects: Sequence[float]) -> list[Quad]:
    """The outline of a row of touching cards divided into cards; empty if its proportions fit no row."""
    a, b, c, d = quad
    across, down = (
        float(np.hypot(*(b - a)) + np.hypot(*(c - d))) / 2,
        float(np.hypot(*(d - a)) + np.hypot(*(c - b))) / 2,
    )
    best: tuple[float, int, bool] | None = None
    for aspect in aspects:
        for long, short, along in ((across, down, True), (down, across, False)):
            for one in (short * aspect, short / aspect):  # upright, or on its side
                many = round(long / one)
                off = abs(long / one - many) / max(1, many)
                if 2 <= many <= MOST_IN_A_ROW and off < ROW_FITS and (best is None or off < best[0]):
                    best = off, many, along
    if best is None:
        return []
    _, many, along = best
    if not along:
        a, b, c, d = b, c, d, a
    steps = np.linspace(0, 1, many + 1)
    return [
        clockwise(np.array([a + (b - a) * s, a + (b - a) * t, d + (c - d) * t, d + (c - d) * s]))
        for s, t in pairwise(steps)
    ]


def _proportions(aspects: Sequence[float]) -> tuple[float, float]:
    if not len(aspects):
        return ASPECTS
    short = [min(aspect, 1 / aspect) for aspect in aspects]
    return 0.82 * min(short), min(1.0, 1.18 * max(short))


def edges_in(image: Image) -> npt.NDArray[np.uint8]:
    """Edges of lightness and colour (H, W), 255 on an edge."""
    return _edges(_planes(image))


def _planes(image: Image) -> list[npt.NDArray[np.uint8]]:
    """The smoothed planes (H, W) of the image in CIELAB."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    return [
        np.asarray(cv2.bilateralFilter(np.ascontiguousarray(lab[..., number]), 5, 25, 5), np.uint8)
        for number in range(3)
    ]


def _edges(planes: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint8]:
    edges = np.zeros(planes[0].shape, np.uint8)
    for slack, plane in zip((1.0, 0.5, 0.5), planes, strict=True):
        edges |= np.asarray(cv2.Canny(plane, 40 * slack, 110 * slack), np.uint8)
    return edges


def _masks(image: Image) -> list[npt.NDArray[np.uint8]]:
    """Binary images (H, W), at least one of which separates a card from the table: by lightness, colour or edges."""
    planes = _planes(image)
    masks = []
    for plane in planes:
        low, high = np.quantile(plane[::4, ::4], [0.02, 0.98])
        if high - low >= 8:
            for level in np.linspace(low, high, LEVELS + 2)[1:-1]:
                _, mask = cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)
                masks.append(np.asarray(mask, np.uint8))
    edges = _edges(planes)
    for thick in (1, 3):
        closed = cv2.dilate(edges, np.ones((thick, thick), np.uint8)) if thick > 1 else edges
        masks.append(np.asarray(255 - closed, np.uint8))
        masks.append(np.asarray(closed, np.uint8))
    return masks


def _four_sided(contour: npt.NDArray[np.int32], shape: tuple[int, ...], most: float, least: float) -> Quad | None:
    """The corners of a contour that is roughly a rectangle, else None."""
    box = cv2.boundingRect(contour)
    if min(box[2:]) < least or box[2] * box[3] > 1.9 * most * shape[0] * shape[1]:
        return None
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    rectangle = cv2.minAreaRect(hull)
    if (
        min(rectangle[1]) < least
        or area < FILLED * rectangle[1][0] * rectangle[1][1]
        or area > most * shape[0] * shape[1]
    ):
        return None
    corners = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
    if len(corners) == 4 and cv2.contourArea(corners) > 0.93 * area:
        return clockwise(corners[:, 0].astype(np.float64))
    return clockwise(cv2.boxPoints(rectangle).astype(np.float64))


def _aspect(quad: Quad) -> float:
    a, b, c, d = sides(quad)
    one, two = a + c, b + d
    return float(min(one, two) / max(one, two, 1e-6))


def _is_square(quad: Quad) -> bool:
    """Whether opposite sides are about equally long, as they are even for a card seen at an angle."""
    a, b, c, d = sides(quad)
    return bool(min(a, c) > LEANING * max(a, c) and min(b, d) > LEANING * max(b, d))


def _is_inside(quad: Quad, shape: tuple[int, ...]) -> bool:
    """Whether the outline keeps clear of the image's border: a region cut off by the border is no card."""
    return bool((quad > 1.5).all() and (quad[:, 0] < shape[1] - 2.5).all() and (quad[:, 1] < shape[0] - 2.5).all())


def _is_printed(grey: npt.NDArray[np.uint8], quad: Quad) -> bool:
    """Whether the area inside has enough contrast to be printed."""
    inside = pixels_inside(grey, quad, 0.8)
    return bool(len(inside) and inside.std() >= PRINTED)
