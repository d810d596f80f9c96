"""The verifier network: the first eleven blocks of EfficientNet-Lite0 and a head on the output of three layers."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

# Tan and Le, "EfficientNet", 2019, without squeeze-and-excitation and with ReLU6, as in Lite0: repeats, kernel, stride,
# expansion, channels. The last two stages are left out: they hold three quarters of the weights.
STAGES = ((1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112))
STEM, HEAD, HIDDEN = 32, 256, 192  # channels, and units of the head's hidden layer
TAPS = (7, 10, 13)  # layers of the body that feed the head
FEATURES = 3 * 40 + 3 * 80 + 4 * 112 + 3 * HEAD
CROP_SIZE, WIDE = 112, 2.5  # width of a crop in pixels, and in boxes
KINDS_OF_CANDIDATES = ("die", "nothing", "printed", "part")
FIXED = 6  # frozen ImageNet layers, down to 1/4 resolution; saves half of the training time


def _conv(inside: int, outside: int, kernel: int, stride: int, groups: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(inside, outside, kernel, stride, kernel // 2, groups=groups, bias=False)
    return [conv, nn.BatchNorm2d(outside, eps=1e-3, momentum=0.01)]


class Block(nn.Module):
    """Inverted residual block: expand, depthwise convolution, project; with a shortcut where the shape stays."""

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
    """Classifies candidates: (n, 3, 112, 112) RGB in 0..1, candidate in the centre → (n, classes) logits."""

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
        """Switches to training mode, except for the frozen layers."""
        super().train(mode)
        self.body[:FIXED].eval()
        return self

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """(n, FEATURES) mean, maximum and deviation of three layers, over the whole crop and over the candidate."""
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
    """The centre of a 7×7 feature map, which the candidate fills."""
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
