"""Renders training images of rolled dice with YOLO labels: scripts/render.py --out local/renders --count 500 --seed 1.

Each scene depends only on (seed, number), so `datasets/renders.toml` reproduces every batch. Surfaces and dice are
numbered assets; one in eight belongs to the split `dev` and is in no image of `train`. Label rows are `class xc yc w
h`, relative, class = value − 1, box = the whole visible die.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from tests.kit.dice import Picture
from tests.kit.labelled import Label, save_all
from tests.kit.options import run
from tests.kit.rolled_pictures import pictures


def main(
    out: Path,
    count: int = 100,
    start: int = 0,
    seed: int = 1,
    split: Literal["train", "dev"] = "train",
    cards: bool = False,
) -> None:
    """Writes the images of COUNT scenes, up to four each, to OUT/images and their labels to OUT/labels.

    Args:
        start: Number of the first scene.
        cards: With a game's cards on the table.
    """

    def made(scene: int) -> Iterator[tuple[str, Picture, list[Label]]]:
        for number, (image, labels) in enumerate(pictures(seed, scene, split == "dev", cards)):
            yield f"render_{split}_{seed:03d}_{scene:05d}_{number}", image, labels

    save_all(out, range(start, start + count), made)


if __name__ == "__main__":
    run(main)
