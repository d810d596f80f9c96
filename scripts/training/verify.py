"""Trains the verifier, which decides whether a crop shows a die, nothing, a printed die or a part of a die."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from tests.kit.drawn.cutouts import Cutouts
from tests.kit.drawn.gloss import gloss
from tests.kit.drawn.photos import FROM_ABOVE, Float, Image

from .candidates import CONTEXT, DIE, NOTHING, PART, PATCH, PRINTED, Candidates, kept_for_fitting
from .crops import DieCrops
from .photometry import degrade, recolour, relight
from .steps import BATCH, train_classifier
from .verifier_net import CROP_SIZE, KINDS_OF_CANDIDATES, WIDE, VerifierNet, take_imagenet

SAMPLES_PER_EPOCH = 6144
SHARES = {DIE: 0.42, NOTHING: 0.36, PRINTED: 0.1, PART: 0.12}  # shares of the crops
LAID, BESIDE = 0.25, 0.3  # share of dice on other backgrounds, and of false candidates with dice beside them
HARD, ERRING = 8.0, 0.2  # sampling weight of hard candidates, and minimum probability of one
RARE = -0.5  # exponent: a set of n candidates is sampled in proportion to n^(1 + RARE)


class VerifierCrops(DieCrops):
    """Dataset of `count` crops per epoch: (3, 112, 112) uint8 RGB and the kind of the object in the centre."""

    size, margin, crop_size, contexts = PATCH, CONTEXT, CROP_SIZE, (WIDE,)
    names = KINDS_OF_CANDIDATES
    squeezed = 0.1

    def __init__(
        self,
        parts: dict[str, Candidates],
        cutouts: Cutouts,
        *,
        count: int,
        seed: int,
        hard: dict[str, np.ndarray] | None = None,
    ) -> None:
        super().__init__([], cutouts, None, count=count, seed=seed)
        self.parts = list(parts.values())
        rows = [(part, row) for part, some in enumerate(self.parts) for row in range(len(some.kinds))]
        self.rows = np.array(rows, np.int32)
        kinds = np.concatenate([some.kinds for some in self.parts])
        pictures = np.concatenate([some.names for some in self.parts])
        aside = [name for name in np.unique(pictures) if kept_for_fitting(str(name))]
        kinds = np.where(np.isin(pictures, aside), -1, kinds)
        self.sets = np.char.partition(pictures, "__")[:, 0]
        names = np.array(list(parts))[self.rows[:, 0]]
        chances = np.concatenate([some.chances for some in self.parts])
        worth = 0.15 + chances  # candidates the networks take for dice are the most informative
        if hard is not None:
            worth = worth * (1 + HARD * np.concatenate([hard[name] for name in parts]))
        self.pools: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.shares = {kind: share for kind, share in SHARES.items() if (kinds == kind).any()}
        for kind in self.shares:
            picks = np.flatnonzero(kinds == kind)
            group = np.char.add(names[picks], self.sets[picks])
            _, which, counts = np.unique(group, return_inverse=True, return_counts=True)
            weights = counts[which].astype(float) ** RARE * (1.0 if kind == DIE else worth[picks])
            self.pools[kind] = picks, np.cumsum(weights / weights.sum())

    def _pick(self, kind: int) -> int:
        picks, weights = self.pools[kind]
        return int(picks[min(int(np.searchsorted(weights, self.rng.random())), len(picks) - 1)])

    def _patch(self, pick: int) -> Image:
        part, row = self.rows[pick]
        return np.array(self.parts[part].patches[row])

    def sample(self) -> tuple[Image, int]:
        """The next crop, (112, 112, 3) uint8 BGR, and its kind."""
        rng = self.rng
        kinds, shares = np.array(list(self.shares.items())).T
        kind = int(rng.choice(kinds, p=shares / shares.sum()))
        above = kind != DIE
        if kind == DIE and rng.random() < LAID:
            patch = self._patch(self._pick(NOTHING))
            patch = np.ascontiguousarray(np.rot90(patch, int(rng.integers(4))))
            self._scatter(patch)
            pick = int(np.searchsorted(self.weights, rng.random()))
            while not self.cutouts.whole[pick]:
                pick = int(np.searchsorted(self.weights, rng.random()))
            self._paste(patch, pick, self._transform(pick, off=min(abs(float(rng.normal(0, 0.05))), 0.15)))
        else:
            pick = self._pick(kind)
            patch, above = self._patch(pick), above or str(self.sets[pick]) in FROM_ABOVE
            if kind in (NOTHING, PRINTED) and rng.random() < BESIDE:
                self._scatter(patch, 1.0)
        crop = gloss(relight(recolour(self._cut(patch, above), rng, strength=0.7), rng), rng)
        return degrade(crop, rng, largest_blur=1.6), kind

    def _scatter(self, patch: Image, chance: float = 0.4) -> None:
        """Pastes dice beside the centre."""
        while self.rng.random() < chance:
            other = int(self.whole[int(self.rng.integers(len(self.whole)))])
            self._paste(patch, other, self._transform(other, off=float(self.rng.uniform(1.05, 1.8))))
            chance = 0.35

    def _cut(self, patch: Image, above: bool) -> Image:
        """The centre of a patch with random rotation, mirroring, scale and shift."""
        rng, side = self.rng, CROP_SIZE / WIDE
        degrees = float(rng.uniform(0, 360) if above else rng.normal(0, 9))
        turn: Float = cv2.getRotationMatrix2D((PATCH / 2, PATCH / 2), degrees, 1.0)
        turn *= side / (PATCH / CONTEXT) * float(np.exp(rng.normal(0, 0.1)))
        turn[:, :2] *= self._squeeze()
        if rng.random() < 0.5:
            turn[0] *= -1
        turn[:, 2] += CROP_SIZE / 2 - turn @ (PATCH / 2, PATCH / 2, 1) + rng.normal(0, 0.05 * side, 2)
        return np.asarray(cv2.warpAffine(patch, turn, (CROP_SIZE, CROP_SIZE), borderMode=cv2.BORDER_REFLECT_101))


def plain(patches: Sequence[Image]) -> torch.Tensor:
    """Patches cropped as for inference: (n, 3, 112, 112) in 0..1."""
    half = round(PATCH * WIDE / CONTEXT / 2)
    cut = slice(PATCH // 2 - half, PATCH // 2 + half)
    crops = np.stack(
        [cv2.resize(np.asarray(p)[cut, cut], (CROP_SIZE, CROP_SIZE), interpolation=cv2.INTER_AREA) for p in patches]
    )
    return torch.from_numpy(np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))).float() / 255


@torch.no_grad()
def taken_for_dice(weights: Path, some: Candidates) -> np.ndarray:
    """(n,) probability of a die that a trained verifier gives to each candidate.

    It is 0 for dice, and for false candidates that finder and reader reject.
    """
    network = VerifierNet(len(KINDS_OF_CANDIDATES)).eval()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["average"])
    chances = np.zeros(len(some.kinds), np.float32)
    rows = np.flatnonzero((some.kinds != DIE) & (some.chances >= ERRING))
    for at in range(0, len(rows), BATCH):
        some_rows = rows[at : at + BATCH]
        crops = plain([some.patches[row] for row in some_rows]).contiguous(memory_format=torch.channels_last)
        chances[some_rows] = network(crops).softmax(1)[:, DIE].numpy()
    return chances


def train_verifier(
    parts: dict[str, Candidates],
    cutouts: Cutouts,
    *,
    run: Path,
    epochs: int,
    start: Path | None,
    imagenet: Path | None,
    loaders: int,
    rate: float,
    seed: int,
) -> Path:
    """Trains the verifier for `epochs` times 6,144 crops, or resumes the run. Returns `run/last.pt`.

    Args:
        imagenet: Checkpoint of EfficientNet-Lite0 that initialises the body.
        start: Verifier from which a new schedule starts; its false positives are oversampled.
    """
    run.mkdir(parents=True, exist_ok=True)
    last = run / "last.pt"
    kept = torch.load(last, map_location="cpu", weights_only=True) if last.exists() else None
    step = kept["step"] if kept else 0
    hard = {name: taken_for_dice(start, some) for name, some in parts.items()} if start else None
    dataset = VerifierCrops(parts, cutouts, count=SAMPLES_PER_EPOCH, seed=seed + step, hard=hard)
    torch.manual_seed(seed + step)
    model = VerifierNet(len(dataset.names)).to(memory_format=torch.channels_last)
    if kept is None and start:
        model.load_state_dict(torch.load(start, map_location="cpu", weights_only=True)["average"])
    elif kept is None and imagenet:
        take_imagenet(model, imagenet)
    return train_classifier(
        model, dataset, last, kept, epochs=epochs, loaders=loaders, rate=rate, decay=0.03, place=torch.device("cpu")
    )
