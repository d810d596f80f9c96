"""Whether confidence should depend on size and sharpness: `python -m scripts.fit_confidence --photos DIR`.

Dice that today's networks were never taught (what is put aside of `ivory` and of `crops`) are shown 12 to 60 pixels
wide and out of focus, and read closely. Printed: how many of those nobody is asked about are wrong, by size and focus,
and the temperature exp(a + b log(32 / pixels) + c blur) that fits the truth best; before that, how many are read right
as they are. Nothing is written.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.bench.second_dev import put_aside
from companion.bench.vision import labelled, set_of, share, truth_of
from companion.resources import resource
from tests.kit.drawn.photos import load_crops
from vision.dice.detector import Detector
from vision.dice.scoring import ASK
from vision.sources.jpeg import decode
from vision.types import Image

Box = npt.NDArray[np.float32]
LOOKS, SEED = 4, 5  # at each die
BLURS = (0.0, 0.0, 0.6, 1.0, 1.5, 2.0)  # pixels of a die 24 pixels wide
SHOWN = {  # lie in the folder of threes, and are plainly sixes
    "casino__DJI_20241005234229_0222_D_detection_3": 6,
    "casino__DJI_20241005234237_0223_D_detection_1": 6,
}
DIE = 0.7  # chance from which a look is one at a die
SIZES = (12.0, 16.0, 20.0, 24.0, 32.0, 45.0, 61.0)


def dice(photos: Path) -> Iterator[tuple[str, Image, Box, int]]:
    """Each die's set, what lies around it, its box there, and its value."""
    for path in labelled(photos / "train"):
        if set_of(path) != "ivory" or not put_aside(path.stem):
            continue
        image = decode(path.read_bytes(), str(path))
        truth = truth_of(path, image)
        for box, face in zip(truth.xyxy, truth.faces, strict=True):
            middle, reach = (box[:2] + box[2:]) / 2, 1.6 * float((box[2:] - box[:2]).max())
            left, top = np.maximum(middle - reach, 0).astype(int)
            right, low = (middle + reach).astype(int)
            yield "ivory", image[top:low, left:right], box - np.array([left, top] * 2, np.float32), int(face)
    for crop in load_crops(photos / "crops"):
        if put_aside(crop.name):
            yield crop.set_name, crop.image, crop.xyxy[0], SHOWN.get(crop.name, int(crop.faces[0]))


def _shown(image: Image, by: float, blur: float) -> Image:
    """The picture so many times as large, and so many pixels out of focus."""
    shown = cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), blur) if blur else shown, np.uint8)


def main() -> None:
    """Read and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"))
    parser.add_argument("--model", type=Path, default=resource("models"))
    chosen = parser.parse_args()
    photos = chosen.photos
    if photos is None:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    detector, rng, rows = Detector(chosen.model), np.random.default_rng(SEED), []
    plain: dict[str, list[tuple[bool, bool]]] = {}  # of each set: which dice were read right, and which silently wrong
    for source, image, box, face in dice(Path(photos)):
        seen = detector.read(image, box[None], thorough=True)
        same, die, sure = (seen.faces[0] == face, seen.scores[0] >= DIE, seen.confidences[0] >= ASK)
        plain.setdefault(source, []).append((bool(same and die), bool(sure and die and not same)))
        for _ in range(LOOKS):
            size, blur = float(np.exp(rng.uniform(np.log(12), np.log(60)))), float(rng.choice(BLURS))
            by = size / float((box[2:] - box[:2]).max())
            seen = detector.read(_shown(image, by, blur * size / 24), box[None] * np.float32(by), thorough=True)
            if seen.scores[0] >= DIE:
                rows.append((face - 1, size, blur, *seen.probabilities[0]))
    for source, read in plain.items():
        right, silent = (sum(column) for column in zip(*read, strict=True))
        print(f"{source}, as they are: {share(right, len(read))} of {len(read)} read right, {silent} silently wrong")
    table = np.array(rows)
    truth, pixels, blurs, chances = table[:, 0].astype(int), table[:, 1], table[:, 2], table[:, 3:]
    told = chances.max(axis=1) >= ASK
    wrong = told & (chances.argmax(axis=1) != truth)
    print(f"{len(table)} looks; confidence {ASK:g} or more: wrong {share(int(wrong.sum()), int(told.sum()), 2)}")
    for low, high in pairwise(SIZES):
        some = (pixels >= low) & (pixels < high)
        print(f"  {low:g} to {high:g} pixels: wrong {share(int((wrong & some).sum()), int((told & some).sum()), 2)}")
    for blur_width in sorted(set(BLURS)):
        some = blurs == blur_width
        print(f"  blur {blur_width:g}: wrong {share(int((wrong & some).sum()), int((told & some).sum()), 2)}")
    logs = np.log(np.clip(chances, 1e-5, 1))

    def loss(wanted: tuple[float, float, float]) -> float:
        a, b, c = wanted
        scaled = logs / np.exp(a + b * np.maximum(0, np.log(32 / pixels)) + c * blurs)[:, None]
        norm = np.log(np.exp(scaled - scaled.max(axis=1, keepdims=True)).sum(axis=1)) + scaled.max(axis=1)
        return float((norm - scaled[np.arange(len(truth)), truth]).mean())

    best = min(product(np.arange(-0.3, 0.91, 0.1), np.arange(0, 1.01, 0.1), np.arange(0, 0.51, 0.1)), key=loss)
    a, b, c = (round(float(part), 1) + 0.0 for part in best)
    print(f"likeliest: a {a:g}, b {b:g}, c {c:g}; loss {loss(best):.4f}, as it is {loss((0.0, 0.0, 0.0)):.4f}")


if __name__ == "__main__":
    main()
