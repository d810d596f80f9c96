"""Lessons in telling dice from printed ones: a die with what lies around it, so wide that a card is seen as one.

A look as the readers have it ends at the die's edge, where a white die seen from straight above and a printed square
are the same. Dice of every kind are shown on every kind of ground, cards among them, and printed dice likewise: only
what is die and what is ink tells them apart, not where the picture comes from.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from .backdrops import drawn_backdrop, real_backdrop
from .crops import Looks
from .cutouts import CONTEXT, PATCH, Cutouts
from .drawn_others import printed_die
from .photometry import degrade, recolour, relight
from .photos import FROM_ABOVE, Image, Photo

DIE, NONE = 0, 1


class Surroundings(Looks):
    """`count` looks an epoch: (3, 64, 64) uint8 RGB, 2.2 dice wide; classes: a die lies in the middle (0), or none (1).

    mistakes: patches of what is none.
    """

    size, margin = 64, CONTEXT
    names = ("die", "none")

    def __init__(
        self, photos: Sequence[Photo], cutouts: Cutouts, mistakes: Image | None, *, count: int, seed: int
    ) -> None:
        super().__init__(photos, cutouts, mistakes, count=count, seed=seed)
        # From above a die shows least of what a print lacks: these are to be learnt best.
        share = np.diff(self.weights, prepend=0) * np.where(np.isin(cutouts.sets, [*FROM_ABOVE]), 2, 1)
        self.weights = np.cumsum(share / share.sum())

    def _ground(self) -> Image:
        """What a die lies on: a table, or a card with dice printed on it."""
        if self.rng.random() < 0.4:
            return cv2.resize(self._printed(), (self.size, self.size), interpolation=cv2.INTER_AREA)
        if self.rng.random() < 0.6:
            return real_backdrop(self.photos, self.size, self.rng)
        return drawn_backdrop(self.size, self.rng)

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

    def _die(self, off: float) -> Image:
        """A die where it lay, or laid on another ground."""
        rng, cutouts = self.rng, self.cutouts
        pick = int(np.searchsorted(self.weights, rng.random()))
        matrix = self._transform(pick, off=off)
        if str(cutouts.sets[pick]).startswith("drawn") or (cutouts.whole[pick] and rng.random() < 0.35):
            look = self._ground()
            self._beside(look, 0.4)
            self._lay(look, pick, matrix)
            return look
        return cv2.warpAffine(
            np.asarray(cutouts.patches[pick]), matrix, (self.size,) * 2, borderMode=cv2.BORDER_REFLECT_101
        )

    def _no_die(self) -> Image:
        """A printed die, or something else that is none, turned anyhow; now and then dice lie beside it."""
        rng, side = self.rng, self.size / self.margin
        turn = cv2.getRotationMatrix2D((PATCH / 2, PATCH / 2), float(rng.uniform(0, 360)), 1.0)
        turn *= side / (PATCH / CONTEXT) * float(np.exp(rng.normal(0, 0.12)))
        turn[:, 2] += self.size / 2 - turn @ (PATCH / 2, PATCH / 2, 1) + rng.normal(0, 0.07 * side, 2)
        look = cv2.warpAffine(self._printed(), turn, (self.size,) * 2, borderMode=cv2.BORDER_REFLECT_101)
        self._beside(look, 0.25)
        return look

    def look(self) -> tuple[Image, int]:
        """The next look: (64, 64, 3) uint8 BGR and its class."""
        rng = self.rng
        die = rng.random() < 0.55
        look = self._die(min(abs(float(rng.normal(0, 0.07))), 0.25)) if die else self._no_die()
        return degrade(relight(recolour(look, rng, strength=0.7), rng), rng, largest_blur=1.6), DIE if die else NONE
