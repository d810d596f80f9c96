"""Finds cards laid out side by side, also on a patterned cloth: outlines of one size with print inside.

On a checked cloth nearly every card has outlines that include parts of the pattern, and the squares of the cloth
outnumber the cards. Cards differ from both: they share one size, an edge runs along each side, and they are printed.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.outlines import agreed_outlines, edges_in, in_full_size, reduced
from vision.cards.quads import Quad, pixels_inside, sides
from vision.types import Image

STEP = 0.04  # of the logarithm of a side: distance between the sizes tried
SPREAD = 0.05  # standard deviation of the logarithm of a card's sides
REACH = 0.15  # maximum deviation of the logarithm of a card's sides
ON_EDGE = 1.6  # pixels: maximum distance of an outline from an edge
INNER = 0.75  # of an outline: the part in which print is measured
LEAST_PRINT = 0.3  # minimum density of printed edges, relative to the median card
APART = 0.6  # of the short side: minimum distance of two cards' centres
FEWEST = 6  # minimum number of cards from which a common size and perspective can be estimated

Numbers = npt.NDArray[np.float64]


def outlines_of_one_size(image: Image, aspects: Sequence[float] = ()) -> list[Quad]:
    """Outlines of cards of one size that rest beside each other; none if they are fewer than FEWEST.

    Args:
        image: (H, W, 3) BGR.
        aspects: Width divided by height of the game's cards, if known.
    """
    small, scale = reduced(image)
    quads = np.array(agreed_outlines(small, aspects))
    if not len(quads):
        return []
    edges = edges_in(small)
    log_sides, middles = _log_sides(quads), quads.mean(axis=1)
    density = _print_density(edges, quads)
    along = _edge_share(edges, quads)
    area = np.exp(log_sides.sum(axis=1))

    def separate(rows: npt.NDArray[np.intp], value: Numbers) -> npt.NDArray[np.intp]:
        """Non-maximum suppression by the distance of centres."""
        rows, kept = rows[np.argsort(-value[rows], kind="stable")], []
        while len(rows):
            kept.append(rows[0])
            apart = np.hypot(*(middles[rows] - middles[rows[0]]).T)
            rows = rows[apart > APART * np.exp(log_sides[rows[0], 0])]
        return np.array(kept, np.intp)

    chosen, best = np.zeros(0, np.intp), -1.0
    for size in np.unique(np.round(log_sides / STEP), axis=0) * STEP:
        off = np.hypot(*(log_sides - size).T)
        # Exponent of the density: 1 prefers squares of cloth around the cards; 2 approaches their printed frames.
        value = density**1.5 * area * along * np.exp(-((off / SPREAD) ** 2) / 2)
        group = separate(np.flatnonzero(off < REACH), value)
        if value[group].sum() > best:
            chosen, best = group, float(value[group].sum())
    for _ in range(2):
        off = np.hypot(*(log_sides - _expected(log_sides, middles, chosen)).T)
        fits = separate(np.flatnonzero(off < REACH), along * np.exp(-((off / SPREAD) ** 2) / 2))
        fits = fits[density[fits] >= LEAST_PRINT * np.median(density[fits])]
        if len(fits) < FEWEST:
            return []
        chosen = fits
    return in_full_size([quads[n] for n in chosen], scale)


def _log_sides(quads: Numbers) -> Numbers:
    """Logarithms (n, 2) of the short and the long side, pixels."""
    a, b, c, d = sides(quads).T
    return np.log(np.sort(np.column_stack([a + c, b + d]) / 2, axis=1))


def _expected(log_sides: Numbers, middles: Numbers, chosen: npt.NDArray[np.intp]) -> Numbers:
    """Log sides (n, 2) expected at each place: linear in the image because of perspective."""
    places = np.column_stack([np.ones(len(middles)), middles])
    slope = np.linalg.lstsq(places[chosen], log_sides[chosen], rcond=None)[0]
    return np.asarray(places @ slope, np.float64)


def _edge_share(edges: npt.NDArray[np.uint8], quads: Numbers) -> Numbers:
    """Share (n,) of each outline's weakest side that runs along an edge."""
    distance = cv2.distanceTransform(np.asarray(edges == 0, np.uint8), cv2.DIST_L2, 3)
    part = np.linspace(0.06, 0.94, 24)[:, None]
    points = quads[:, :, None] * (1 - part) + np.roll(quads, -1, axis=1)[:, :, None] * part
    at = np.clip(np.round(points).astype(int), 0, (edges.shape[1] - 1, edges.shape[0] - 1))
    return np.asarray((distance[at[..., 1], at[..., 0]] < ON_EDGE).mean(axis=2).min(axis=1), np.float64)


def _print_density(edges: npt.NDArray[np.uint8], quads: Numbers) -> Numbers:
    """Share (n,) of pixels inside each outline that are edges."""
    inside = [pixels_inside(edges, quad, INNER) for quad in quads]
    return np.array([(pixels > 0).mean() if len(pixels) else 0.0 for pixels in inside])
