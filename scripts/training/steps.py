"""One optimiser step: its learning rate, the update, and the moving average of the weights."""

from __future__ import annotations

import math

import torch
from torch import nn

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
