"""What the motion gate would say of a frame nobody has drawn: hand, shadow and dice as masks of its small picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scripts.simulation.dice import Array
from scripts.simulation.scene import Scene
from scripts.simulation.setting import Setting
from scripts.simulation.truth import Truth
from vision.tracking.motion import LAG_SECONDS, RESTLESS_SECONDS, WIDTH, told_apart
from vision.tracking.motion import Scene as Motions
from vision.tracking.regions import Mask, regions
from vision.types import Box

# The hand's reach seen from the palm, mm: fingertips, sides, wrist, and the arm up to where it leaves the picture.
HAND = np.array([(x, y, z) for x in (-58, 45) for y in (-60, 95) for z in (-25, 20)], float)
ARM = np.array([(x, y, 30.0) for y in range(-60, -540, -40) for x in (-32, 32)])
NEAR = 60.0  # mm from the camera: of an arm that reaches past it no more is seen
STILL = 0.02  # die widths from frame to frame: less is no motion
ABSORBED_SECONDS = 2.5  # so long after it came to lie there a die belongs to the table


class Stirring:
    """Follows one table, frame by frame."""

    def __init__(self, table: Setting) -> None:
        self._camera, self._lamp = table.camera, table.light.towards
        self._scale = self._camera.width / WIDTH
        self._shape = round(self._camera.height / self._scale), WIDTH
        self._moved: deque[tuple[float, Mask]] = deque()  # seconds, what moved then: lately
        self._boxes: dict[int, Box] = {}  # of the dice, a frame ago
        self._came: dict[int, float] = {}  # seconds when each last moved
        self._covered = np.zeros(self._shape, np.bool_)  # by a hand and its shadow, a frame ago

    def limbs(self, scene: Scene, shadows: bool = False) -> list[Array]:
        """Outlines of hand and arm in the picture, or of the shadows they throw, (n, 2) pixels each."""
        if scene.hand is None or scene.hand.at is None:
            return []
        limbs = []
        for points in (HAND, ARM):
            placed = points @ scene.hand.turn.T + scene.hand.at
            if shadows:
                placed = placed - placed[:, 2:] / self._lamp[2] * self._lamp
            before = (self._camera.position - placed) @ self._camera.axes[2] > NEAR
            seen = self._camera.project(placed[before])
            if len(seen) > 2:
                limbs.append(cv2.convexHull(seen.astype(np.float32))[:, 0])
        return limbs

    def step(self, scene: Scene, limbs: Sequence[Array], truth: Truth) -> tuple[Motions, dict[int, float]]:
        """What would be seen to move, and by dice number how far each has moved since the last frame (die widths).

        limbs: of this scene.
        """
        moved, lying, steps = self._dice(truth)
        covered = self._filled([*limbs, *self.limbs(scene, shadows=True)])
        if truth.moving:
            moved |= covered | self._covered
        self._covered = covered
        while self._moved and self._moved[0][0] < truth.seconds - RESTLESS_SECONDS:
            self._moved.popleft()
        self._moved.append((truth.seconds, moved))
        restless = np.any([mask for _, mask in self._moved], axis=0)
        lately = np.any([mask for at, mask in self._moved if at >= truth.seconds - LAG_SECONDS], axis=0)
        widths = [box[2] - box[0] for box in self._boxes.values()]
        die = float(np.median(widths)) / self._scale if widths else 0.0
        strip, hand = told_apart(moved.size, die)
        hands = regions(covered | lying, self._scale, hand, strip, restless)
        return Motions(regions(lately, self._scale, 2.0, strip), hands, truth.moving), steps

    def _dice(self, truth: Truth) -> tuple[Mask, Mask, dict[int, float]]:
        """Where dice moved, where dice lie that are new to the table, and how far each moved."""
        moved, lying = np.zeros(self._shape, np.bool_), np.zeros(self._shape, np.bool_)
        steps: dict[int, float] = {}
        boxes: dict[int, Box] = {}
        for die in truth.dice:
            old = self._boxes.get(die.number)
            if die.xyxy is not None:
                boxes[die.number] = die.xyxy
                width = die.xyxy[2] - die.xyxy[0]
                far = np.inf if old is None else float(np.abs(np.subtract(die.xyxy, old)).max()) / width
                steps[die.number] = far
                if far > STILL:
                    self._came[die.number] = truth.seconds
                if truth.seconds - self._came[die.number] < ABSORBED_SECONDS:
                    lying[self._within(die.xyxy)] = True
            if (die.xyxy is None) != (old is None) or steps.get(die.number, 0.0) > STILL:
                for box in (die.xyxy, old):
                    if box is not None:
                        moved[self._within(box)] = True
        self._boxes = boxes
        return moved, lying, steps

    def _within(self, box: Box) -> tuple[slice, slice]:
        """The small pixels of a box."""
        left, top, right, low = (max(0, round(side / self._scale)) for side in box)
        return slice(top, low), slice(left, right)

    def _filled(self, outlines: Sequence[Array]) -> Mask:
        mask: npt.NDArray[np.uint8] = np.zeros(self._shape, np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(mask, np.round(outline / self._scale).astype(np.int32), 1)
        return mask.astype(np.bool_)
