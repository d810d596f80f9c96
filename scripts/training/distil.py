"""A smaller finder learns to see what a trained one sees: its score and box at every place of every tile.

Labels say where dice lie; a trained network says besides how sure it is of every place, half-hidden dice and
look-alikes included, so that a small one needs far fewer tiles (Hinton and others, "Distilling the knowledge in a
neural network", 2015). Teacher and pupil share the grid of places, so that their boxes mean the same.
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

from .cutouts import Cutouts
from .photos import Photo
from .pupil import State, inherit, new_pupil, planes_of, shown
from .steps import cycle, learn
from .tiles import Tiles

TILES_AN_EPOCH = 1024
BATCH = 16  # tiles made; each is shown twice, the second time mirrored and in other light
NOTICED = -5.5  # a place's logit from which its exact value is learnt: stills are read from a score of 0.01 on
ALONE = 0.85  # part of the schedule from which the first layers, until then the teacher's, are trained as well


def load_teacher(path: Path) -> Any:
    """The network of a finder's checkpoint, for looking only."""
    kept = torch.load(path, map_location="cpu", weights_only=False)
    network = (kept.get("ema") or kept["model"]).float().eval()
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    network.fuse(verbose=False)
    return network.to(memory_format=torch.channels_last)


def from_layer(pupil: Any, begin: int, features: torch.Tensor) -> Any:
    """What the pupil says when its first layers are left out and their answer is known."""
    answers: list[Any] = [None] * (begin - 1) + [features]
    x: Any = features
    for layer in pupil.model[begin:]:
        if layer.f != -1:
            x = answers[layer.f] if isinstance(layer.f, int) else [x if f == -1 else answers[f] for f in layer.f]
        x = layer(x)
        answers.append(x if layer.i in pupil.save else None)
    return x


def lesson(seen: State, taught: State) -> torch.Tensor:
    """How far the pupil's scores and boxes lie from the teacher's.

    Both: logits (n, 1, places) and distances from the place to the box's sides (n, 4, places) in strides.
    """
    chance = taught["scores"].sigmoid()
    weight = chance.sum().clamp(min=1)
    scores = nn.functional.binary_cross_entropy_with_logits(seen["scores"], chance, reduction="sum")
    least = nn.functional.binary_cross_entropy_with_logits(taught["scores"], chance, reduction="sum")
    noticed = taught["scores"].detach().clamp(min=NOTICED)
    exact = (seen["scores"].clamp(min=NOTICED - 2) - noticed).abs() * (taught["scores"] > NOTICED)
    boxes = (seen["boxes"] - taught["boxes"]).abs() * (chance + 0.05 * (taught["scores"] > NOTICED))
    return (scores - least + 0.1 * exact.sum() + 0.5 * boxes.sum()) / weight


def in_other_light(pictures: torch.Tensor) -> torch.Tensor:
    """Mirrored, with other contrast, brightness and colours, some of them negatives: lessons for nothing."""
    n = len(pictures)
    pictures = torch.flip(pictures, (3,) if torch.rand(()) < 0.5 else (2,))
    gain = torch.exp(0.2 * torch.randn(n, 1, 1, 1) + 0.1 * torch.randn(n, 3, 1, 1))
    gain = torch.where(torch.rand(n, 1, 1, 1) < 0.1, -gain, gain)
    return torch.addcmul(0.5 + 0.1 * torch.randn(n, 1, 1, 1), pictures - 0.5, gain).clamp_(0, 1)


def train_pupil(
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
    """Trains for `epochs` times 1,024 tiles, each shown twice, into `run/last.pt`, or goes on there. Returns it.

    network: the pupil's YAML, its `inherits` as `inherit` takes it; teacher: a finder's checkpoint; start: a pupil to
    begin a new schedule from, whose layers are inherited instead of the teacher's where its architecture is another.
    """
    run.mkdir(parents=True, exist_ok=True)
    last = run / "last.pt"
    torch.manual_seed(seed)
    knows = load_teacher(teacher)
    pupil: Any = new_pupil(network)
    planes, shares, shared = planes_of(pupil), int(pupil.yaml.get("shares", 0)), None
    begins_from = torch.load(start or teacher, map_location="cpu", weights_only=False)["model"].float()
    if _alike(pupil, begins_from):
        pupil.load_state_dict(begins_from.state_dict())
    else:
        kept = inherit(pupil, begins_from, pupil.yaml["inherits"])
        print(f"{len(kept)} layers begin with weights of {(start or teacher).name}", flush=True)
        if shares:
            shared = (shares, kept[f"model.{shares - 1}"])
    pupil = pupil.to(memory_format=torch.channels_last).train()
    mean = copy.deepcopy(pupil).eval()
    groups = [
        {"params": [p for p in pupil.parameters() if p.ndim > 1], "weight_decay": 0.01},
        {"params": [p for p in pupil.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=rate)
    step, steps, a_round = 0, epochs * (TILES_AN_EPOCH // BATCH), TILES_AN_EPOCH // BATCH
    if last.exists():
        state = torch.load(last, map_location="cpu", weights_only=False)
        pupil.load_state_dict(state["pupil"])
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
            taught = knows(pictures)[1]
        if shared and step < ALONE * steps:
            begins = early[-1][:, shared[1]].contiguous(memory_format=torch.channels_last)
            loss = lesson(from_layer(pupil, shared[0], begins), taught)
        else:
            loss = lesson(pupil(shown(pictures, planes)), taught)
        early.clear()
        step += 1
        learn(loss, pupil, mean, optimizer, cycle((step - 1) / steps, rate), step)
        total += float(loss.detach())
        if step % a_round == 0:
            state = {
                "model": copy.deepcopy(mean), "ema": None, "epoch": -1, "train_args": {"task": "detect"},
                "pupil": pupil.state_dict(), "optimizer": optimizer.state_dict(), "step": step,
            }  # fmt: skip
            torch.save(state, last.with_suffix(".pt.tmp"))
            last.with_suffix(".pt.tmp").replace(last)
            seconds, began = time.monotonic() - began, time.monotonic()
            print(f"epoch {step // a_round}/{epochs} loss {total / a_round:.4f} {seconds:.0f} s", flush=True)
            total = 0.0
    return last


def _alike(one: nn.Module, other: nn.Module) -> bool:
    """Whether two networks have the same layers."""
    shapes = [{name: tuple(part.shape) for name, part in it.state_dict().items()} for it in (one, other)]
    return shapes[0] == shapes[1]


def _tiles(photos: list[Photo], cutouts: Cutouts, loaders: int, seed: int) -> Iterator[torch.Tensor]:
    """Batches of pictures (n, 3, 256, 256), 0..1, without end."""
    loader = DataLoader(
        Tiles(photos, cutouts, count=TILES_AN_EPOCH, seed=seed), batch_size=BATCH, num_workers=loaders,
        collate_fn=Tiles.collate_fn, persistent_workers=loaders > 0, prefetch_factor=4 if loaders else None,
    )  # fmt: skip
    while True:
        for batch in loader:
            yield batch["img"].float() / 255
