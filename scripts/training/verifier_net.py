"""The verifier network: the first eleven blocks of EfficientNet-Lite0, and a small head on what three of them see."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

# Tan and Le, "EfficientNet", 2019, without squeeze-and-excitation and with ReLU6, as in Lite0: repeats, kernel, stride,
# expansion, channels. The last two stages are left out: they hold three quarters of the weights.
STAGES = ((1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112))
STEM, HEAD, HIDDEN = 32, 256, 192  # channels, and units of the head's hidden layer
TAPS = (7, 10, 13)  # layers of the body whose output the head sees
FEATURES = 3 * 40 + 3 * 80 + 4 * 112 + 3 * HEAD
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
        self.out = nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, classes))
        self.body[:FIXED].requires_grad_(False)

    def train(self, mode: bool = True) -> VerifierNet:
        """As every network, but the fixed layers stay as they are."""
        super().train(mode)
        self.body[:FIXED].eval()
        return self

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """(n, FEATURES) Means, maxima and spread of three layers, of the whole look and of the candidate's middle."""
        x, seen = x * 2 - 1, []
        for number, layer in enumerate(self.body):
            x = layer(x)
            if number in TAPS:
                seen.append(x)
        fine, middle, coarse = seen
        inner = fine[:, :, 4:10, 4:10]
        spread = (inner.square().mean((2, 3)) - inner.mean((2, 3)).square()).clamp(min=1e-6).sqrt()
        wide = self.head(coarse)
        rows = [_mean(fine), _mean(inner), spread, _mean(middle), _mean(_die(middle)), _highest(_die(middle))]
        rows += [_mean(coarse), _mean(_die(coarse)), _highest(_die(coarse)), _highest(coarse)]
        return torch.cat([*rows, _mean(wide), _mean(_die(wide)), _highest(wide)], 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.out(nn.functional.dropout(self.features(x), 0.3, self.training))
        return logits


def _die(x: torch.Tensor) -> torch.Tensor:
    """The middle of a map of 7 x 7 places, which the candidate fills."""
    return x[:, :, 2:5, 2:5]


def _mean(x: torch.Tensor) -> torch.Tensor:
    return x.mean((2, 3))


def _highest(x: torch.Tensor) -> torch.Tensor:
    return x.amax((2, 3))


@torch.no_grad()
def take_imagenet(network: VerifierNet, weights: Path) -> None:
    """Copies the layers from a checkpoint of EfficientNet-Lite0, which lists them in the same order."""
    known = [value for name, value in torch.load(weights, map_location="cpu", weights_only=True).items()]
    own = network.body.state_dict()
    for (name, value), theirs in zip(own.items(), known, strict=False):
        if value.shape != theirs.shape:
            raise ValueError(f"{name} has shape {tuple(value.shape)}, {weights} gives {tuple(theirs.shape)}")
        value.copy_(theirs)
