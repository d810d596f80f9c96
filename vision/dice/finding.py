"""Runs a finder network on copies and pieces of an image and returns its candidates as boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.boxes import Piece
from vision.dice.networks import Network
from vision.dice.nms import merged, mostly_small, suppress
from vision.dice.parts import Parts, at_once
from vision.dice.pyramid import ImagePyramid
from vision.dice.tensors import likely_cells, padded_tensor
from vision.dice.tiling import Float, TileView, distant, enlarged, filling, uncut, views, views_within

MIN_SCORE = 0.25  # score from which a box suppresses smaller ones inside it
MIN_SCORE_LIVE = 0.12  # minimum finder score for reading a candidate of a live frame
SECONDS_A_PIXEL = 55e-9  # time the finder takes for one pixel of a copy, on one core of the reference machine
BRIEF_SECONDS = 0.005  # seconds: copies that take less time run without a pause of their own
MAX_CANDIDATES = 1500  # number of candidates compared with each other


def everywhere(picture: ImagePyramid, finder: Network, least: float, *, thorough: bool) -> Parts[tuple[Float, Float]]:
    """Candidates in the whole image, before suppression.

    Args:
        least: Minimum score.
        thorough: Search finer tiled copies too, as for photos.

    Returns:
        Boxes (n, 4) in image pixels and scores (n,).
    """
    boxes, scores = yield from _seen_in(views(picture, thorough=thorough), finder, least, picture.size)
    if not thorough:
        return boxes, scores
    more, their = yield from _seen_in(distant(picture), finder, least, picture.size)
    kept = filling(more, picture.size)
    parts = [(boxes, scores), (more[kept], their[kept])]
    if mostly_small(boxes, scores, MIN_SCORE):
        parts.append((yield from _seen_in(enlarged(picture), finder, least, picture.size)))
    boxes, scores = (np.concatenate(some) for some in zip(*parts, strict=True))
    return boxes, scores


def within(picture: ImagePyramid, piece: Piece, die: float, finder: Network) -> tuple[Float, Float]:
    """Candidates in a piece of a live frame, without those cut by its edges.

    Args:
        die: Width of the dice in pixels, 0 if unknown.

    Returns:
        As for `everywhere`.
    """
    boxes, scores = at_once(_seen_in(views_within(picture, piece, die), finder, MIN_SCORE_LIVE, picture.size))
    inner = uncut(boxes, piece, picture.size)
    return boxes[inner], scores[inner]


def settled(boxes: Float, scores: Float) -> tuple[Float, Float]:
    """Merges overlapping candidates: boxes (n, 4) and their scores (n,)."""
    kept = suppress(boxes, scores, scores >= MIN_SCORE)
    return merged(boxes, scores, kept), scores[kept]


def _seen_in(
    shown_views: Sequence[TileView], finder: Network, least: float, size: tuple[int, int]
) -> Parts[tuple[Float, Float]]:
    found = [np.zeros((0, 5), np.float32)]
    for view in shown_views:
        shown = padded_tensor(view.pixels, finder.stride)
        size_shown = shown.shape[2], shown.shape[3]
        if (takes := size_shown[0] * size_shown[1] * SECONDS_A_PIXEL) > BRIEF_SECONDS:
            yield takes
        rows = likely_cells(finder.run(shown)[0], least, size_shown, finder.strides)
        rows[:, :2] += (view.left, view.top)
        rows[:, :4] /= view.scale
        found.append(rows)
    table = np.concatenate(found)
    if len(table) > MAX_CANDIDATES:  # bounds the memory of pairwise comparison on an image full of patterns
        table = table[np.argsort(-table[:, 4])[:MAX_CANDIDATES]]
    centre, half = table[:, :2], table[:, 2:4] / 2
    corners = np.concatenate([centre - half, centre + half], axis=1)
    return corners.clip(0, np.array([*size, *size], np.float32)), table[:, 4]
