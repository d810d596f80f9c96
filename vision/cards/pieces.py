"""Pieces of a picture in which features are looked for, and how many times they are enlarged for it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.cards.features import features
from vision.cards.outlines import Quad
from vision.cards.types import Features
from vision.types import Image

ENLARGED_TO = 190.0  # pixels: a card shows SIFT most of what it has when it is about so high
OF_A_CELL = 24  # features kept in each cell of the picture
Piece = tuple[int, int, int, int]  # left, top, right, bottom in pixels


def enlarged(image: Image) -> float:
    """How many times a picture is enlarged before features are looked for: small pictures show small cards."""
    long = max(image.shape[:2])
    return 4.0 if long < 240 else 3.0 if long < 480 else 2.0 if long < 900 else 1.0


def enlarged_for(tall: float) -> float:
    """The same where it is known how high cards are, pixels."""
    return float(np.clip(ENLARGED_TO / max(1.0, tall), 1.0, 4.0))


def whole(image: Image) -> Piece:
    """All of a picture."""
    return 0, 0, image.shape[1], image.shape[0]


def around(quads: list[Quad], tall: float, image: Image) -> list[Piece]:
    """Where cards are, and as far about them as one more would reach: boxes, those that meet made one."""
    boxes = [np.concatenate([quad.min(axis=0) - tall, quad.max(axis=0) + tall]) for quad in quads]
    merged: list[npt.NDArray[np.float64]] = []
    while boxes:
        box = boxes.pop()
        meets = [n for n, other in enumerate(boxes) if (box[:2] < other[2:]).all() and (other[:2] < box[2:]).all()]
        if not meets:
            merged.append(box)
            continue
        other = boxes.pop(meets[0])
        boxes.append(np.concatenate([np.minimum(box[:2], other[:2]), np.maximum(box[2:], other[2:])]))
    size = np.array(image.shape[1::-1])
    limits = [(np.maximum(0, box[:2]), np.minimum(size, box[2:])) for box in merged]
    return [(int(a[0]), int(a[1]), int(b[0]), int(b[1])) for a, b in limits]


def features_in(image: Image, pieces: list[Piece], enlarge: float) -> Features:
    """The features of pieces of a picture, places in pixels of the picture."""
    parts = []
    for left, top, right, low in pieces:
        part = features(image[top:low, left:right], enlarge, of_a_cell=OF_A_CELL)
        parts.append(part._replace(points=part.points + np.array([left, top], np.float32)))
    return Features(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
