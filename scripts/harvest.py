"""Collects the finder's candidates as training data for the verifier: `python -m scripts.harvest --out DIR …`.

    --photos DIR     `DIR/train` (dice, sides, background) and the training half of `DIR/nodice`
    --pieces DIR     images without dice (`scripts.render_pieces`)
    --renders DIR…   rendered dice with labels (`scripts/render.py`)
    --printed DIR…   images whose false positives are printed dice (`scripts.compose_lookalikes`,
                     `scripts.render_tables`)

Each image becomes a pair of files in `--out`; existing ones are kept. They contain photos of other people and are never
committed. `scripts/train.py verify --candidates DIR` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.resources import resource
from scripts.training.candidates import NOTHING, PRINTED, harvest
from tests.kit.drawn.photos import Photo, picture_files, read_labels
from tests.kit.evaluation.holdout import in_holdout
from tests.kit.evaluation.reader_targets import without_dice
from tests.kit.options import PHOTO_FOLDER, run
from vision.dice.detector import Detector

NONE = np.zeros((0, 4), np.float32), np.zeros(0, np.int64)


def labelled(folder: Path, aside: bool | None = None) -> Iterator[Photo]:
    """The labelled images of a folder. `aside`: only those of the holdout, or only the others."""
    for path in picture_files(folder):
        if aside is None or in_holdout(path.stem) == aside:
            image = cv2.imread(str(path))
            assert image is not None, path
            yield Photo(path.stem, image, *read_labels(path, image.shape[1], image.shape[0]))


def nothing(folder: Path, row: str, changed: int) -> Iterator[Photo]:
    """The training half of a series of photos without dice. `changed`: number of rescaled copies of each."""
    rng = np.random.default_rng(len(row))
    for path in without_dice(folder, row, "train"):
        image = cv2.imread(str(path))
        assert image is not None, path
        yield Photo(f"{row}__{path.stem}", image, *NONE)
        for _ in range(changed):
            scale = float(np.exp(rng.uniform(np.log(0.5), np.log(1.6))))
            other = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            other = np.rot90(other, int(rng.integers(4)))[:, :: int(rng.choice([-1, 1]))]
            yield Photo(f"{row}__{path.stem}", np.ascontiguousarray(other), *NONE)


def main(
    out: Path,
    photos: Path | None = PHOTO_FOLDER,
    pieces: Path | None = None,
    renders: tuple[Path, ...] = (),
    printed: tuple[Path, ...] = (),
    only: tuple[str, ...] = (),
) -> None:
    """Collects from the given folders.

    Args:
        only: Of these sources only those with these names, such as near or dice.
    """
    detector, rng = Detector(resource("models"), threads=1), np.random.default_rng(1)
    out.mkdir(parents=True, exist_ok=True)
    sources: dict[str, tuple[Iterator[Photo], int]] = {}
    if photos:
        rows = {"domino": 4, "near": 2, "anything": 1, "numeral": 1, "tables": 2}
        sources |= {row: (nothing(photos, row, changed), NOTHING) for row, changed in rows.items()}
        sources["dice"] = labelled(photos / "train", aside=False), NOTHING
        sources["aside"] = labelled(photos / "train", aside=True), NOTHING
    sources |= {folder.name: (labelled(folder), NOTHING) for folder in (*([pieces] if pieces else ()), *renders)}
    sources |= {f"printed_{folder.name}": (labelled(folder), PRINTED) for folder in printed}
    for name, (candidates, false) in sources.items():
        path = out / name
        if not path.with_suffix(".npz").exists() and (name in only or not only):
            print(name, flush=True)
            harvest(candidates, detector, rng, false).save(path)


if __name__ == "__main__":
    run(main)
