"""Distils a trained finder into a smaller one, which learns its score and box at every location of every tile.

Labels say where dice are; a trained network also gives its confidence at every location, half-hidden dice and
look-alikes included, so that a small one needs far fewer tiles (Hinton and others, "Distilling the knowledge in a
neural network", 2015). Teacher and student have the same grid of locations, so that their boxes are comparable.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader

from tests.kit.drawn.cutouts import Cutouts
from tests.kit.drawn.photos import Photo

from .steps import adamw, cycle, learn, save
from .tiles import Tiles

TILES_PER_EPOCH = 1024
BATCH = 16  # tiles; each is used twice, the second time augmented
NOTICED = -5.5  # logit above which its exact value is learnt: photos use scores from 0.01
ALONE = 0.85  # progress, 0..1, from which the first layers, copied from the teacher, are trained too

State = dict[str, torch.Tensor]


def load_teacher(path: Path) -> Any:
    """The network of a finder's checkpoint, in evaluation mode."""
    kept = torch.load(path, map_location="cpu", weights_only=False)
    network = (kept.get("ema") or kept["model"]).float().eval()
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    network.fuse(verbose=False)
    return network.to(memory_format=torch.channels_last)


def inherit(student: nn.Module, teacher: nn.Module, pairs: dict[str, str]) -> dict[str, torch.Tensor]:
    """Copies the teacher's layers into the student; where the student has fewer channels, the most important ones.

    Args:
        student: The student, modified in place.
        teacher: The trained network.
        pairs: Student layer → teacher layer, by prefix of their names in `state_dict`; "layer<before" names the layer
            that provides the input channels, where it may be narrower.

    Returns:
        The teacher's channels that each layer keeps.

    Raises:
        ValueError: The channels of two consecutive layers do not fit.
    """
    own, known = student.state_dict(), teacher.state_dict()
    following = {before: theirs for mine, theirs in pairs.items() for before in mine.split("<")[1:]}
    kept: dict[str, torch.Tensor] = {}
    for mine, theirs in pairs.items():
        mine, _, before = mine.partition("<")
        weight, target = known[f"{theirs}.conv.weight"], own[f"{mine}.conv.weight"]
        rows = torch.arange(weight.shape[0])
        if len(rows) > target.shape[0]:
            importance = _importance(known, theirs, following[mine])
            rows = importance.argsort(descending=True)[: target.shape[0]].sort().values
        columns = kept.get(before, torch.arange(weight.shape[1]))
        if len(columns) != target.shape[1]:
            raise ValueError(f"{mine} takes {target.shape[1]} channels, {theirs} gives {len(columns)}")
        target.copy_(weight[rows][:, columns])
        for part in ("weight", "bias", "running_mean", "running_var"):
            own[f"{mine}.bn.{part}"].copy_(known[f"{theirs}.bn.{part}"][rows])
        kept[mine] = rows
    return kept


def _importance(known: State, layer: str, after: str) -> torch.Tensor:
    """(channels,) influence of each channel of a layer on the next layer, from the weights alone.

    After batch normalisation a channel is roughly normal, with the norm's bias as mean and its scale as deviation. The
    importance is its mean square after ReLU times the squared weights that it feeds.
    """
    mean, deviation = known[f"{layer}.bn.bias"], known[f"{layer}.bn.weight"].abs().clamp(min=1e-4)
    at = mean / deviation
    density = torch.exp(-(at**2) / 2) / (2 * torch.pi) ** 0.5
    below = 0.5 * (1 + torch.erf(at / 2**0.5))
    square = (mean**2 + deviation**2) * below + mean * deviation * density
    spread = known[f"{after}.bn.weight"] / (known[f"{after}.bn.running_var"] + 1e-3).sqrt()
    return square * ((known[f"{after}.conv.weight"] * spread[:, None, None, None]) ** 2).sum((0, 2, 3))


def from_layer(student: Any, begin: int, features: torch.Tensor) -> Any:
    """The student's output, computed from layer `begin` on with known features as input."""
    answers: list[Any] = [None] * (begin - 1) + [features]
    x: Any = features
    for layer in student.model[begin:]:
        if layer.f != -1:
            x = answers[layer.f] if isinstance(layer.f, int) else [x if f == -1 else answers[f] for f in layer.f]
        x = layer(x)
        answers.append(x if layer.i in student.save else None)
    return x


def distillation_loss(seen: State, target: State) -> torch.Tensor:
    """The distillation loss between the student's and the teacher's outputs.

    Args:
        seen, target: Outputs of student and teacher: "scores", logits (n, 1, locations), and "boxes", distances from
        the location to the box's sides (n, 4, locations) in strides.
    """
    chance = target["scores"].sigmoid()
    weight = chance.sum().clamp(min=1)
    scores = nn.functional.binary_cross_entropy_with_logits(seen["scores"], chance, reduction="sum")
    least = nn.functional.binary_cross_entropy_with_logits(target["scores"], chance, reduction="sum")
    noticed = target["scores"].detach().clamp(min=NOTICED)
    exact = (seen["scores"].clamp(min=NOTICED - 2) - noticed).abs() * (target["scores"] > NOTICED)
    boxes = (seen["boxes"] - target["boxes"]).abs() * (chance + 0.05 * (target["scores"] > NOTICED))
    return (scores - least + 0.1 * exact.sum() + 0.5 * boxes.sum()) / weight


def in_other_light(pictures: torch.Tensor) -> torch.Tensor:
    """Augmentation: mirrored, with other contrast, brightness and colours, some as negatives."""
    n = len(pictures)
    pictures = torch.flip(pictures, (3,) if torch.rand(()) < 0.5 else (2,))
    gain = torch.exp(0.2 * torch.randn(n, 1, 1, 1) + 0.1 * torch.randn(n, 3, 1, 1))
    gain = torch.where(torch.rand(n, 1, 1, 1) < 0.1, -gain, gain)
    return torch.addcmul(0.5 + 0.1 * torch.randn(n, 1, 1, 1), pictures - 0.5, gain).clamp_(0, 1)


def train_student(
    photos: list[Photo],
    cutouts: Cutouts,
    *,
    network: Path,
    teacher: Path,
    run: Path,
    epochs: int,
    start: Path | None,
    loaders: int,
    rate: float,
    seed: int,
) -> Path:
    """Trains a student for `epochs` times 1,024 tiles, each used twice, or resumes the run. Returns `run/last.pt`.

    Args:
        network: The student's YAML, its `inherits` in the format of `inherit`.
        teacher: A finder's checkpoint.
        run: Folder of the run.
        start: A student from which a new schedule starts.
    """
    from ultralytics.nn.tasks import DetectionModel

    run.mkdir(parents=True, exist_ok=True)
    last = run / "last.pt"
    torch.manual_seed(seed)
    knows = load_teacher(teacher)
    student: Any = DetectionModel(str(network), ch=3, nc=1, verbose=False)
    student.names = {0: "die"}
    shares, shared = int(student.yaml.get("shares", 0)), None
    if start:
        student.load_state_dict(torch.load(start, map_location="cpu", weights_only=False)["model"].float().state_dict())
    else:
        unfused = torch.load(teacher, map_location="cpu", weights_only=False)["model"].float()
        kept = inherit(student, unfused, student.yaml["inherits"])
        print(f"{len(kept)} layers begin with the teacher's weights", flush=True)
        shared = (shares, kept[f"model.{shares - 1}"])
    student = student.to(memory_format=torch.channels_last).train()
    mean = copy.deepcopy(student).eval()
    optimizer = adamw(student, rate, 0.01)
    step, steps, a_round = 0, epochs * (TILES_PER_EPOCH // BATCH), TILES_PER_EPOCH // BATCH
    if last.exists():
        state = torch.load(last, map_location="cpu", weights_only=False)
        student.load_state_dict(state["pupil"])
        mean.load_state_dict(state["model"].float().state_dict())
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
        torch.manual_seed(seed + step)
    batches, began, total = _tiles(photos, cutouts, loaders, seed + step), time.monotonic(), 0.0
    early: list[torch.Tensor] = []
    if shared:
        knows.model[shared[0] - 1].register_forward_hook(lambda *parts: early.append(parts[-1]))
    while step < steps:
        pictures = next(batches)
        pictures = torch.cat([pictures, in_other_light(pictures)]).contiguous(memory_format=torch.channels_last)
        with torch.no_grad():
            target = knows(pictures)[1]
        if shared and step < ALONE * steps:
            begins = early[-1][:, shared[1]].contiguous(memory_format=torch.channels_last)
            loss = distillation_loss(from_layer(student, shared[0], begins), target)
        else:
            loss = distillation_loss(student(pictures), target)
        early.clear()
        step += 1
        learn(loss, student, mean, optimizer, cycle((step - 1) / steps, rate), step)
        total += float(loss.detach())
        if step % a_round == 0:
            state = {
                "model": copy.deepcopy(mean), "ema": None, "epoch": -1, "train_args": {"task": "detect"},
                "pupil": student.state_dict(), "optimizer": optimizer.state_dict(), "step": step,
            }  # fmt: skip
            save(state, last)
            seconds, began = time.monotonic() - began, time.monotonic()
            print(f"epoch {step // a_round}/{epochs} loss {total / a_round:.4f} {seconds:.0f} s", flush=True)
            total = 0.0
    return last


def _tiles(photos: list[Photo], cutouts: Cutouts, loaders: int, seed: int) -> Iterator[torch.Tensor]:
    """Yields batches of images (n, 3, 256, 256), 0..1, endlessly."""
    loader = DataLoader(
        Tiles(photos, cutouts, count=TILES_PER_EPOCH, seed=seed), batch_size=BATCH, num_workers=loaders,
        collate_fn=Tiles.collate_fn, persistent_workers=loaders > 0, prefetch_factor=4 if loaders else None,
    )  # fmt: skip
    while True:
        for batch in loader:
            yield batch["img"].float() / 255
