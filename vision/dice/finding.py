"""Where a finder sees dice in a picture: copies and pieces of it shown to the network, what it answers as boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.boxes import Piece
from vision.dice.networks import Network
from vision.dice.nms import merged, mostly_small, suppress
from vision.dice.parts import Parts, at_once
from vision.dice.pyramid import Pyramid
from vision.dice.tensors import decode_yolo, padded_tensor
from vision.dice.tiling import Float, View, distant, enlarged, filling, uncut, views, views_within

FOUND = 0.25  # the score from which a six-class YOLO is believed, and a find swallows smaller ones within it
GLANCED = 0.12  # the finder's score from which something in live pictures is looked at closely
SECONDS_A_PIXEL = 55e-9  # the finder takes for a copy of the picture, on one core of the reference machine (counted)
BRIEF_SECONDS = 0.005  # a copy that takes less is no part of its own
MOST = 1500  # candidates compared with each other


def everywhere(picture: Pyramid, finder: Network, least: float, *, thorough: bool) -> Parts[tuple[Float, Float]]:
    """Candidates with at least this score: boxes (n, 4) in picture pixels and class scores (n, classes), not yet
    suppressed. thorough: in finer copies in tiles too, as stills are searched."""
    boxes, rows = yield from _seen_in(views(picture, thorough=thorough), finder, least, picture.size)
    if not thorough:
        return boxes, rows
    more, their = yield from _seen_in(distant(picture), finder, least, picture.size)
    kept = filling(more, picture.size)
    parts = [(boxes, rows), (more[kept], their[kept])]
    if mostly_small(boxes, rows.max(axis=1, initial=0), FOUND):
        parts.append((yield from _seen_in(enlarged(picture), finder, least, picture.size)))
    boxes, rows = (np.concatenate(some) for some in zip(*parts, strict=True))
    return boxes, rows


def within(picture: Pyramid, piece: Piece, die: float, finder: Network) -> tuple[Float, Float]:
    """The same of a piece of a live picture; what its edges cut is left out. die: how wide the dice there are, pixels,
    0 where that is not known."""
    boxes, rows = at_once(_seen_in(views_within(picture, piece, die), finder, GLANCED, picture.size))
    inner = uncut(boxes, piece, picture.size)
    return boxes[inner], rows[inner]


def settled(boxes: Float, rows: Float) -> tuple[Float, Float]:
    """One box for each die seen at several places, (n, 4), and its score, (n,)."""
    scores = rows.max(axis=1, initial=0)
    kept = suppress(boxes, scores, scores >= FOUND)
    return merged(boxes, scores, kept), scores[kept]


def _seen_in(
    shown_views: Sequence[View], finder: Network, least: float, size: tuple[int, int]
) -> Parts[tuple[Float, Float]]:
    found = [np.zeros((0, 4 + finder.classes), np.float32)]
    for view in shown_views:
        shown = padded_tensor(view.pixels, finder.stride)
        size_shown = shown.shape[2], shown.shape[3]
        if (takes := size_shown[0] * size_shown[1] * SECONDS_A_PIXEL) > BRIEF_SECONDS:
            yield takes
        rows = decode_yolo(finder.run(shown)[0], least, size_shown, finder.strides, finder.classes)
        rows[:, :2] += (view.left, view.top)
        rows[:, :4] /= view.scale
        found.append(rows)
    table = np.concatenate(found)
    if len(table) > MOST:  # comparing all with all must not eat the memory on a picture full of patterns
        table = table[np.argsort(-table[:, 4:].max(axis=1))[:MOST]]
    centre, half = table[:, :2], table[:, 2:4] / 2
    corners = np.concatenate([centre - half, centre + half], axis=1)
    return corners.clip(0, np.array([*size, *size], np.float32)), table[:, 4:]
