"""Reads the top faces of dice with known boxes: a classifier with seven classes (six faces and "no die") on crops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.dice.belief import MIN_DIE_CHANCE
from vision.dice.crops import MARGIN, crop_at
from vision.dice.detections import Detections
from vision.dice.networks import Network
from vision.dice.parts import Parts
from vision.dice.pyramid import ImagePyramid
from vision.dice.tensors import image_tensor, shares, softmax
from vision.dice.tiling import Float
from vision.types import Image

FACES = 6
BATCH = 16  # crops in one run of a network
# Time the larger reader takes for a crop, on one core of the reference machine; the smaller one takes half.
SECONDS_A_CROP = 0.0017
FAST = ((MARGIN, 0.0),)  # crops of a fast pass: (side in multiples of the box's longer side, degrees of rotation)
# Crops of a refined pass; each is mirrored too. All of them show the die in the centre, but only some a neighbour or a
# second die in the box, so their mean is better calibrated.
REFINED = ((1.15, 8.0), (MARGIN, -8.0), (1.6, -8.0))
# Minimum probability of a face read upside down, and its weight in the mean. Below that minimum it is mostly a side
# face in an oblique view. The weight leaves the upright reading likelier: of 253 low dice of unknown makers, 4 surely
# show another face upside down, and 3 of these are right upright.
SURE_UPSIDE_DOWN, SHARE_UPSIDE_DOWN = 0.9, 0.4


def read_faces(reader: Network, picture: ImagePyramid, boxes: Float) -> Detections:
    """Reads each die once.

    Args:
        picture: The levelled image (`contrast.levelled`).
        boxes: (n, 4) pixels, xyxy.

    Returns:
        One detection for each box, in the same order.
    """
    if len(boxes) == 0:
        return Detections.none()
    crops = _crops(picture, boxes, reader, FAST)
    return _detections(boxes, [reader.run(image_tensor(some)) for some in _batches(crops)], reader)


def read_faces_closely(reader: Network, picture: ImagePyramid, boxes: Float) -> Parts[Detections]:
    """Like `read_faces`, in parts: each die is read from six crops and the probabilities are averaged.

    Dice low in the frame are read upside down too, and where that surely shows another face the two readings are
    averaged: seen obliquely, the upper face of a die is the top, but a wide-angle camera straight above sees low dice
    from their upper side, so their lower face is the top.
    """
    upright = yield from _closely(reader, picture, boxes, 0.0)
    rows = np.flatnonzero(((boxes[:, 1] + boxes[:, 3]) / 2 >= picture.low) & (upright.scores >= MIN_DIE_CHANCE))
    turned = yield from _closely(reader, picture, boxes[rows], 180.0)
    differ = (turned.faces != upright.faces[rows]) & (turned.confidences >= SURE_UPSIDE_DOWN)
    probabilities = upright.probabilities.copy()
    probabilities[rows[differ]] *= 1 - SHARE_UPSIDE_DOWN
    probabilities[rows[differ]] += SHARE_UPSIDE_DOWN * turned.probabilities[differ]
    return replace(upright, probabilities=probabilities)


def _closely(reader: Network, picture: ImagePyramid, boxes: Float, turn: float) -> Parts[Detections]:
    """One reading of each die from six crops. turn: rotation in degrees."""
    if len(boxes) == 0:
        return Detections.none()
    crops = _crops(picture, boxes, reader, [(width, turn + some) for width, some in REFINED])
    crops = np.concatenate([crops, crops[:, :, ::-1]])  # a mirrored die shows the same number of pips
    logits = []
    for some in _batches(crops):
        yield len(some) * SECONDS_A_CROP
        logits.append(reader.run(image_tensor(some)))
    return _detections(boxes, logits, reader)


def _crops(picture: ImagePyramid, boxes: Float, reader: Network, ways: Sequence[tuple[float, float]]) -> Image:
    """One crop of each box for each way, (ways · n, size, size, 3)."""
    size = int(reader.notes.get("look", 80))
    return np.stack([crop_at(picture, box, size, context=width, turn=turn) for width, turn in ways for box in boxes])


def _batches(crops: Image) -> Iterator[Image]:
    return (crops[i : i + BATCH] for i in range(0, len(crops), BATCH))


def _detections(boxes: Float, logits: Sequence[Float], reader: Network) -> Detections:
    """The mean of the reader's outputs over several crops of each box."""
    temperature = np.float32(reader.notes.get("temperature", 1.0))
    chances = softmax(np.concatenate(logits) / temperature).reshape(-1, len(boxes), FACES + 1)
    mean, taken = chances.mean(axis=0), np.full(len(boxes), len(chances), np.float32)
    return Detections(boxes, shares(mean[:, :FACES]), 1 - mean[:, FACES], taken)
