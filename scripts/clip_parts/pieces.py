"""Elements of a clip: dice with the segments of their path, and the ground truth at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scripts.clip_parts.smear import Pose
from scripts.clip_parts.stock import Sprite

LegKind = Literal["away", "rolling", "resting", "carried"]


@dataclass(frozen=True, slots=True)
class Leg:
    """One segment of a die's path.

    Attributes:
        begin: Seconds.
        kind: Away, rolling, resting or carried.
        x, y: Destination, pixels; for carried dice the offset from the hand, die widths.
        turn: Rotation at the destination, degrees.
        end: Seconds, of a roll.
        x0, y0: Start of a roll, pixels.
        spin: Rotation during a roll, degrees.
        slowing: Exponent of the deceleration.
        slides: The die is pushed and keeps its top face.
        in_hand: The die is carried visibly on an open hand.
    """

    begin: float
    kind: LegKind
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
        """The pose of a rolling die at time t, seconds."""
        part = min(1.0, max(0.0, (t - self.begin) / (self.end - self.begin)))
        left = (1 - part) ** self.slowing
        x, y = self.x + (self.x0 - self.x) * left, self.y + (self.y0 - self.y) * left
        return Pose(x, y, self.turn + self.spin * left)


@dataclass(slots=True, eq=False)
class ClipDie:
    """A die of the clip, or another object.

    Attributes:
        value: Its value; 0 for another object.
        top: Its appearance at rest, None for a die of a whole photo.
        faces: Other faces, shown while it rolls.
        turns: Maximum rotation, degrees.
        legs: The segments of its path.
        kept: Whether it has been set aside.
        reach: How much larger than a die it is on every side, die widths.
    """

    value: int
    top: Sprite | None
    faces: Sequence[Sprite] = ()
    turns: float = 12.0
    legs: list[Leg] = field(default_factory=lambda: [Leg(-1.0, "away")])
    kept: bool = False
    reach: float = 0.0

    def leg(self, t: float) -> Leg:
        """The segment of its path at time t, seconds."""
        return [leg for leg in self.legs if leg.begin <= t][-1]


@dataclass(frozen=True, slots=True)
class ClipMoment:
    """Ground truth at one moment.

    Attributes:
        values: Values of the resting dice, sorted.
        rolls: Number of rolls so far.
        state: "still", "moving", "hand" or "covered".
    """

    values: tuple[int, ...]
    rolls: int
    state: str
