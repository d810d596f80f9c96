"""Finds dice of a clip that no still image of their table shows legibly, so that a composed film asks nothing
impossible: dice that leave the image, and faces that light and lens wipe out."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.clip import frames_at
from scripts.clip_parts.lens import Lens
from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.scenes import ClipScene
from scripts.clip_parts.scored import due_windows
from scripts.clip_parts.smear import corners_of_opaque
from scripts.clip_parts.stock import Float
from tests.kit.evaluation.scoring import ASK
from vision.dice.detector import Detector


def illegible(scene: ClipScene, kind: str, chance: Generator, detector: Detector) -> list[int]:
    """Values of the dice that a due reading includes but no still shows legibly.

    Each table is taken at the beginning, middle and end of its window by the clip's camera, without noise and
    compression. The reader gets the true box, so dice that are hard to find stay in the clip.

    Args:
        chance: The generator that will compose the clip; it is not advanced.
    """
    play, camera = scene.play, replace(scene.camera, grain=0.0)
    lens = Lens(camera, scene.margin, deepcopy(chance))
    times = list(play.frame_times(camera.rate))
    missed: list[int] = []
    for first, last in due_windows(kind, [play.moment(t) for t in times], camera.rate):
        shown = [times[first], times[(first + last) // 2], times[last]]
        dice = [die for die in play.dice if die.value and die.top and die.leg(shown[0]).kind == "resting"]
        if not dice:
            continue
        right = np.zeros(len(dice), np.bool_)
        for t, image in zip(shown, frames_at(shown, play, scene.ground, lens, scene.margin), strict=True):
            boxes = np.array([_box(scene, die, lens, t) for die in dice], np.float32)
            inside = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= camera.size).all(axis=1)
            faces = detector.read(image, boxes, thorough=True).probabilities
            right |= inside & (faces[range(len(dice)), [die.value - 1 for die in dice]] >= ASK)
        missed += [die.value for die, legible in zip(dice, right, strict=True) if not legible]
    return missed


def _box(scene: ClipScene, die: ClipDie, lens: Lens, t: float) -> Float:
    """(4,) the box of a resting die in the image at time t, pixels."""
    ((sprite, pose),) = scene.play.shots(die, t)
    corners = cv2.perspectiveTransform(corners_of_opaque(sprite, pose)[None], lens.moved(t))[0]
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])
