"""Write training pictures of thrown dice with YOLO labels: scripts/render.py --out local/renders --count 500 --seed 1.

Each scene depends on (seed, number) only, so `datasets/renders.toml` rebuilds every batch. Surfaces and dice are
numbered assets: one in eight belongs to the split `dev`, and no picture of `train` shows it. Label rows are
`class xc yc w h`, relative, class = value - 1, box = the whole die as seen.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from tests.kit.labelled import PROGRESS, save
from tests.kit.thrown_pictures import pictures


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--count", default=100, show_default=True)
@click.option("--start", default=0, show_default=True, help="Number of the first scene.")
@click.option("--seed", default=1, show_default=True)
@click.option("--split", type=click.Choice(["train", "dev"]), default="train", show_default=True)
@click.option("--cards", is_flag=True, help="With a game's cards on the table.")
def main(out: Path, count: int, start: int, seed: int, split: str, cards: bool) -> None:
    """Write the pictures of COUNT scenes, up to four each, to OUT/images and their labels to OUT/labels."""
    began = time.monotonic()
    for scene in range(start, start + count):
        for throw_number, (image, labels) in enumerate(pictures(seed, scene, split == "dev", cards)):
            save(out, f"render_{split}_{seed:03d}_{scene:05d}_{throw_number}", image, labels)
        done = scene - start + 1
        if done % PROGRESS == 0 or done == count:
            click.echo(f"{done} of {count} scenes, {(time.monotonic() - began) / 60:.1f} min")


if __name__ == "__main__":
    main()
