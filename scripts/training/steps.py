"""Optimiser steps with one learning rate cycle and averaged weights, and the training of a classifier with them."""

from __future__ import annotations

import copy
import math
import time
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader

from .crops import DieCrops

BATCH = 64  # crops of a classifier's step
AVERAGE = 0.998  # share of the old average per step, after the first steps


def cycle(progress: float, top: float) -> float:
    """The learning rate at a progress of 0..1: linear warm-up over the first 8 %, then cosine decay to a hundredth."""
    rise = 0.08
    if progress < rise:
        return top * (0.05 + 0.95 * progress / rise)
    return top * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (progress - rise) / (1 - rise))))


@torch.no_grad()
def average(into: nn.Module, model: nn.Module, keep: float) -> None:
    """Updates the exponential moving average of a model's weights; `keep` is the share of the old average."""
    for mean, now in zip(into.state_dict().values(), model.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.mul_(keep).add_(now, alpha=1 - keep)
        else:
            mean.copy_(now)


def learn(
    loss: torch.Tensor, model: nn.Module, mean: nn.Module, optimizer: torch.optim.Optimizer, rate: float, step: int
) -> None:
    """Performs optimiser step number `step`, 1, 2, 3 …, and updates `mean`, faster during the first steps."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    average(mean, model, min(AVERAGE, (1 + step) / (10 + step)))


def adamw(model: nn.Module, rate: float, decay: float) -> torch.optim.Optimizer:
    """AdamW on the weights that are trained, without decay for biases and normalisation."""
    trained = [one for one in model.parameters() if one.requires_grad]
    decayed = {"params": [one for one in trained if one.ndim > 1], "weight_decay": decay}
    plain = {"params": [one for one in trained if one.ndim <= 1], "weight_decay": 0.0}
    return torch.optim.AdamW([decayed, plain], lr=rate)


def save(state: dict[str, Any], path: Path) -> None:
    """Writes the state of a run, whole or not at all."""
    torch.save(state, path.with_suffix(".pt.tmp"))
    path.with_suffix(".pt.tmp").replace(path)


def train_classifier(
    model: nn.Module,
    dataset: DieCrops,
    last: Path,
    kept: dict[str, Any] | None,
    *,
    epochs: int,
    loaders: int,
    rate: float,
    decay: float,
    place: torch.device,
) -> Path:
    """Trains on `dataset` for this many epochs, minimising the cross entropy. Returns `last`.

    The file contains `average` (the weights to use), `model`, `optimizer` and `step`; it is saved after each epoch.

    Args:
        model: On `place`, with its initial weights.
        kept: The state in the file, with which an interrupted run continues.
    """
    mean, optimizer, step = copy.deepcopy(model).eval(), adamw(model, rate, decay), 0
    if kept:
        model.load_state_dict(kept["model"])
        mean.load_state_dict(kept["average"])
        optimizer.load_state_dict(kept["optimizer"])
        step = kept["step"]
    a_round = len(dataset) // BATCH
    steps = epochs * a_round
    loader = DataLoader(
        dataset, batch_size=BATCH, num_workers=loaders, persistent_workers=loaders > 0,
        prefetch_factor=4 if loaders else None,
    )  # fmt: skip
    while step < steps:
        began, total, right = time.monotonic(), 0.0, 0
        model.train()
        for pictures, labels in loader:
            logits = model(pictures.to(place, memory_format=torch.channels_last).float() / 255)
            labels = labels.to(place)
            loss = nn.functional.cross_entropy(logits, labels)
            step += 1
            learn(loss, model, mean, optimizer, cycle((step - 1) / steps, rate), step)
            total += float(loss.detach())
            right += int((logits.argmax(1) == labels).sum())
        weights = {"model": model.state_dict(), "average": mean.state_dict()}
        save(weights | {"optimizer": optimizer.state_dict(), "step": step}, last)
        summary = f"loss {total / a_round:.4f} right {right / len(dataset):.4f} {time.monotonic() - began:.0f} s"
        print(f"epoch {step // a_round}/{epochs} {summary}", flush=True)
    return last
