"""Training data of the reader: 80-pixel crops of single dice, framed as the finder does, and of other things."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import torch

from tests.kit.drawn.backdrops import draw_traps, drawn_backdrop, real_backdrop
from tests.kit.drawn.cutouts import CONTEXT, PATCH, Cutouts
from tests.kit.drawn.gloss import gloss
from tests.kit.drawn.photos import FROM_ABOVE, Float, Image, Photo

from .generated_dataset import GeneratedDataset
from .photometry import degrade, recolour, relight

CROP_SIZE = 80  # pixels: side of a crop, as in vision/dice/detector.py
NARROWEST = 0.5  # minimum factor of a stretched image's side; 16:9 made square is 0.56
MARGIN = 1.35  # width of a crop in multiples of the die's longer side


class DieCrops(GeneratedDataset[tuple[torch.Tensor, int]]):
    """Dataset of `count` new crops of single dice per epoch: (3, 80, 80) uint8 RGB and the class 0..6.

    Dice of rare sets are oversampled.
    """

    size, margin = CROP_SIZE, MARGIN  # of the generated images
    crop_size = CROP_SIZE
    contexts: tuple[float, ...] = (MARGIN,)  # widths in dice of the crops given to the network
    names: tuple[str, ...] = ("1", "2", "3", "4", "5", "6", "no die")
    none, laid, blur = 0.18, 0.45, 2.0  # share of "no die", share of pasted dice, maximum blur in pixels
    squeezed = 0.25  # share of crops from stretched images

    def __init__(
        self, photos: Sequence[Photo], cutouts: Cutouts, mistakes: Image | None, *, count: int, seed: int
    ) -> None:
        super().__init__(count, seed)
        self.photos, self.cutouts = photos, cutouts
        self.mistakes = mistakes if mistakes is not None and len(mistakes) else None
        names, counts = np.unique(cutouts.sets, return_counts=True)
        share = {str(name): float(number) ** -0.4 for name, number in zip(names, counts, strict=True)}
        weights = np.array([share[str(name)] for name in cutouts.sets])
        self.weights = np.cumsum(weights / weights.sum())
        self.whole = np.flatnonzero(cutouts.whole)

    def _transform(self, pick: int, *, off: float) -> np.ndarray:
        """(2, 3) affine transform from a patch to a crop.

        Random scale, stretch, and rotation within the range that keeps the top face's value; shift by `off` die widths.
        """
        rng = self.rng
        above = self.cutouts.sets[pick] in FROM_ABOVE
        turn = np.deg2rad(rng.uniform(0, 360) if above else rng.uniform(-25, 25))
        scale = self.size / self.margin / (PATCH / CONTEXT) * float(np.exp(rng.normal(0, 0.12)))
        linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        linear = linear @ np.array([[rng.choice((-1, 1)), rng.normal(0, 0.06)], [0, 1]])  # mirrored and sheared
        linear *= np.exp(rng.normal(0, 0.07, (2, 1)))
        linear *= self._squeeze()
        angle, die = rng.uniform(0, 2 * np.pi), self.size / self.margin
        to = self.size / 2 + off * die * np.array([np.cos(angle), np.sin(angle)])
        return np.column_stack([linear, to - linear @ (PATCH / 2, PATCH / 2)])

    def _squeeze(self) -> np.ndarray:
        """(2, 1) scale factors that imitate images stretched to a square."""
        by = np.ones((2, 1))
        if self.rng.random() < self.squeezed:
            by[self.rng.integers(2)] = self.rng.uniform(NARROWEST, 1)
        return by

    def _paste(self, crop: Image, pick: int, matrix: np.ndarray) -> None:
        """Pastes a cut-out die, sometimes with a shadow."""
        patch = np.asarray(self.cutouts.patches[pick])
        if self.rng.random() < 0.4:
            patch = recolour(patch, self.rng)
        alpha = cv2.warpAffine(np.asarray(self.cutouts.masks[pick]), matrix, (self.size, self.size))
        if self.rng.random() < 0.5:
            away = np.array([[1, 0, self.rng.normal(0, 7)], [0, 1, self.rng.normal(0, 7)]])
            shade = cv2.GaussianBlur(
                cv2.warpAffine(alpha, away, (self.size, self.size)), (0, 0), float(self.rng.uniform(1, 7))
            )
            crop[:] = crop * (1 - shade[..., None] * (float(self.rng.uniform(0.2, 0.7)) / 255))
        die = cv2.warpAffine(patch, matrix, (self.size, self.size), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        crop[:] = crop + (alpha[..., None].astype(np.float32) / 255) * (die - crop)

    def _backdrop(self) -> Image:
        rng = self.rng
        crop = real_backdrop(self.photos, self.size, rng) if rng.random() < 0.5 else drawn_backdrop(self.size, rng)
        if rng.random() < 0.2:
            draw_traps(crop, rng, largest=76)
        return crop

    def _beside(self, crop: Image, chance: float) -> None:
        """Pastes further dice that reach into the crop but not to its centre."""
        while self.rng.random() < chance:
            other = int(self.whole[int(self.rng.integers(len(self.whole)))])
            self._paste(crop, other, self._transform(other, off=float(self.rng.uniform(0.95, 1.2))))

    def _no_die(self) -> Image:
        """A crop of the class "no die".

        It shows a false detection of the finder, a die far too close, a die's side or shadow, or a background with
        crop-alikes and dice off the centre.
        """
        rng, kind = self.rng, self.rng.random()
        if kind < 0.45 and self.mistakes is not None:
            patch = np.asarray(self.mistakes[int(rng.integers(len(self.mistakes)))])
            return self._turned(patch)
        if kind < 0.58:
            pick = int(rng.integers(len(self.cutouts)))
            near = float(rng.uniform(2.5, 5.0)) * self.size / self.margin / (PATCH / CONTEXT)
            spot = PATCH / 2 + rng.uniform(-0.45, 0.45, 2) * PATCH / CONTEXT
            matrix = np.array([[near, 0, self.size / 2 - near * spot[0]], [0, near, self.size / 2 - near * spot[1]]])
            return cv2.warpAffine(np.asarray(self.cutouts.patches[pick]), matrix, (self.size, self.size))
        crop = self._backdrop()
        if kind < 0.78:
            pick = int(self.whole[int(rng.integers(len(self.whole)))])
            matrix = self._transform(pick, off=float(rng.uniform(0.55, 0.8)))
            self._paste(crop, pick, matrix)
            return crop
        if rng.random() < 0.6:
            draw_traps(crop, rng, largest=76)
        self._beside(crop, 0.4)
        return crop

    def _turned(self, patch: Image, context: float = CONTEXT) -> Image:
        """A crop around the centre of a patch that is `context` dice wide, with random rotation, scale and shift."""
        rng, side = self.rng, self.size / self.margin
        turn: Float = cv2.getRotationMatrix2D((PATCH / 2, PATCH / 2), float(rng.uniform(0, 360)), 1.0)
        turn *= side / (PATCH / context) * float(np.exp(rng.normal(0, 0.15)))
        turn[:, :2] *= self._squeeze()
        turn[:, 2] += self.size / 2 - turn @ (PATCH / 2, PATCH / 2, 1) + rng.normal(0, 0.07 * side, 2)
        return cv2.warpAffine(patch, turn, (self.size, self.size), borderMode=cv2.BORDER_REFLECT_101)

    def label(self, face: int) -> int:
        """The class of a die that shows this face."""
        return face - 1

    def sample(self) -> tuple[Image, int]:
        """The next crop, (size, size, 3) uint8 BGR, and its class; the last class is "no die"."""
        rng, cutouts = self.rng, self.cutouts
        chance, off = rng.random(), min(abs(float(rng.normal(0, 0.07))), 0.25)
        if chance < self.none:
            crop, label = self._no_die(), len(self.names) - 1
        else:
            pick = int(np.searchsorted(self.weights, rng.random()))
            matrix, label = self._transform(pick, off=off), self.label(int(cutouts.faces[pick]))
            drawn = str(cutouts.sets[pick]).startswith("drawn")  # synthetic dice have no background yet
            if drawn or (cutouts.whole[pick] and rng.random() < self.laid):
                crop = self._backdrop()
                self._beside(crop, 0.4)
                self._paste(crop, pick, matrix)
            else:
                patch = np.asarray(cutouts.patches[pick])
                crop = cv2.warpAffine(patch, matrix, (self.size, self.size), borderMode=cv2.BORDER_REFLECT_101)
        crop = gloss(relight(recolour(crop, rng, strength=0.7), rng), rng)
        return degrade(crop, rng, largest_blur=self.blur), label

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        crop, label = self.sample()
        return torch.from_numpy(np.ascontiguousarray(crop[..., ::-1].transpose(2, 0, 1))), label
