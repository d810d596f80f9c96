"""One step of training: the rate it is taken at, the step, and the weights averaged over many of them."""

from __future__ import annotations

import math

import torch
from torch import nn

AVERAGE = 0.998  # how much of the averaged weights stays at each step, once there have been many


def cycle(progress: float, top: float) -> float:
    """The learning rate at a progress of 0..1: up over the first 8 %, then a cosine down to a hundredth."""
    rise = 0.08
    if progress < rise:
        return top * (0.05 + 0.95 * progress / rise)
    return top * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (progress - rise) / (1 - rise))))


@torch.no_grad()
def average(into: nn.Module, model: nn.Module, keep: float) -> None:
    """Moves averaged weights towards a model's; `keep` is how much of them stays."""
    for mean, now in zip(into.state_dict().values(), model.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.mul_(keep).add_(now, alpha=1 - keep)
        else:
            mean.copy_(now)


def learn(
    loss: torch.Tensor, model: nn.Module, mean: nn.Module, optimizer: torch.optim.Optimizer, rate: float, step: int
) -> None:
    """Takes the step of that number, 1, 2, 3 …, and lets `mean` follow: the sooner, the fewer there have been."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    average(mean, model, min(AVERAGE, (1 + step) / (10 + step)))
