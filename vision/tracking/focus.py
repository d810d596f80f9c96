"""Detects that the camera hunts for its focus: dice are visible, but too blurred to be read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median_low

from vision.boxes import touch
from vision.tracking.constants import HUNTING_SECONDS, OUT_OF_FOCUS, REST_SECONDS
from vision.tracking.likeness import Template
from vision.tracking.tracked_die import TrackedDie
from vision.types import Box, Image


class Focus:
    """Compares resting dice with their templates in each frame.

    Attributes:
        hunting: The newest frame is out of focus.
        unproven: Dice that the frame neither confirms nor refutes.
    """

    def __init__(self) -> None:
        self.hunting = False
        self.unproven: list[TrackedDie] = []
        self._sharp = -math.inf  # seconds when the frame was last in focus
        self._soft = -math.inf  # seconds when it was last out of focus

    def step(self, image: Image, dice: Sequence[TrackedDie], hands: Sequence[Box], seconds: float) -> None:
        """Checks the next frame before anything is read in it.

        While the camera hunts for focus, dice that no hand covers are assumed unchanged. If the blur lasts longer than
        HUNTING_SECONDS, it counts as normal for this camera.
        """
        blurs = {die: die.blur_in(image) for die in dice}
        open_ = {die for die in dice if not any(touch(die.box, hand) for hand in hands)}
        self._soft = seconds if _soft({die: blur for die, blur in blurs.items() if die in open_}) else self._soft
        self.hunting = bool(blurs) and 0 <= seconds - self._soft < REST_SECONDS
        if not self.hunting:
            self._sharp = seconds
        elif not 0 <= seconds - self._sharp < HUNTING_SECONDS:
            self.hunting, self._sharp, blurs = False, seconds, {}
            for die in dice:
                die.template = None
        self.unproven = [die for die, blur in blurs.items() if blur or (self.hunting and die in open_)]

    @staticmethod
    def in_place(image: Image, dice: Sequence[TrackedDie]) -> bool:
        """Whether most dice with a template are seen in their places, sharp or blurred, so the camera has not moved."""
        return bool(_alike({die: die.blur_in(image) for die in dice}))

    def remember(self, image: Image, dice: Sequence[TrackedDie], seconds: float) -> None:
        """Takes templates of the dice at rest that the latest pass found, if the frame is in focus."""
        for die in dice if not self.hunting else ():
            seen = not die.missed and die.believed and die.at_rest(seconds)
            if seen and not (die.template and die.is_at(die.template.box)):
                die.template = Template.of(image, die.box)


def _soft(blurs: Mapping[TrackedDie, float | None]) -> bool:
    """Whether most dice with a template are seen in place, and most of these blurred. An empty place may look like a
    blurred die, but only a frame in focus shows a die sharp."""
    alike = _alike(blurs)
    return bool(alike) and median_low(alike) >= OUT_OF_FOCUS


def _alike(blurs: Mapping[TrackedDie, float | None]) -> list[float]:
    """The blur of the dice seen in place, if they are most of the dice with a template."""
    alike = [blur for blur in blurs.values() if blur is not None]
    known = sum(die.template is not None for die in blurs)
    return alike if 2 * len(alike) > known else []
