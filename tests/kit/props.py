"""Everything around the dice as data: the light, and objects that are drawn with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.kit.dice import Array, DieLook, Picture


@dataclass(frozen=True, slots=True)
class Light:
    """The light: azimuth and height of the lamp in degrees, its angular size, and fill light."""

    azimuth: float = 40.0
    height: float = 55.0
    size: float = 0.12
    key: float = 0.55
    fill: float = 0.35
    ambient: float = 0.1

    @property
    def towards(self) -> Array:
        """Unit vector from the table to the lamp."""
        azimuth, height = np.radians([self.azimuth, self.height])
        return np.array([np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)])


@dataclass(frozen=True, slots=True, eq=False)
class Prop:
    """Any other object on the table: a box, cylinder, capsule or ellipsoid, half sizes in mm, rgba 0..1 or printed.

    Attributes:
        group: 0 for a fixed object; each other group moves as one body by `Stage.place_group`.
    """

    kind: str
    size: tuple[float, ...]
    position: tuple[float, float, float]
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    rgba: tuple[float, float, float, float] = (0.5, 0.5, 0.5, 1.0)
    shine: float = 0.2
    group: int = 0
    print: Picture | None = None
    look: DieLook | None = None  # a die that does not count, such as one with numerals
