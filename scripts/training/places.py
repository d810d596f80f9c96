"""What is exported of a finder: for every place of its grid four distances and a score, in as few steps as can be."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class Places(nn.Module):
    """A YOLO that gives each place's distances to the sides, in strides, and its score, and makes no boxes of them.

    Making boxes took sixty small steps, a millisecond a picture; vision/planes.py does it for the places that count.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        seen = self.network(pictures)[1]
        return torch.cat([seen["boxes"], seen["scores"].sigmoid()], 1)


class BarePlaces(nn.Module):
    """The same of a YOLO with bare heads: one 1×1 convolution a level gives distances and score together.

    network: fused. It is changed: where a coarser level is enlarged and joined with a finer one before a 1×1
    convolution, the convolution is done on each of the two and the sums are added, which is the same and less work.
    """

    def __init__(self, network: Any) -> None:
        super().__init__()
        *layers, head = network.model
        for at in range(len(layers) - 2):
            enlarging, joining, mixing = layers[at : at + 3]
            if isinstance(enlarging, nn.Upsample) and _is_one_by_one(mixing):
                mixed = Mixing(enlarging, mixing, _channels(layers[at - 1]))
                parts = zip((nn.Identity(), mixed, nn.Identity()), (enlarging, joining, mixing), strict=True)
                layers[at : at + 3] = [_with_place(part, of) for part, of in parts]
        self.layers, self.levels, self.kept = nn.ModuleList(layers), list(head.f), set(network.save)
        self.heads = nn.ModuleList(_side_by_side(*pair) for pair in zip(head.cv2, head.cv3, strict=True))

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        answers: list[Any] = []
        x: Any = pictures
        for layer in self.layers:
            if layer.f != -1:
                x = answers[layer.f] if isinstance(layer.f, int) else [x if f == -1 else answers[f] for f in layer.f]
            x = layer(x)
            answers.append(x if layer.i in self.kept else None)
        seen = [head(answers[level]).reshape(1, 5, -1) for head, level in zip(self.heads, self.levels, strict=True)]
        rows = torch.cat(seen, 2)
        return torch.cat([rows[:, :4], rows[:, 4:].sigmoid()], 1)


class Mixing(nn.Module):
    """A 1×1 convolution of a level of so many channels, enlarged, beside a finer one, done on each of them."""

    def __init__(self, enlarging: nn.Upsample, mixing: Any, width: int) -> None:
        super().__init__()
        self.enlarging, self.act, whole = enlarging, mixing.act, mixing.conv
        fine = whole.in_channels - width
        self.there = nn.Conv2d(width, whole.out_channels, 1, bias=False)
        self.here = nn.Conv2d(fine, whole.out_channels, 1)
        self.there.weight.data, self.here.weight.data = whole.weight.data.split((width, fine), 1)
        self.here.bias.data = whole.bias.data

    def forward(self, levels: list[torch.Tensor]) -> torch.Tensor:
        coarse, fine = levels
        return self.act(self.enlarging(self.there(coarse)) + self.here(fine))


def _channels(layer: Any) -> int:
    """How many a layer gives."""
    return [part.out_channels for part in layer.modules() if isinstance(part, nn.Conv2d)][-1]


def _is_one_by_one(layer: Any) -> bool:
    return getattr(getattr(layer, "conv", None), "kernel_size", None) == (1, 1)


def _with_place(layer: Any, of: Any) -> Any:
    """The layer where another was: its number and what goes into it."""
    layer.i, layer.f = of.i, of.f
    return layer


def _side_by_side(boxes: nn.Sequential, scores: nn.Sequential) -> nn.Conv2d:
    (one,), (other,) = boxes, scores
    both = nn.Conv2d(one.in_channels, one.out_channels + other.out_channels, 1)
    both.weight.data = torch.cat([one.weight.data, other.weight.data])
    both.bias.data = torch.cat([one.bias.data, other.bias.data])
    return both
