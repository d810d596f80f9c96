"""A pinhole camera over the table: maps points in mm to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tests.kit.dice import Array


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at a point of the table.

    Attributes:
        target: Point in mm.
        distance: mm.
        slant: Degrees from vertical.
        azimuth, roll: Degrees.
        fovy: Vertical field of view in degrees.
        width, height: Pixels.
    """

    width: int = 640
    height: int = 480
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 450.0
    slant: float = 25.0
    azimuth: float = 0.0
    roll: float = 0.0
    fovy: float = 45.0

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.height / 2 / float(np.tan(np.radians(self.fovy) / 2))

    @property
    def axes(self) -> Array:
        """(3, 3) rows: right, up and back of the camera in the world."""
        return _axes(self.slant, self.azimuth, self.roll)

    @property
    def position(self) -> Array:
        """(3,) mm."""
        return np.array(self.target) + self.distance * self.axes[2]

    def project(self, points: Array) -> Array:
        """(..., 3) mm to (..., 2) pixels, origin at the picture's top left corner."""
        seen = (np.asarray(points, float) - self.position) @ self.axes.T
        depth = np.maximum(-seen[..., 2:], 1e-6)
        return seen[..., :2] / depth * [self.focal, -self.focal] + [self.width / 2, self.height / 2]

    def on_table(self, x: float, y: float) -> tuple[float, float]:
        """The table point in mm at a pixel."""
        ray = np.array([(x - self.width / 2) / self.focal, -(y - self.height / 2) / self.focal, -1.0]) @ self.axes
        at = self.position - ray * self.position[2] / ray[2]
        return float(at[0]), float(at[1])


@lru_cache(maxsize=256)
def _axes(slant: float, azimuth: float, roll: float) -> Array:
    slant, azimuth, roll = (float(angle) for angle in np.radians([slant, azimuth, roll]))
    flat = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])  # from the target towards the camera, on the table
    back = np.sin(slant) * flat + np.cos(slant) * np.array([0.0, 0.0, 1.0])
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    up = np.cross(back, right)
    axes = np.array([np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right, back])
    axes.setflags(write=False)
    return axes
