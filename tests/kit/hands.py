"""A hand that comes from a player's side, carries dice under its fingers and leaves."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array

FAR = 430.0  # mm from where it works to where it waits, out of the picture
PINCH = np.array([-4.0, 64.0, -30.0])  # where a die is held between thumb and fingers, seen from the palm
SIDES = {"A": -100.0, "B": -62.0, "C": 0.0, "D": 90.0, "E": 180.0}  # where each seat's arm comes from, degrees

# The hand's reach seen from the palm, mm: fingertips, sides, wrist, and the arm up to where it leaves the picture.
HAND = np.array([(x, y, z) for x in (-58, 45) for y in (-60, 95) for z in (-25, 20)], float)
ARM = np.array([(x, y, 30.0) for y in range(-60, -540, -40) for x in (-32, 32)])
NEAR = 60.0  # mm from the camera: of an arm that reaches past it no more is seen


def yaw(degrees: float) -> Array:
    """(3, 3) turn about the vertical."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


class Hand:
    """Where the hand is and what it holds. `at` None: out of the picture."""

    def __init__(self, seat: str) -> None:
        self.side = SIDES[seat]
        self.at: Array | None = None
        self.held: dict[int, Array] = {}  # die → where it is held, seen from the palm

    @property
    def turn(self) -> Array:
        """(3, 3) the hand's rotation: fingers away from the player."""
        return yaw(self.side + 90)

    @property
    def towards(self) -> Array:
        """Unit vector on the table from the middle to the player."""
        return np.array([np.cos(np.radians(self.side)), np.sin(np.radians(self.side)), 0.0])

    def away(self, over: Array) -> Array:
        """Where it waits before and after working at this place."""
        return np.array([over[0], over[1], 0.0]) + FAR * self.towards + np.array([0, 0, 110.0])

    def above(self, place: Array, grip: Array = PINCH, lift: float = 0.0) -> Array:
        """Where the palm must be to have the grip at this place."""
        return np.asarray(place) - self.turn @ grip + np.array([0, 0, lift])

    def carried(self, die: int) -> Array:
        """Where a held die is now."""
        assert self.at is not None
        return self.at + self.turn @ self.held[die]


def smooth(share: float) -> float:
    """0..1 to 0..1, slow at both ends as hands move."""
    return share * share * (3 - 2 * share)


def outlines(hand: Hand | None, camera: Camera, lamp: Array | None = None) -> list[Array]:
    """Outlines of hand and arm in the picture, (n, 2) pixels each; lamp: of the shadows they throw, away from there."""
    if hand is None or hand.at is None:
        return []
    limbs = []
    for points in (HAND, ARM):
        placed = points @ hand.turn.T + hand.at
        if lamp is not None:
            placed = placed - placed[:, 2:] / lamp[2] * lamp
        limbs += outline(placed, camera)
    return limbs


def outline(points: Array, camera: Camera) -> list[Array]:
    """The hull of points (n, 3) in the picture, (m, 2) pixels; none if fewer than three are before the camera."""
    seen = camera.project(points[(camera.position - points) @ camera.axes[2] > NEAR])
    return [cv2.convexHull(seen.astype(np.float32))[:, 0]] if len(seen) > 2 else []


def in_picture(limbs: Sequence[Array], camera: Camera) -> bool:
    """Whether a part of the outlines' bounding boxes is in the picture."""
    sides = [(*limb.min(axis=0), *limb.max(axis=0)) for limb in limbs]
    width, height = camera.width, camera.height
    return any(right >= 0 and left <= width and low >= 0 and top <= height for left, top, right, low in sides)


def covers(limbs: Sequence[Array], x: float, y: float) -> bool:
    """Whether one of the outlines holds this pixel."""
    return any(cv2.pointPolygonTest(limb, (x, y), False) >= 0 for limb in limbs)
