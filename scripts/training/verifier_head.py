"""Second stage of the verifier's training: only the head, on features that are computed once.

The body is frozen. A thousand steps of the head take seconds, so several heads are trained and averaged; heads trained
without one image source show how reliable they are on new sources.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import nn

from tests.kit.drawn.photos import Float, Image

from .candidates import CONTEXT, DIE, NOTHING, PART, PATCH, Candidates, kept_for_fitting
from .photometry import degrade, recolour, relight
from .steps import BATCH
from .verifier_net import CROP_SIZE, FEATURES, HIDDEN, KINDS_OF_CANDIDATES, WIDE, VerifierNet
from .verify import RARE, plain

LEAST, PARTS = 0.05, 0.4  # minimum probability of a false candidate, and share of used parts of dice
SHARES = {DIE: 0.45, NOTHING: 0.42, PART: 0.13}  # shares of a batch
CHANGED_DICE, CHANGED_OTHERS = 6000, 4500  # augmented examples, in addition to the plain ones
TOUCHED = 0.75  # share of augmented dice with touching copies
HEADS, STEPS, RATE, DECAY, DROPPED = 2, 2000, 1e-3, 0.05, 0.3
SIDE = PATCH / CONTEXT  # pixels: side of a die in a patch


def touched(patch: Image, rng: Generator) -> Image:
    """A patch in which one to four rotated copies of the die touch the die in the centre.

    Without such examples, touching white dice are mistaken for dominoes.
    """
    middle, half = PATCH / 2, SIDE / 2
    begin, end = int(middle - 1.02 * half), int(middle + 1.02 * half)
    die = patch[begin:end, begin:end].copy()
    side = len(die)
    rim = int(0.07 * side)
    alpha: Float = np.zeros((side, side), np.float32)
    alpha[rim : side - rim, rim : side - rim] = 1
    alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 1.2))
    core = slice(int(middle - 0.8 * half), int(middle + 0.8 * half))
    row = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else 0.0
    out = patch.astype(np.float32)
    for quarter in rng.permutation(4)[: int(rng.choice(4, p=(0.4, 0.3, 0.15, 0.15))) + 1]:
        angle = row + float(quarter) * np.pi / 2
        towards, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        at = middle + towards * SIDE * rng.uniform(0.93, 1.08) + across * SIDE * rng.normal(0, 0.2)
        degrees = 90 * int(rng.integers(4)) + (np.rad2deg(row) if rng.random() < 0.7 else rng.uniform(0, 90))
        turn: Float = cv2.getRotationMatrix2D((side / 2, side / 2), float(degrees), float(rng.uniform(0.92, 1.05)))
        turn[:, 2] += at - side / 2
        cover = np.array(cv2.warpAffine(alpha, turn, (PATCH, PATCH)))[..., None]
        cover[core, core] = 0
        out = out * (1 - cover) + cv2.warpAffine(die, turn, (PATCH, PATCH)) * cover
    return np.asarray(out, np.uint8)


def changed(patch: Image, rng: Generator, *, any_turn: bool) -> Image:
    """(112, 112, 3) centre of a patch after augmentation: rotated, mirrored, shifted, relit and degraded."""
    degrees = float(rng.uniform(0, 360) if any_turn else rng.normal(0, 9))
    turn: Float = cv2.getRotationMatrix2D(
        (PATCH / 2, PATCH / 2), degrees, CROP_SIZE / WIDE / SIDE * float(np.exp(rng.normal(0, 0.08)))
    )
    if rng.random() < 0.5:
        turn[0] *= -1
    turn[:, 2] += CROP_SIZE / 2 - turn @ (PATCH / 2, PATCH / 2, 1) + rng.normal(0, 0.04 * CROP_SIZE / WIDE, 2)
    crop = np.asarray(cv2.warpAffine(patch, turn, (CROP_SIZE, CROP_SIZE), borderMode=cv2.BORDER_REFLECT_101))
    return degrade(relight(recolour(crop, rng, strength=0.6), rng), rng, largest_blur=1.3)


@torch.no_grad()
def examples(network: VerifierNet, parts: dict[str, Candidates], rng: Generator) -> tuple[torch.Tensor, ...]:
    """Features (n, FEATURES) of candidates, plain and augmented, their kinds (n,) and sampling weights (n,)."""
    some = list(parts.values())
    rows = np.array([(part, row) for part, held in enumerate(some) for row in range(len(held.kinds))])
    kinds, chances, names = (np.concatenate([getattr(c, key) for c in some]) for key in ("kinds", "chances", "names"))
    usable = ~np.array([kept_for_fitting(str(name)) for name in names])
    usable &= (
        (kinds == DIE)
        | ((kinds == NOTHING) & (chances >= LEAST))
        | ((kinds == PART) & (rng.random(len(kinds)) < PARTS))
    )
    sources = np.char.add(np.char.partition(names, "__")[:, 0], kinds.astype(str))
    _, which, counts = np.unique(sources, return_inverse=True, return_counts=True)
    worth = counts[which].astype(float) ** RARE * np.where(kinds == NOTHING, 0.15 + chances, 1) * usable
    picks = [(pick, False) for pick in np.flatnonzero(usable)]
    for kind, count in ((DIE, CHANGED_DICE), (NOTHING, CHANGED_OTHERS)):
        chance = np.where(kinds == kind, worth, 0)
        picks += [(pick, True) for pick in rng.choice(len(kinds), count, p=chance / chance.sum())]
    features = []
    for at in range(0, len(picks), BATCH):
        crops = []
        for pick, change in picks[at : at + BATCH]:
            patch = np.array(some[rows[pick, 0]].patches[rows[pick, 1]])
            if change and kinds[pick] == DIE and rng.random() < TOUCHED:
                patch = touched(patch, rng)
            if change:
                crop = changed(patch, rng, any_turn=kinds[pick] != DIE)
                crops.append(torch.from_numpy(np.ascontiguousarray(crop[..., ::-1].transpose(2, 0, 1))).float() / 255)
            else:
                crops.append(plain([patch])[0])
        features.append(network.features(torch.stack(crops)))
    picked = np.array([pick for pick, _ in picks])
    weights = worth[picked]
    for kind, share in SHARES.items():
        weights[kinds[picked] == kind] *= share / max(weights[kinds[picked] == kind].sum(), 1e-9)
    return torch.cat(features), torch.from_numpy(kinds[picked]), torch.from_numpy(weights)


def train_head(weights: Path, parts: dict[str, Candidates], run: Path, seed: int) -> Path:
    """Trains several heads for a verifier's body. Writes the body with the mean of the heads to `run/last.pt`, which is
    returned."""
    torch.manual_seed(seed)
    network = VerifierNet(len(KINDS_OF_CANDIDATES)).eval()
    known = torch.load(weights, map_location="cpu", weights_only=True)["average"]
    network.load_state_dict({k: v for k, v in known.items() if not k.startswith("out.")}, strict=False)
    features, kinds, worth = examples(network, parts, np.random.default_rng(seed))
    mean, spread = features.mean(0), features.std(0) + 1e-3
    features = (features - mean) / spread
    heads = []
    for _ in range(HEADS):
        first, last = nn.Linear(FEATURES, HIDDEN // HEADS), nn.Linear(HIDDEN // HEADS, len(KINDS_OF_CANDIDATES))
        head = nn.Sequential(nn.Dropout(DROPPED), first, nn.ReLU(), nn.Dropout(DROPPED), last)
        optimizer = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
        for batch in torch.multinomial(worth, STEPS * 2 * BATCH, replacement=True).view(STEPS, -1):
            loss = nn.functional.cross_entropy(head(features[batch]), kinds[batch], label_smoothing=0.02)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        heads.append((first, last))
    state = network.state_dict()
    firsts, lasts = [first for first, _ in heads], [last for _, last in heads]
    inner = [first.weight.data / spread for first in firsts]
    state["out.0.weight"] = torch.cat(inner)
    state["out.0.bias"] = torch.cat([first.bias.data - rows @ mean for first, rows in zip(firsts, inner, strict=True)])
    state["out.2.weight"] = torch.cat([last.weight.data for last in lasts], 1) / HEADS
    state["out.2.bias"] = torch.stack([last.bias.data for last in lasts]).mean(0)
    run.mkdir(parents=True, exist_ok=True)
    torch.save({"average": state}, run / "last.pt")
    return run / "last.pt"
