"""How the verifier's evidence is added to the finder's and the reader's: `python -m scripts.fit_verifier --photos DIR`.

Candidates of stills from photos that no network was taught: the second dev (`companion/bench/second_dev.py`) for dice
and what lies between them, and a fifth of the training half of the photos without dice, which `scripts/train.py verify`
leaves out. A logistic regression gives the three numbers for `scripts/export.py --fusion`; both kinds of candidates
weigh the same. Prints which shares of dice and of others pass, too.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.resources import resource
from scripts.harvest import labelled, nothing
from scripts.simulation.drawn.photos import Photo
from scripts.training.candidates import DIE, NOTHING, kept_for_fitting, kinds_of
from vision.dice.contrast import levelled
from vision.dice.detector import Detector
from vision.dice.pyramid import Pyramid
from vision.dice.verifier import SUREST

STEPS = 60  # of Newton's method
RIDGE = 1e-3


def main() -> None:
    """Gather, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), metavar="DIR")
    parser.add_argument("--model", type=Path, default=resource("models"), help="folder with verifier.onnx")
    parser.add_argument("--every", type=int, default=2, help="of the second dev, one picture in so many")
    parser.add_argument("--keep", type=Path, help="where to keep what was gathered (.npy)")
    wanted = parser.parse_args()
    table = np.array(list(gathered(wanted.photos, Detector(wanted.model, threads=1), wanted.every)))
    if wanted.keep:
        np.save(wanted.keep, table)
    weights = fitted(table[:, :2], table[:, 2])
    print("fusion", ",".join(f"{weight:.3f}" for weight in weights))
    odds = table[:, :2] @ weights[:2] + weights[2]
    for name, kind in (("dice", 1.0), ("others", 0.0)):
        some = table[:, 2] == kind
        print(
            f"{name}: {some.sum()}, {np.mean(odds[some] >= 0):.4f} pass; before {np.mean(table[some, 0] >= 2.25):.4f}"
        )


def gathered(photos: Path, detector: Detector, every: int) -> Iterator[tuple[float, float, float]]:
    """Of each candidate: logarithmic odds of the finder and the reader together, of the verifier, 1 for a die."""
    aside = [photo for row, photo in enumerate(labelled(photos / "train", aside=True)) if row % every == 0]
    others = [p for row in ("near", "domino", "anything") for p in nothing(photos, row, 0) if kept_for_fitting(p.name)]
    for photo in [*aside, *others]:
        yield from evidence(photo, detector)


def evidence(photo: Photo, detector: Detector) -> Iterator[tuple[float, float, float]]:
    """The candidates of one picture."""
    picture = Pyramid(levelled(np.ascontiguousarray(photo.image)))
    found, read, _ = detector._weighed_and_read(picture)
    verifier = detector._verifier
    if verifier is None or not len(found):
        return
    both = np.clip([found, read.scores], SUREST, 1 - SUREST)
    before, own = np.log(both / (1 - both)).sum(axis=0), verifier.odds(picture, read.xyxy)
    for kind, *row in zip(kinds_of(photo, read.xyxy, NOTHING), before, own, strict=True):
        if kind >= 0:
            yield float(row[0]), float(row[1]), float(kind == DIE)


def fitted(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(3,) Weights of two columns (n, 2) and bias of a logistic regression for y (n,), classes weighing alike."""
    design = np.column_stack([x, np.ones(len(x))])
    share = np.where(y > 0, 0.5 / max(y.mean(), 1e-9), 0.5 / max(1 - y.mean(), 1e-9))
    weights = np.zeros(3)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (share * (chance - y)) + RIDGE * weights
        curve = (design * (share * chance * (1 - chance))[:, None]).T @ design + RIDGE * np.eye(3)
        weights = weights - np.linalg.solve(curve, slope)
    return weights


if __name__ == "__main__":
    main()
