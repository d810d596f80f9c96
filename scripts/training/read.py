"""Trains the reader: cross entropy on generated crops, AdamW, one learning rate cycle, averaged weights."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from .crops import Looks
from .reader_net import WIDTHS, ReaderNet, Widths, take_over
from .steps import cycle, learn

LOOKS_AN_EPOCH = 9216
BATCH = 64


def train_reader(
    lessons: Callable[..., Looks],
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

    The file contains `average` (the weights to use), `model`, `optimizer` and `step`.

    Args:
        lessons: Creates the dataset from `count` per epoch and `seed`.
        start: Weights from which a new schedule starts.
        widths: Channels of the network.
    """
    run.mkdir(parents=True, exist_ok=True)
    last, place = run / "last.pt", torch.device(f"cuda:{device}" if device.isdigit() else device)
    kept = torch.load(last, map_location=place, weights_only=True) if last.exists() else None
    step = kept["step"] if kept else 0
    # A resumed run needs a new seed to avoid repeating its samples.
    looks = lessons(count=LOOKS_AN_EPOCH, seed=seed + step)
    torch.manual_seed(seed)
    model = ReaderNet(widths, len(looks.names), len(looks.contexts)).to(place, memory_format=torch.channels_last)
    if start and not kept:
        take_over(model, torch.load(start, map_location=place, weights_only=True)["average"])
    mean = copy.deepcopy(model).eval()
    decayed = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}], lr=rate
    )
    if kept:
        model.load_state_dict(kept["model"])
        mean.load_state_dict(kept["average"])
        optimizer.load_state_dict(kept["optimizer"])
    a_round = LOOKS_AN_EPOCH // BATCH
    steps = epochs * a_round
    loader = DataLoader(
        looks,
        batch_size=BATCH,
        num_workers=loaders,
        persistent_workers=loaders > 0,
        prefetch_factor=4 if loaders else None,
    )
    while step < steps:
        began, total, right = time.monotonic(), 0.0, 0
        model.train()
        for pictures, labels in loader:
            pictures = pictures.to(place, memory_format=torch.channels_last).float() / 255
            labels = labels.to(place)
            logits = model(pictures)
            loss = nn.functional.cross_entropy(logits, labels)
            step += 1
            learn(loss, model, mean, optimizer, cycle((step - 1) / steps, rate), step)
            total += float(loss.detach())
            right += int((logits.argmax(1) == labels).sum())
        state = {
            "model": model.state_dict(),
            "average": mean.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
        }
        torch.save(state, last.with_suffix(".pt.tmp"))
        last.with_suffix(".pt.tmp").replace(last)
        seconds = time.monotonic() - began
        share = right / LOOKS_AN_EPOCH
        print(
            f"epoch {step // a_round}/{epochs} loss {total / a_round:.4f} right {share:.4f} {seconds:.0f} s", flush=True
        )
    return last
