"""A hand that comes from a player's side, carries dice under its fingers and leaves."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array

FAR = 430.0  # mm between the hand at work and its waiting position outside the image
PINCH = np.array([-4.0, 64.0, -30.0])  # mm from the palm to a die held between thumb and fingers
SIDES = {"A": -100.0, "B": -62.0, "C": 0.0, "D": 90.0, "E": 180.0}  # degrees: direction of each seat's arm

# Corners of hand and arm in mm from the palm: fingertips, sides, wrist; the arm reaches beyond the image.
HAND = np.array([(x, y, z) for x in (-58, 45) for y in (-60, 95) for z in (-25, 20)], float)
ARM = np.array([(x, y, 30.0) for y in range(-60, -540, -40) for x in (-32, 32)])
NEAR = 60.0  # mm from the camera; nearer parts of an arm are not drawn


def yaw(degrees: float) -> Array:
    """The (3, 3) rotation about the vertical axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


class Hand:
    """A hand: its position `at` (None: outside the image) and the dice it holds."""

    def __init__(self, seat: str) -> None:
        self.side = SIDES[seat]
        self.at: Array | None = None
        self.held: dict[int, Array] = {}  # die → its position relative to the palm

    @property
    def turn(self) -> Array:
        """The hand's (3, 3) rotation, with the fingers pointing away from the player."""
        return yaw(self.side + 90)

    @property
    def towards(self) -> Array:
        """Unit vector on the table from its middle to the player."""
        return np.array([np.cos(np.radians(self.side)), np.sin(np.radians(self.side)), 0.0])

    def away(self, over: Array) -> Array:
        """The waiting position outside the image, before and after the hand works at this place."""
        return np.array([over[0], over[1], 0.0]) + FAR * self.towards + np.array([0, 0, 110.0])

    def above(self, place: Array, grip: Array = PINCH, lift: float = 0.0) -> Array:
        """The position of the palm when the held die is at this place."""
        return np.asarray(place) - self.turn @ grip + np.array([0, 0, lift])

    def carried(self, die: int) -> Array:
        """The position of a held die."""
        assert self.at is not None
        return self.at + self.turn @ self.held[die]


def smooth(share: float) -> float:
    """Maps 0..1 to 0..1, slow at both ends like a moving hand."""
    return share * share * (3 - 2 * share)


def outlines(hand: Hand | None, camera: Camera, lamp: Array | None = None) -> list[Array]:
    """Outlines of hand and arm in the image, (n, 2) pixels each. With `lamp`, the outlines of their shadows."""
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
    """The convex hull of (n, 3) points in the image, (m, 2) pixels; none if the camera sees fewer than three."""
    seen = camera.project(points[(camera.position - points) @ camera.axes[2] > NEAR])
    return [cv2.convexHull(seen.astype(np.float32))[:, 0]] if len(seen) > 2 else []


def in_picture(limbs: Sequence[Array], camera: Camera) -> bool:
    """Whether a bounding box of the outlines overlaps the image."""
    sides = [(*limb.min(axis=0), *limb.max(axis=0)) for limb in limbs]
    width, height = camera.width, camera.height
    return any(right >= 0 and left <= width and low >= 0 and top <= height for left, top, right, low in sides)


def covers(limbs: Sequence[Array], x: float, y: float) -> bool:
    """Whether one of the outlines contains this pixel."""
    return any(cv2.pointPolygonTest(limb, (x, y), False) >= 0 for limb in limbs)
