"""Lessons in telling dice from printed ones: a die with what lies around it, near by and so wide that a card is seen.

A look as the readers have it ends at the die's edge, where a white die seen from straight above and a printed square
are the same. Dice of every kind are shown on every kind of ground, cards among them, and printed dice likewise: only
what is die and what is ink tells them apart, not where the picture comes from.
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

from .crops import Looks
from .mistakes import load_mistakes
from .photometry import degrade, recolour, relight


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """What lies around dice and around print: parts of (n, 160, 160, 3) pictures five dice wide.

    dice: of the cutouts, in their order; the cutouts that follow lie nowhere yet. print: found on rendered cards by a
    finder, and drawn.
    """

    dice: Sequence[Image]
    print: Sequence[Image]


def load_places(sources: Sequence[Sequence[Photo]], added: int, often: int, finder: Path | None, cache: Path) -> Places:
    """Of some sources of pictures. The last, so many of them, were added: they are taught so often, and what the finder
    finds there beside the dice is taken for print."""
    around = [load_wide(some, cache, WIDE) for some in sources]
    own = len(sources) - added
    found = [load_mistakes(some, finder, cache, WIDE) for some in sources[own:]] if finder else []
    photos = [photo for some in sources for photo in some]
    return Places([*around, *around[own:] * (often - 1)], [*found, load_printed_places(photos, cache)])


class Surroundings(Looks):
    """`count` lessons an epoch: (6, 64, 64) uint8 RGB, 2.2 dice wide and 4; classes: a die lies in the middle (0), or
    none (1)."""

    size, margin = PATCH, WIDE
    look_size = 64
    contexts = (2.2, 4.0)
    names = ("die", "none")
    none, laid, blur = 0.5, 0.35, 1.6
    squeezed = 0.0  # places are shown as they are, and so are dice

    def __init__(self, photos: Sequence[Photo], cutouts: Cutouts, places: Places, *, count: int, seed: int) -> None:
        super().__init__(photos, cutouts, None, count=count, seed=seed)
        self.places = places
        self.begins = np.cumsum([0, *map(len, places.dice)])
        self.numerals = np.flatnonzero(cutouts.sets == NUMERAL)
        self.whole = np.setdiff1d(self.whole, self.numerals)
        # From above a die shows least of what a print lacks: these are to be learnt best.
        share = np.diff(self.weights, prepend=0) * np.where(np.isin(cutouts.sets, [*FROM_ABOVE]), 2, 1)
        share[self.numerals] = 0
        self.weights = np.cumsum(share / share.sum())

    def look(self) -> tuple[Image, int]:
        """The next place, (160, 160, 3) uint8 BGR and five dice wide, and its class."""
        rng = self.rng
        none = rng.random() < self.none
        place = self._none() if none else self._die()
        return degrade(relight(recolour(place, rng, strength=0.7), rng), rng, largest_blur=self.blur), int(none)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        place, label = self.look()
        looks = [self._cut(place, context) for context in self.contexts]
        if self.rng.random() < 0.08:  # what lies around says much, but not all
            looks[1][:] = looks[1].mean(axis=(0, 1)).astype(np.uint8)
        both = np.concatenate([look[..., ::-1] for look in looks], axis=2)
        return torch.from_numpy(np.ascontiguousarray(both.transpose(2, 0, 1))), label

    def _cut(self, place: Image, context: float) -> Image:
        """The middle of a place, (64, 64, 3) and so many dice wide."""
        half = round(PATCH * context / WIDE / 2)
        inner = place[PATCH // 2 - half : PATCH // 2 + half, PATCH // 2 - half : PATCH // 2 + half]
        return np.asarray(cv2.resize(inner, (self.look_size, self.look_size), interpolation=cv2.INTER_AREA))

    def _die(self) -> Image:
        """A die where it was seen, or laid elsewhere."""
        rng, cutouts = self.rng, self.cutouts
        pick = int(np.searchsorted(self.weights, rng.random()))
        matrix = self._transform(pick, off=min(abs(float(rng.normal(0, 0.07))), 0.25))
        if pick >= self.begins[-1] or (cutouts.whole[pick] and rng.random() < self.laid):
            place = self._backdrop()
            self._scatter(place, 0.15)
            self._lay(place, pick, matrix)
            return place
        source = int(np.searchsorted(self.begins, pick, side="right")) - 1
        around = np.asarray(self.places.dice[source][pick - self.begins[source]])
        # That transform is for a patch 2.2 dice wide: the same die is smaller in this one.
        larger = WIDE / CONTEXT
        matrix = np.column_stack([larger * matrix[:, :2], matrix @ (*[PATCH / 2 * (1 - larger)] * 2, 1)])
        return cv2.warpAffine(around, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REFLECT_101)

    def _none(self) -> Image:
        """A printed die, or one with numerals; now and then dice lie beside it, larger or smaller than it."""
        rng = self.rng
        if rng.random() < 0.88:
            place = self._printed()
        else:
            place, pick = self._backdrop(), int(self.numerals[int(rng.integers(len(self.numerals)))])
            self._lay(place, pick, self._transform(pick, off=0.05))
        self._scatter(place, 0.5)
        return place

    def _backdrop(self) -> Image:
        """What a die lies on: a table, or a card with dice printed on it."""
        return self._printed() if self.rng.random() < 0.4 else super()._backdrop()

    def _printed(self) -> Image:
        """A printed die and what is around it, turned anyhow."""
        rng = self.rng
        pool = self.places.print[int(rng.integers(len(self.places.print)))]
        place = np.asarray(pool[int(rng.integers(len(pool)))])
        if rng.random() < 0.6:  # drawings are sharper than most photos of dice, which must not tell them
            place = cv2.GaussianBlur(place, (0, 0), float(rng.uniform(0.4, 1.5)))
        return self._turned(place, WIDE)

    def _scatter(self, place: Image, unlike: float) -> None:
        """Lays dice beside the middle; unlike: by how much their logarithmic sizes differ from what lies there."""
        while self.rng.random() < 0.4:
            other = int(self.whole[int(self.rng.integers(len(self.whole)))])
            larger = float(np.exp(self.rng.normal(0, unlike)).clip(0.4, 2.5))
            matrix = self._transform(other, off=float(self.rng.uniform(0.5, 2.2)) + 0.5 * max(1.0, larger))
            matrix[:, 2] += (1 - larger) * matrix[:, :2] @ (PATCH / 2, PATCH / 2)
            matrix[:, :2] *= larger
            self._lay(place, other, matrix)
