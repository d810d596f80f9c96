"""Training data for distinguishing dice from printed dice: a narrow and a wide crop of each.

The readers' crop ends at the die's edge, where a white die seen from straight above and a printed square are identical;
the wide crop shows a card around it. Real and printed dice are shown on the same kinds of backgrounds, cards included,
so that the network cannot use the source of an image as a cue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from tests.kit.drawn.cutouts import CONTEXT, PATCH, Cutouts, load_wide
from tests.kit.drawn.photos import FROM_ABOVE, Image, Photo
from tests.kit.drawn.places import NUMERAL, WIDE, load_printed_places

from .crops import DieCrops
from .mistakes import load_mistakes
from .photometry import degrade, recolour, relight


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """WideCrops of dice and of printed dice, in patches (n, 160, 160, 3) five dice wide.

    Attributes:
        dice: One per cutout, in their order; the synthetic cutouts after them have no surroundings.
        print: Found on rendered cards by a finder, and synthetic ones.
    """

    dice: Sequence[Image]
    print: Sequence[Image]


def load_places(sources: Sequence[Sequence[Photo]], added: int, often: int, finder: Path | None, cache: Path) -> Places:
    """The surroundings of the dice in several image sources.

    Args:
        sources: Labelled images by source; the last `added` of them were added later.
        added: Number of those sources.
        often: How often their dice are repeated.
        finder: Checkpoint whose false detections in those sources count as printed dice; None for none.
        cache: Folder of cached patches.
    """
    around = [load_wide(some, cache, WIDE) for some in sources]
    own = len(sources) - added
    found = [load_mistakes(some, finder, cache, WIDE) for some in sources[own:]] if finder else []
    photos = [photo for some in sources for photo in some]
    return Places([*around, *around[own:] * (often - 1)], [*found, load_printed_places(photos, cache)])


class WideCrops(DieCrops):
    """Dataset of `count` samples per epoch: (6, 64, 64) uint8 RGB, crops 2.2 and 4 dice wide; class 0: die, 1: none."""

    size, margin = PATCH, WIDE
    crop_size = 64
    contexts = (2.2, 4.0)
    names = ("die", "none")
    none, laid, blur = 0.5, 0.35, 1.6
    squeezed = 0.0  # no stretching, for dice and backgrounds alike

    def __init__(self, photos: Sequence[Photo], cutouts: Cutouts, places: Places, *, count: int, seed: int) -> None:
        super().__init__(photos, cutouts, None, count=count, seed=seed)
        self.places = places
        self.begins = np.cumsum([0, *map(len, places.dice)])
        self.numerals = np.flatnonzero(cutouts.sets == NUMERAL)
        self.whole = np.setdiff1d(self.whole, self.numerals)
        # Dice seen from above are the hardest to distinguish from print, so they are oversampled.
        share = np.diff(self.weights, prepend=0) * np.where(np.isin(cutouts.sets, [*FROM_ABOVE]), 2, 1)
        share[self.numerals] = 0
        self.weights = np.cumsum(share / share.sum())

    def sample(self) -> tuple[Image, int]:
        """The next patch, (160, 160, 3) uint8 BGR and five dice wide, and its class."""
        rng = self.rng
        none = rng.random() < self.none
        place = self._none() if none else self._die()
        return degrade(relight(recolour(place, rng, strength=0.7), rng), rng, largest_blur=self.blur), int(none)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        place, label = self.sample()
        crops = [self._cut(place, context) for context in self.contexts]
        if self.rng.random() < 0.08:  # the network must not rely on the surroundings alone
            crops[1][:] = crops[1].mean(axis=(0, 1)).astype(np.uint8)
        both = np.concatenate([crop[..., ::-1] for crop in crops], axis=2)
        return torch.from_numpy(np.ascontiguousarray(both.transpose(2, 0, 1))), label

    def _cut(self, place: Image, context: float) -> Image:
        """The centre of a patch, (64, 64, 3) and `context` dice wide."""
        half = round(PATCH * context / WIDE / 2)
        inner = place[PATCH // 2 - half : PATCH // 2 + half, PATCH // 2 - half : PATCH // 2 + half]
        return np.asarray(cv2.resize(inner, (self.crop_size, self.crop_size), interpolation=cv2.INTER_AREA))

    def _die(self) -> Image:
        """A die in its original surroundings, or pasted onto others."""
        rng, cutouts = self.rng, self.cutouts
        pick = int(np.searchsorted(self.weights, rng.random()))
        matrix = self._transform(pick, off=min(abs(float(rng.normal(0, 0.07))), 0.25))
        if pick >= self.begins[-1] or (cutouts.whole[pick] and rng.random() < self.laid):
            place = self._backdrop()
            self._scatter(place, 0.15)
            self._paste(place, pick, matrix)
            return place
        source = int(np.searchsorted(self.begins, pick, side="right")) - 1
        around = np.asarray(self.places.dice[source][pick - self.begins[source]])
        # The transform is for a patch 2.2 dice wide; the die is smaller in this wider one.
        larger = WIDE / CONTEXT
        matrix = np.column_stack([larger * matrix[:, :2], matrix @ (*[PATCH / 2 * (1 - larger)] * 2, 1)])
        return cv2.warpAffine(around, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REFLECT_101)

    def _none(self) -> Image:
        """A printed die or a die with numerals, sometimes with real dice of another size beside it."""
        rng = self.rng
        if rng.random() < 0.88:
            place = self._printed()
        else:
            place, pick = self._backdrop(), int(self.numerals[int(rng.integers(len(self.numerals)))])
            self._paste(place, pick, self._transform(pick, off=0.05))
        self._scatter(place, 0.5)
        return place

    def _backdrop(self) -> Image:
        """A background for a die: a table, or a card with printed dice."""
        return self._printed() if self.rng.random() < 0.4 else super()._backdrop()

    def _printed(self) -> Image:
        """A printed die with its surroundings, randomly rotated."""
        rng = self.rng
        pool = self.places.print[int(rng.integers(len(self.places.print)))]
        place = np.asarray(pool[int(rng.integers(len(pool)))])
        if rng.random() < 0.6:  # drawings are sharper than photos; sharpness must not be a cue
            place = cv2.GaussianBlur(place, (0, 0), float(rng.uniform(0.4, 1.5)))
        return self._turned(place, WIDE)

    def _scatter(self, place: Image, unlike: float) -> None:
        """Pastes dice beside the centre; unlike: difference of their logarithmic size from the object there."""
        while self.rng.random() < 0.4:
            other = int(self.whole[int(self.rng.integers(len(self.whole)))])
            larger = float(np.exp(self.rng.normal(0, unlike)).clip(0.4, 2.5))
            matrix = self._transform(other, off=float(self.rng.uniform(0.5, 2.2)) + 0.5 * max(1.0, larger))
            matrix[:, 2] += (1 - larger) * matrix[:, :2] @ (PATCH / 2, PATCH / 2)
            matrix[:, :2] *= larger
            self._paste(place, other, matrix)
