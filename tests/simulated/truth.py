"""What is true of a frame: every die, its place, value and box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from tests.simulated.dice import Array, Look, mesh
from tests.simulated.film import Die, Place, Scene
from tests.simulated.setting import Setting


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die of a frame. value: top face, None while it flies, is turned or leans; xyxy: the whole die in pixels.

    top: the four corners of its upper side in pixels (of a die that lies flat). In hand or gone there is no box.
    """

    number: int
    place: Place
    value: int | None
    xyxy: tuple[float, float, float, float] | None
    top: tuple[tuple[float, float], ...] | None


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of one frame.

    moving: a die, the hand or the camera moved since the last frame; hand: a hand is about. throws: so far.
    done: record lines that have just come true; entered: lines a person enters now.
    """

    dice: tuple[TrueDie, ...]
    moving: bool
    hand: bool
    throws: int
    frame: int
    seconds: float
    done: tuple[str, ...]
    entered: tuple[str, ...]

    def values(self, place: Place) -> tuple[int, ...]:
        """Sorted values lying there; a leaning die is left out."""
        return tuple(sorted(die.value for die in self.dice if die.place is place and die.value is not None))


def truth_of(scene: Scene, table: Setting, moving: bool, number: int, seconds: float) -> Truth:
    """The truth of a frame."""
    dice = tuple(_true_die(die, scene, table) for die in scene.dice)
    present = scene.hand is not None and scene.hand.at is not None
    return Truth(dice, moving, present, scene.throws, number, seconds, tuple(scene.done), tuple(scene.entered))


def _true_die(die: Die, scene: Scene, table: Setting) -> TrueDie:
    if die.place in (Place.HAND, Place.GONE):
        return TrueDie(die.number, die.place, None, None, None)
    half = table.look.size / 2
    at = scene.camera.project(_outline(table.look) * half @ die.rotation.T + die.position)
    left, top = at.min(axis=0)
    right, low = at.max(axis=0)
    up = die.rotation[2].round().astype(float)  # which of its own axes points up
    sides = [axis for axis in np.eye(3) if abs(axis @ up) < 0.5]
    upper = None
    if not die.cocked and die.value is not None and len(sides) == 2:
        a, b = sides
        corners = [up + s * a + t * b for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        upper = tuple(
            (float(x), float(y))
            for x, y in scene.camera.project(np.array(corners) * half @ die.rotation.T + die.position)
        )
    return TrueDie(die.number, die.place, die.value, (float(left), float(top), float(right), float(low)), upper)


@cache
def _outline(look: Look) -> Array:
    """(n, 3) points of the die's skin, edge 2: enough for its box."""
    return mesh(look, 3)[0]
