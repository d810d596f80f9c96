"""Whether the camera hunts for its focus: what lies there is still to be seen, but too blurred to be read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median

from vision.tracking.boxes import touch
from vision.tracking.constants import HUNTING_SECONDS, OUT_OF_FOCUS, REST_SECONDS
from vision.tracking.likeness import Portrait
from vision.tracking.tracked_die import TrackedDie
from vision.types import Box, Image


class Focus:
    """Compares the places of dice that lay still with how they looked, look by look.

    hunting: the newest picture is out of focus; unproven: dice of which it proves nothing, neither that they are gone
    nor, while it hunts, what they show.
    """

    def __init__(self) -> None:
        self.hunting = False
        self.unproven: list[TrackedDie] = []
        self._sharp = -math.inf  # seconds when the picture was in focus last …
        self._soft = -math.inf  # … and when it was not

    def step(self, image: Image, dice: Sequence[TrackedDie], hands: Sequence[Box], seconds: float) -> None:
        """The picture of the next look, before anything is read in it. While it hunts all is believed to be as it was,
        but what hands cover; not if that goes on: then the camera sees no better, and so the dice look."""
        blurs = {die: die.blur_in(image) for die in dice}
        open_ = {die for die in dice if not any(touch(die.box, hand) for hand in hands)}
        self._soft = seconds if _soft({die: blur for die, blur in blurs.items() if die in open_}) else self._soft
        self.hunting = bool(blurs) and 0 <= seconds - self._soft < REST_SECONDS
        if not self.hunting:
            self._sharp = seconds
        elif not 0 <= seconds - self._sharp < HUNTING_SECONDS:
            self.hunting, self._sharp, blurs = False, seconds, {}
            for die in dice:
                die.portrait = None
        self.unproven = [die for die, blur in blurs.items() if blur or (self.hunting and die in open_)]

    @staticmethod
    def in_place(image: Image, dice: Sequence[TrackedDie]) -> bool:
        """Whether most of these whose looks are known are seen where they lay, in focus or not: the camera has not
        moved."""
        return bool(_alike({die: die.blur_in(image) for die in dice}))

    def remember(self, image: Image, dice: Sequence[TrackedDie], seconds: float) -> None:
        """How the dice look that lie still and were just seen, if the picture is in focus."""
        for die in dice if not self.hunting else ():
            seen = not die.missed and die.believed and die.at_rest(seconds)
            if seen and not (die.portrait and die.is_at(die.portrait.box)):
                die.portrait = Portrait.of(image, die.box)


def _soft(blurs: Mapping[TrackedDie, float | None]) -> bool:
    """Whether most dice whose looks are known are seen where they lay, but blurred."""
    alike = _alike(blurs)
    return bool(alike) and median(alike) >= OUT_OF_FOCUS


def _alike(blurs: Mapping[TrackedDie, float | None]) -> list[float]:
    """How blurred those are that are seen where they lay, if they are most of the dice whose looks are known."""
    alike = [blur for blur in blurs.values() if blur is not None]
    known = sum(die.portrait is not None for die in blurs)
    return alike if 2 * len(alike) > known else []
