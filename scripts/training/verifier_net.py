"""The verifier network: the first eleven blocks of EfficientNet-Lite0, and what they see in the middle and in all."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

# Tan and Le, "EfficientNet", 2019, without squeeze-and-excitation and with ReLU6, as in Lite0: repeats, kernel, stride,
# expansion, channels. The last two stages are left out: they hold three quarters of the weights.
STAGES = ((1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112))
STEM, HEAD = 32, 256  # channels
LOOK, WIDE = 112, 2.5  # pixels of a look, and how many boxes wide it is
KINDS_OF_CANDIDATES = ("die", "nothing", "printed", "part")
FIXED = 6  # layers, down to a quarter of a look's size, that keep the weights of ImageNet: half of the work of training


def _conv(inside: int, outside: int, kernel: int, stride: int, groups: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(inside, outside, kernel, stride, kernel // 2, groups=groups, bias=False)
    return [conv, nn.BatchNorm2d(outside, eps=1e-3, momentum=0.01)]


class Block(nn.Module):
    """Expand, convolve each channel, project; beside a shortcut where the shape stays."""

    def __init__(self, inside: int, outside: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = inside * expansion
        layers = [*_conv(inside, wide, 1, 1), nn.ReLU6()] if expansion > 1 else []
        layers += [*_conv(wide, wide, kernel, stride, wide), nn.ReLU6(), *_conv(wide, outside, 1, 1)]
        self.body = nn.Sequential(*layers)
        self.same = stride == 1 and inside == outside

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.body(x)
        return x + y if self.same else y


class VerifierNet(nn.Module):
    """(n, 3, 112, 112) RGB in 0..1 → (n, classes) logits. The candidate fills the middle of the look."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        layers: list[nn.Module] = [*_conv(3, STEM, 3, 2), nn.ReLU6()]
        inside = STEM
        for repeats, kernel, stride, expansion, outside in STAGES:
            for number in range(repeats):
                layers.append(Block(inside, outside, kernel, stride if number == 0 else 1, expansion))
                inside = outside
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(*_conv(inside, HEAD, 1, 1), nn.ReLU6())
        self.out = nn.Linear(2 * HEAD, classes)
        self.body[:FIXED].requires_grad_(False)

    def train(self, mode: bool = True) -> VerifierNet:
        """As every network, but the fixed layers stay as they are."""
        super().train(mode)
        self.body[:FIXED].eval()
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = self.head(self.body(x * 2 - 1))
        both = torch.cat([seen[:, :, 2:5, 2:5].mean(dim=(2, 3)), seen.mean(dim=(2, 3))], 1)
        return self.out(nn.functional.dropout(both, 0.2, self.training))


@torch.no_grad()
def take_imagenet(network: VerifierNet, weights: Path) -> None:
    """Copies the layers from a checkpoint of EfficientNet-Lite0, which lists them in the same order."""
    known = [value for name, value in torch.load(weights, map_location="cpu", weights_only=True).items()]
    own = network.body.state_dict()
    for (name, value), theirs in zip(own.items(), known, strict=False):
        if value.shape != theirs.shape:
            raise ValueError(f"{name} has shape {tuple(value.shape)}, {weights} gives {tuple(theirs.shape)}")
        value.copy_(theirs)
