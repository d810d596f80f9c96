"""Regions of an image in which features are extracted, and the scale at which this is done."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.cards.features import features
from vision.cards.outlines import Quad
from vision.cards.types import Features
from vision.types import Image

ENLARGED_TO = 190.0  # pixels: card height at which SIFT finds most features
OF_A_CELL = 24  # features kept per cell, see `features`
Piece = tuple[int, int, int, int]  # left, top, right, bottom in pixels


def enlarged(image: Image) -> float:
    """Factor by which an image is enlarged before feature extraction if the height of its cards is unknown."""
    long = max(image.shape[:2])
    return 4.0 if long < 240 else 3.0 if long < 480 else 2.0 if long < 900 else 1.0


def enlarged_for(tall: float) -> float:
    """Factor by which an image is enlarged before feature extraction; tall: height of its cards, pixels."""
    return float(np.clip(ENLARGED_TO / max(1.0, tall), 1.0, 4.0))


def whole(image: Image) -> Piece:
    """The whole image as one region."""
    return 0, 0, image.shape[1], image.shape[0]


def around(quads: list[Quad], tall: float, image: Image) -> list[Piece]:
    """Boxes around the cards with room for one more on every side; boxes that meet are merged."""
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
    """The features of regions of an image; positions in pixels of the image."""
    parts = []
    for left, top, right, low in pieces:
        part = features(image[top:low, left:right], enlarge, of_a_cell=OF_A_CELL)
        parts.append(part._replace(points=part.points + np.array([left, top], np.float32)))
    return Features(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
