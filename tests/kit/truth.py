"""The truth of a frame: every die with its place, value and box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array, DieLook, mesh
from tests.kit.hands import covers, outlines
from tests.kit.scene import Place, Scene, TableDie
from tests.kit.setting import Setting


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die of a frame.

    Attributes:
        place: Where it is; in a hand or gone it has no box.
        value: Top face; None while it rolls, is turned or leans.
        xyxy: Box of the whole die, pixels.
        top: The four corners of the upper face of a flat die, pixels.
        covered: A hand or an arm is over its centre.
    """

    number: int
    place: Place
    value: int | None
    xyxy: tuple[float, float, float, float] | None
    top: tuple[tuple[float, float], ...] | None
    covered: bool = False


@dataclass(frozen=True, slots=True)
class FrameTruth:
    """The truth of one frame.

    Attributes:
        moving: A die, the hand or the camera has moved since the last frame.
        hand: A hand is at the table.
        rolls: Number of rolls so far.
        done: Record lines that have just become true.
        entered: Lines that a person enters now.
    """

    dice: tuple[TrueDie, ...]
    moving: bool
    hand: bool
    rolls: int
    frame: int
    seconds: float
    done: tuple[str, ...]
    entered: tuple[str, ...]

    def values(self, place: Place) -> tuple[int, ...]:
        """Sorted values at that place, without leaning dice."""
        return tuple(sorted(die.value for die in self.dice if die.place is place and die.value is not None))


def truth_of(scene: Scene, table: Setting, moving: bool, number: int, seconds: float) -> FrameTruth:
    """The truth of a frame."""
    limbs = outlines(scene.hand, scene.camera)
    dice = tuple(_true_die(die, scene.camera, table.look, limbs) for die in scene.dice)
    present = scene.hand is not None and scene.hand.at is not None
    return FrameTruth(dice, moving, present, scene.rolls, number, seconds, tuple(scene.done), tuple(scene.entered))


def _true_die(die: TableDie, camera: Camera, look: DieLook, limbs: Sequence[Array]) -> TrueDie:
    if die.place in (Place.HAND, Place.GONE):
        return TrueDie(die.number, die.place, None, None, None)
    flat = die.value is not None and not die.cocked
    xyxy, upper = _boxed(camera, look, die.position.tobytes(), die.rotation.tobytes(), flat)
    left, top, right, low = xyxy
    return TrueDie(die.number, die.place, die.value, xyxy, upper, covers(limbs, (left + right) / 2, (top + low) / 2))


@lru_cache(maxsize=64)
def _boxed(
    camera: Camera, look: DieLook, position: bytes, rotation: bytes, flat: bool
) -> tuple[tuple[float, float, float, float], tuple[tuple[float, float], ...] | None]:
    """The box of a die and its upper face. Cached for resting dice, because a film asks for the same ones in every
    frame."""
    at, turn, half = np.frombuffer(position), np.frombuffer(rotation).reshape(3, 3), look.size / 2
    points = camera.project(_outline(look) * half @ turn.T + at)
    (left, top), (right, low) = points.min(axis=0), points.max(axis=0)
    box = (float(left), float(top), float(right), float(low))
    if not flat:
        return box, None
    up = turn[2].round()  # the die's axis that points up
    a, b = (axis for axis in np.eye(3) if abs(axis @ up) < 0.5)
    corners = np.array([up + s * a + t * b for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    seen = camera.project(corners * half @ turn.T + at)
    return box, tuple((float(x), float(y)) for x, y in seen)


@cache
def _outline(look: DieLook) -> Array:
    """(n, 3) points on the surface of a die of edge 2, enough for its box."""
    return mesh(look, 3)[0]
