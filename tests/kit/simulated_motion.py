"""Simulates the motion detector for frames that are not rendered: masks of hand, shadow and dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.dice import Array
from tests.kit.hands import outline, outlines
from tests.kit.scene import Scene
from tests.kit.setting import Setting
from tests.kit.truth import FrameTruth
from vision.tracking.constants import LAG_SECONDS, RESTLESS_SECONDS, WIDTH
from vision.tracking.motion import Activity as Motions
from vision.tracking.regions import Mask, hand_limits, large, regions
from vision.types import Box

STILL = 0.02  # die widths per frame: less is no motion
ABSORBED_SECONDS = 2.5  # a die becomes part of the table model this long after it came to rest


class SimulatedMotion:
    """Simulates motion at one table, frame by frame."""

    def __init__(self, table: Setting) -> None:
        self._camera, self._lamp = table.camera, table.light.towards
        self._scale = self._camera.width / WIDTH
        self._shape = round(self._camera.height / self._scale), WIDTH
        self._moved: deque[tuple[float, Mask]] = deque()  # (seconds, moved pixels) of recent frames
        self._boxes: dict[int, Box] = {}  # boxes of the dice in the frame before
        self._came: dict[int, float] = {}  # die → seconds when it last moved
        self._covered = np.zeros(self._shape, np.bool_)  # pixels covered by a hand or its shadow in the frame before
        self._shaded = np.zeros(self._shape, np.bool_)  # pixels in a person's shadow, a frame before
        self._lost: dict[int, Box] = {}  # boxes of the dice in the last frame, if that was lost

    def limbs(self, scene: Scene, shadows: bool = False) -> list[Array]:
        """Outlines of hand and arm in the image, or of their shadows, (n, 2) pixels each."""
        return outlines(scene.hand, self._camera, self._lamp if shadows else None)

    def step(self, scene: Scene, limbs: Sequence[Array], truth: FrameTruth) -> tuple[Motions, dict[int, float]]:
        """The pixels seen to move, and by die number the distance since the last frame, even a lost one (die widths).

        Args:
            limbs: Outlines of this scene, as from `limbs`.
        """
        moved, resting, steps = self._dice(truth)
        covered = self._filled([*limbs, *self.limbs(scene, shadows=True)])
        if truth.moving:
            moved |= covered | self._covered
        self._covered = covered
        shaded = self._in_shade(scene)
        moved |= shaded ^ self._shaded  # only the edges of the shadow change
        stirs = truth.moving or bool((shaded ^ self._shaded).any())
        self._shaded = shaded
        while self._moved and self._moved[0][0] < truth.seconds - RESTLESS_SECONDS:
            self._moved.popleft()
        self._moved.append((truth.seconds, moved))
        restless = np.any([mask for _, mask in self._moved], axis=0)
        recent = np.any([mask for at, mask in self._moved if at >= truth.seconds - LAG_SECONDS], axis=0)
        widths = [box[2] - box[0] for box in self._boxes.values()]
        die = float(np.median(widths)) / self._scale if widths else 0.0
        strip, hand = hand_limits(moved.size, die)
        hands = regions(large(covered | shaded | resting, hand, restless), self._scale, 1.0, strip)
        return Motions(regions(recent, self._scale, 2.0, strip), hands, stirs), steps

    def lose(self, truth: FrameTruth) -> None:
        """Handles a lost frame: nothing is compared with it, but dice move on from their places in it."""
        self._lost = {die.number: die.xyxy for die in truth.dice if die.xyxy is not None}

    def _in_shade(self, scene: Scene) -> Mask:
        if scene.shade is None:
            return np.zeros(self._shape, np.bool_)
        return self._filled(outline(scene.shade.outline, self._camera))

    def _dice(self, truth: FrameTruth) -> tuple[Mask, Mask, dict[int, float]]:
        """Pixels of moving dice, pixels of resting dice that are new to the table, and how far each has moved."""
        moved, resting = np.zeros(self._shape, np.bool_), np.zeros(self._shape, np.bool_)
        steps: dict[int, float] = {}
        boxes: dict[int, Box] = {}
        for die in truth.dice:
            old = self._boxes.get(die.number)
            if die.xyxy is not None:
                boxes[die.number] = die.xyxy
                width = die.xyxy[2] - die.xyxy[0]
                far = _far(die.xyxy, old, width)
                steps[die.number] = _far(die.xyxy, self._lost.get(die.number), width) if self._lost else far
                if far > STILL:
                    self._came[die.number] = truth.seconds
                if truth.seconds - self._came[die.number] < ABSORBED_SECONDS:
                    resting[self._within(die.xyxy)] = True
            if (die.xyxy is None) != (old is None) or (die.xyxy is not None and far > STILL):
                for box in (die.xyxy, old):
                    if box is not None:
                        moved[self._within(box)] = True
        self._boxes, self._lost = boxes, {}
        return moved, resting, steps

    def _within(self, box: Box) -> tuple[slice, slice]:
        """The small pixels of a box."""
        left, top, right, low = (max(0, round(side / self._scale)) for side in box)
        return slice(top, low), slice(left, right)

    def _filled(self, outlines: Sequence[Array]) -> Mask:
        mask: npt.NDArray[np.uint8] = np.zeros(self._shape, np.uint8)
        for around in outlines:
            cv2.fillConvexPoly(mask, np.round(around / self._scale).astype(np.int32), 1)
        return mask.astype(np.bool_)


def _far(now: Box, before: Box | None, width: float) -> float:
    """Distance that a box has moved, in die widths."""
    return np.inf if before is None else float(np.abs(np.subtract(now, before)).max()) / width
