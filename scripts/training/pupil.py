"""The pupil: a small finder built from its YAML, beginning with another one's layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn

State = dict[str, torch.Tensor]

GREY = (0.299, 0.587, 0.114)  # of red, green and blue, as OpenCV weighs them (ITU-R BT.601)
_NORM = ("weight", "bias", "running_mean", "running_var")


def new_pupil(network: Path) -> Any:
    """A finder with random weights. The YAML's `ch` says how many planes it is shown: 3 colours, or 1 of grey.

    `bare`: its heads are single 1×1 convolutions; the layers before them serve boxes and scores together.
    """
    from ultralytics.nn.tasks import DetectionModel, yaml_model_load

    planes = int(yaml_model_load(str(network)).get("ch", 3))
    pupil: Any = DetectionModel(str(network), ch=planes, nc=1, verbose=False)
    pupil.names = {0: "die"}
    if pupil.yaml.get("bare"):
        head = pupil.model[-1]
        widths = [branch[0].conv.in_channels for branch in head.cv2]
        head.cv2 = nn.ModuleList(nn.Sequential(nn.Conv2d(width, 4, 1)) for width in widths)
        head.cv3 = nn.ModuleList(nn.Sequential(nn.Conv2d(width, 1, 1)) for width in widths)
        head.bias_init()
    return pupil


def shown(pictures: torch.Tensor, planes: int) -> torch.Tensor:
    """Pictures (n, 3, h, w) RGB as a network of so many planes is shown them."""
    if planes == 3:
        return pictures
    return (pictures * pictures.new_tensor(GREY).view(1, 3, 1, 1)).sum(1, keepdim=True)


def planes_of(network: nn.Module) -> int:
    """How many planes it is shown."""
    return int(next(network.parameters()).shape[1])


def inherit(pupil: nn.Module, teacher: nn.Module, pairs: dict[str, str]) -> dict[str, torch.Tensor]:
    """Copies the teacher's layers into the pupil's; where the pupil has fewer channels, those that matter most.

    pairs: pupil's layer → teacher's, by the beginning of their names in `state_dict`; "layer<before" names the layer
    whose channels come in, where it may have shrunk; "one+other" puts two of the teacher's side by side. A pupil that
    sees grey begins with the sum of what the teacher does with the three colours. Returns which of the teacher's
    channels each layer gives.
    """
    own, known = pupil.state_dict(), teacher.state_dict()
    following = {before: theirs for mine, theirs in pairs.items() for before in mine.split("<")[1:]}
    kept: dict[str, torch.Tensor] = {}
    for mine, theirs in pairs.items():
        mine, _, before = mine.partition("<")
        weight, target = _joined(known, theirs, "conv.weight"), own[f"{mine}.conv.weight"]
        rows = torch.arange(weight.shape[0])
        if len(rows) > target.shape[0]:
            importance = _importance(known, theirs, following[mine])
            rows = importance.argsort(descending=True)[: target.shape[0]].sort().values
        columns = kept.get(before, torch.arange(weight.shape[1]))
        if target.shape[1] == 1 and len(columns) == 3:
            weight, columns = weight.sum(1, keepdim=True), torch.arange(1)
        if len(columns) != target.shape[1]:
            raise ValueError(f"{mine} takes {target.shape[1]} channels, {theirs} gives {len(columns)}")
        target.copy_(weight[rows][:, columns])
        for part in _NORM:
            own[f"{mine}.bn.{part}"].copy_(_joined(known, theirs, f"bn.{part}")[rows])
        kept[mine] = rows
    return kept


def _joined(known: State, layers: str, part: str) -> torch.Tensor:
    return torch.cat([known[f"{layer}.{part}"] for layer in layers.split("+")])


def _importance(known: State, layer: str, after: str) -> torch.Tensor:
    """How much each channel of a layer moves the layer after it, from the weights alone.

    Behind batch norm a channel is about normal with the norm's bias as mean and its scale as deviation; the mean
    square of what ReLU leaves of it, times the square of the weights it meets.
    """
    mean, deviation = known[f"{layer}.bn.bias"], known[f"{layer}.bn.weight"].abs().clamp(min=1e-4)
    at = mean / deviation
    density = torch.exp(-(at**2) / 2) / (2 * torch.pi) ** 0.5
    below = 0.5 * (1 + torch.erf(at / 2**0.5))
    square = (mean**2 + deviation**2) * below + mean * deviation * density
    spread = known[f"{after}.bn.weight"] / (known[f"{after}.bn.running_var"] + 1e-3).sqrt()
    return square * ((known[f"{after}.conv.weight"] * spread[:, None, None, None]) ** 2).sum((0, 2, 3))
