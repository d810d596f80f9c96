"""The state of the table at one moment of a film: dice, hands, shadows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array
from tests.kit.hands import Hand


class Place(StrEnum):
    """The place of a die: in play, set aside, in a hand, or gone (fallen off)."""

    ACTIVE = "active"
    KEPT = "kept"
    HAND = "in hand"
    GONE = "gone"


@dataclass(slots=True, eq=False)
class TableDie:
    """One die of the table. value: None while it flies or is turned."""

    number: int
    position: Array
    rotation: Array
    place: Place = Place.HAND
    value: int | None = None
    cocked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """The shadow of a person out of view. `outline`: (n, 3) mm on the table; `gain`: share of light that remains."""

    outline: Array
    gain: float


@dataclass(slots=True, eq=False)
class Scene:
    """The content of one frame for rendering and for the truth. The performer changes it and yields."""

    dice: list[TableDie]
    camera: Camera
    hand: Hand | None = None
    gain: float = 1.0
    shade: Shade | None = None
    rolls: int = 0
    done: list[str] = field(default_factory=list)  # record lines that became true since the last frame
    entered: list[str] = field(default_factory=list)  # lines that a person enters now

    @property
    def pose(self) -> tuple[Array, ...]:
        """Everything that affects the image: positions, rotations, the hand and the camera."""
        hand_at = np.full(3, 9e9) if self.hand is None or self.hand.at is None else self.hand.at
        positions = np.array([die.position for die in self.dice])
        rotations = np.array([die.rotation for die in self.dice])
        return positions, rotations, hand_at, np.array([*self.camera.target, self.camera.roll])
