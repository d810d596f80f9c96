"""What a clip is made of: dice with the legs of their way, and what is true at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scripts.clip_parts.smear import Pose
from scripts.clip_parts.stock import Sprite

RestKind = Literal["away", "rolling", "lying", "carried"]


@dataclass(frozen=True, slots=True)
class Leg:
    """One part of a die's way: from `begin` on it is away, rolling (until `end`, the more slowly at last the
    larger `slowing`), lying or carried; x, y: where to; slides: it is pushed and shows the same face all the way;
    in_hand: carried in the open hand, upon it."""

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
        """Where a rolling die is at that time."""
        part = min(1.0, max(0.0, (t - self.begin) / (self.end - self.begin)))
        left = (1 - part) ** self.slowing
        x, y = self.x + (self.x0 - self.x) * left, self.y + (self.y0 - self.y) * left
        return Pose(x, y, self.turn + self.spin * left)


@dataclass(slots=True, eq=False)
class Die:
    """A die of the clip: what it shows, its picture lying (none of a die on a photo), other faces as it rolls; or
    another thing, which shows 0. reach: die widths by which it is larger than a die, in every direction."""

    value: int
    top: Sprite | None
    faces: Sequence[Sprite] = ()
    turns: float = 12.0  # degrees it may be turned by
    legs: list[Leg] = field(default_factory=lambda: [Leg(-1.0, "away")])
    kept: bool = False
    reach: float = 0.0

    def leg(self, t: float) -> Leg:
        """What it does at that time."""
        return [leg for leg in self.legs if leg.begin <= t][-1]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is true at one time: values lying, throws so far, what goes on ("still", "moving", "hand", "covered")."""

    values: tuple[int, ...]
    throws: int
    state: str
