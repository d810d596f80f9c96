"""The reader network: a small residual classifier of one crop of a die."""

from __future__ import annotations

import torch
from torch import nn

CLASSES = 7  # faces 1..6 and "no die in the middle"
Widths = tuple[int, int, int, int]
WIDTHS = (16, 32, 64, 128)  # channels at 1/2, 1/4, 1/8 and 1/16 of the crop's size
CLOSE_WIDTHS = (24, 48, 96, 192)  # channels of the close reader: 2.2 times the work
PRINT_WIDTHS = (12, 24, 48, 96)  # channels of the network that rejects printed dice: a third of the work


def _conv(inside: int, outside: int, stride: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside))


class Residual(nn.Module):
    """Two 3×3 convolutions with a shortcut; halves the resolution if stride is 2."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.first, self.second = _conv(inside, outside, stride), _conv(outside, outside, 1)
        same = stride == 1 and inside == outside
        self.shortcut = nn.Identity() if same else nn.Sequential(
            nn.AvgPool2d(2) if stride == 2 else nn.Identity(),
            nn.Conv2d(inside, outside, 1, bias=False),
            nn.BatchNorm2d(outside),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.second(torch.relu(self.first(x)))
        return torch.relu(y + self.shortcut(x))


class ReaderNet(nn.Module):
    """Classifies crops: (n, 3 · views, 80, 80) RGB in 0..1 → (n, classes) logits; other sizes work too."""

    def __init__(self, widths: Widths = WIDTHS, classes: int = CLASSES, views: int = 1) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _conv(3 * views, a, 2), nn.ReLU(),
            Residual(a, b, 2), Residual(b, b, 1),
            Residual(b, c, 2), Residual(c, c, 1),
            Residual(c, d, 2), Residual(d, d, 1),
        )  # fmt: skip
        self.out = nn.Linear(d, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # Centred, so that the first layer's batch statistics need not compensate for brightness.
        return self.out(self.body(x * 4 - 2).mean(dim=(2, 3)))


def widths_of(state: dict[str, torch.Tensor]) -> Widths:
    """The channels of the network to which these weights belong."""
    a, b, c, d = (len(state[f"body.{layer}.weight"]) for layer in ("0.0", "2.first.0", "4.first.0", "6.first.0"))
    return a, b, c, d


@torch.no_grad()
def take_over(model: nn.Module, state: dict[str, torch.Tensor]) -> None:
    """Copies trained weights into the leading channels of a network that may be wider.

    New channels keep their random weights, but their connections to the old ones are scaled down, so that training
    continues from the trained function (Chen and others, "Net2Net", 2016, grow networks to the same end).
    """
    for name, value in model.state_dict().items():
        known = state[name]
        if value.ndim > 1 and value.shape != known.shape:
            value[: known.shape[0]] *= 0.1
        value[tuple(slice(size) for size in known.shape)] = known
