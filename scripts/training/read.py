"""Trains the reader: cross entropy on generated crops, AdamW, one learning rate cycle, averaged weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from .crops import DieCrops
from .reader_net import WIDTHS, ReaderNet, Widths, take_over
from .steps import train_classifier

SAMPLES_PER_EPOCH = 9216


def train_reader(
    make_dataset: Callable[..., DieCrops],
    *,
    run: Path,
    epochs: int,
    start: Path | None,
    device: str,
    loaders: int,
    rate: float,
    seed: int,
    widths: Widths = WIDTHS,
) -> Path:
    """Trains a reader for `epochs` times 9,216 crops in the folder `run`, or resumes it. Returns the weights.

    Args:
        make_dataset: Creates the dataset from `count` per epoch and `seed`.
        start: Weights from which a new schedule starts.
        widths: Channels of the network.
    """
    run.mkdir(parents=True, exist_ok=True)
    last, place = run / "last.pt", torch.device(f"cuda:{device}" if device.isdigit() else device)
    kept = torch.load(last, map_location=place, weights_only=True) if last.exists() else None
    step = kept["step"] if kept else 0
    # A resumed run needs a new seed to avoid repeating its samples.
    dataset = make_dataset(count=SAMPLES_PER_EPOCH, seed=seed + step)
    torch.manual_seed(seed)
    model = ReaderNet(widths, len(dataset.names), len(dataset.contexts)).to(place, memory_format=torch.channels_last)
    if start and not kept:
        take_over(model, torch.load(start, map_location=place, weights_only=True)["average"])
    return train_classifier(
        model, dataset, last, kept, epochs=epochs, loaders=loaders, rate=rate, decay=0.05, place=place
    )
