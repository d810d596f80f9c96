"""The parts of a clip: dice with the legs of their paths, and the ground truth at one time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scripts.clip_parts.smear import Pose
from scripts.clip_parts.stock import Sprite

RestKind = Literal["away", "rolling", "lying", "carried"]


@dataclass(frozen=True, slots=True)
class Leg:
    """One part of a die's path.

    Attributes:
        begin: Seconds at which it starts.
        kind: Away, rolling (until `end`), resting or carried.
        x, y: The destination in pixels.
        slowing: A larger value makes the die slower at the end of its roll.
        slides: The die is pushed and keeps its face.
        in_hand: The die rests on the open hand.
    """

    begin: float
    kind: RestKind
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    end: float = 0.0
    x0: float = 0.0
    y0: float = 0.0
    spin: float = 0.0
    slowing: float = 1.8
    slides: bool = False
    in_hand: bool = False

    def rolled(self, t: float) -> Pose:
        """The pose of a rolling die at this time."""
        part = min(1.0, max(0.0, (t - self.begin) / (self.end - self.begin)))
        left = (1 - part) ** self.slowing
        x, y = self.x + (self.x0 - self.x) * left, self.y + (self.y0 - self.y) * left
        return Pose(x, y, self.turn + self.spin * left)


@dataclass(slots=True, eq=False)
class Die:
    """A die of the clip, or another object.

    Attributes:
        value: Its face; 0 for another object.
        top: Its image at rest; None for a die on a whole photo.
        faces: Images of other faces while it rolls.
        reach: Die widths by which an object is larger than a die, in every direction.
    """

    value: int
    top: Sprite | None
    faces: Sequence[Sprite] = ()
    turns: float = 12.0  # largest rotation in degrees
    legs: list[Leg] = field(default_factory=lambda: [Leg(-1.0, "away")])
    kept: bool = False
    reach: float = 0.0

    def leg(self, t: float) -> Leg:
        """The leg at this time."""
        return [leg for leg in self.legs if leg.begin <= t][-1]


@dataclass(frozen=True, slots=True)
class Moment:
    """The ground truth at one time: resting values, rolls so far, motion ("still", "moving", "hand", "covered")."""

    values: tuple[int, ...]
    throws: int
    state: str
