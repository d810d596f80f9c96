"""Lessons in telling dice from printed ones: a die with what lies around it, so wide that a card is seen as one.

A look as the readers have it ends at the die's edge, where a white die seen from straight above and a printed square
are the same. Dice of every kind are shown on every kind of ground, cards among them, and printed dice likewise: only
what is die and what is ink tells them apart, not where the picture comes from.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from .backdrops import real_backdrop
from .crops import Looks
from .cutouts import CONTEXT, PATCH, Cutouts
from .drawn_others import printed_die
from .photos import FROM_ABOVE, Image, Photo


class Surroundings(Looks):
    """`count` looks an epoch: (3, 64, 64) uint8 RGB, 2.2 dice wide; classes: a die lies in the middle (0), or none (1).

    mistakes: patches of what is none.
    """

    size, margin = 64, CONTEXT
    names = ("die", "none")
    none, laid, blur = 0.45, 0.35, 1.6

    def __init__(
        self, photos: Sequence[Photo], cutouts: Cutouts, mistakes: Image | None, *, count: int, seed: int
    ) -> None:
        super().__init__(photos, cutouts, mistakes, count=count, seed=seed)
        # From above a die shows least of what a print lacks: these are to be learnt best.
        share = np.diff(self.weights, prepend=0) * np.where(np.isin(cutouts.sets, [*FROM_ABOVE]), 2, 1)
        self.weights = np.cumsum(share / share.sum())

    def label(self, face: int) -> int:
        """A die, whatever it shows."""
        return 0

    def _backdrop(self) -> Image:
        """What a die lies on: a table, or a card with dice printed on it."""
        if self.rng.random() < 0.4:
            return cv2.resize(self._printed(), (self.size, self.size), interpolation=cv2.INTER_AREA)
        return super()._backdrop()

    def _printed(self) -> Image:
        """A printed die on a card of its own or on what some photo shows, (160, 160, 3)."""
        rng = self.rng
        if self.mistakes is not None and rng.random() < 0.5:
            patch = np.asarray(self.mistakes[int(rng.integers(len(self.mistakes)))])
        else:
            patch = printed_die(rng, real_backdrop(self.photos, 2 * PATCH, rng))
        if rng.random() < 0.6:  # drawings are sharper than most photos of dice, which must not tell them
            patch = cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.5, 3)))
        return patch

    def _no_die(self) -> Image:
        """A printed die, or something else that is none; now and then dice lie beside it."""
        look = self._turned(self._printed())
        self._beside(look, 0.25)
        return look
