"""The state of a clip at each moment: dice, hands and shadows, and the ground truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from scripts.clip_parts.hand import hand, shadow_of
from scripts.clip_parts.pieces import ClipDie, ClipMoment, Leg
from scripts.clip_parts.smear import Pose, Shot, covering
from scripts.clip_parts.stock import Sprite

TUMBLE = 0.9  # die widths that a rolling die travels per face


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A hand with its arm.

    Attributes:
        hand: Its sprite.
        shadow: Sprite of its shadow.
        side: Rotation in degrees; 0: the arm points to the lower edge.
        ways: Path of the fingertips: seconds, x and y in pixels.
    """

    hand: Sprite
    shadow: Sprite
    side: float
    ways: list[tuple[float, float, float]]


class ClipTimeline:
    """The timeline of a clip, which can be queried at any time. Lengths in pixels, `width` is that of a die."""

    def __init__(self, size: tuple[int, int], width: float, chance: Generator) -> None:
        self.size, self.width, self.chance = size, width, chance
        self.room = 0.0, 0.0, float(size[0]), float(size[1])  # left, top, right, bottom of the part where dice rest
        self.from_angles = 0.0, 2 * math.pi  # directions from which dice are rolled in; 0 is right, π/2 is down
        self.pace = 1.0  # speed factor of hands
        self.near = 1.0  # size ratio of a die at the lower edge to one at the upper edge
        self.in_line = 1.7  # die widths between dice that are set aside
        self.huddle = 0.0  # share of rolled dice that come to rest against another one
        self.lamp = 0.5, 0.6  # offset of a hand's shadow to the right and down, die widths
        self.cuts: list[tuple[float, float]] = []  # periods without frames, seconds
        self.stalls: list[tuple[float, float]] = []  # periods in which one frame repeats, seconds
        self.shades: list[tuple[float, float, Sprite, Pose, Pose]] = []  # begin, end, sprite, first and last pose
        self.clock = 0.0
        self.dice: list[ClipDie] = []
        self.roll_times: list[float] = []
        self.ways: list[tuple[float, float, float]] = []  # path of the hand: seconds, x, y
        skin, sleeve = int(chance.integers(6)), bool(chance.random() < 0.5)
        self._hands = {pose: hand(pose, width, chance, skin, sleeve) for pose in ("pinch", "flat")}
        self._shadows = {pose: shadow_of(one, width, 0.45) for pose, one in self._hands.items()}
        self.pose = "pinch"
        self._hand_is_in = False
        self.visits: list[tuple[float, float]] = []  # begin and end of the hand's visits, seconds
        self.company: list[Limb] = []  # other people's hands
        self._side = float(chance.choice([0.0, 0.0, 35.0, -35.0, 90.0, -90.0, 180.0]))
        away = math.radians(self._side)
        self._out = math.sin(away), math.cos(away)  # unit vector from the fingertips along the arm

    def frame_times(self, rate: float) -> list[float]:
        """The time of each frame, seconds; it jumps where frames are lost, and repeats while the camera stalls."""
        times = []
        for number in range(round(self.clock * rate)):
            t = number / rate
            if not any(begin <= t < end for begin, end in self.cuts):
                times.append(min([t, *(begin for begin, end in self.stalls if begin <= t < end)]))
        return times

    def moment(self, t: float) -> ClipMoment:
        """The ground truth at time t."""
        legs = [(die, die.leg(t)) for die in self.dice]
        resting = [(die, leg) for die, leg in legs if leg.kind == "resting"]
        values = tuple(sorted(die.value for die, _ in resting if die.value))
        rolled = sum(when <= t + 1e-6 for when in self.roll_times)
        if any(leg.kind == "rolling" and self._in_sight(leg, t) for _, leg in legs):
            return ClipMoment(values, rolled, "moving")
        if any(leg.kind == "carried" for _, leg in legs):
            return ClipMoment(values, rolled, "hand")
        places = np.array([(leg.x, leg.y) for _, leg in resting], np.float32).reshape(-1, 2)
        around = [places + np.array(d, np.float32) * self.width / 3 for d in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
        _, above = self.hand_shots(t)
        hidden = any((covering(sprite, pose, p) > 0.3).any() for sprite, pose in above for p in around)
        return ClipMoment(values, rolled, "covered" if hidden else "still")

    def shots(self, die: ClipDie, t: float) -> list[Shot]:
        """The sprites and poses of a die at time t."""
        if die.top is None:
            return []
        leg = die.leg(t)
        match leg.kind:
            case "resting":
                return [(die.top, self._seen(Pose(leg.x, leg.y, leg.turn)))]
            case "carried":
                pose = self.hand_at(t)
                assert pose is not None
                pose = Pose(pose.x + leg.x * self.width, pose.y + leg.y * self.width, leg.turn)
                return [(die.top, self._seen(pose))]
            case "rolling":
                return self._tumbling(die, leg, t)
        return []

    def hand_at(self, t: float) -> Pose | None:
        """The pose of the player's hand, or None while it is outside the image."""
        return pose_on_path(self.ways, t, self._side)

    def hand_shots(self, t: float) -> tuple[list[Shot], list[Shot]]:
        """The shadows at time t, and the hands."""
        shades = [
            (sprite, Pose(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, 0.0))
            for begin, end, sprite, a, b in self.shades
            if 0 <= (part := (t - begin) / (end - begin)) <= 1
        ]
        hands = [(limb.hand, limb.shadow, pose_on_path(limb.ways, t, limb.side)) for limb in self.company]
        hands.append((self._hands[self.pose], self._shadows[self.pose], self.hand_at(t)))
        across, down = self.lamp[0] * self.width, self.lamp[1] * self.width
        there = [(hand, shadow, pose) for hand, shadow, pose in hands if pose is not None]
        shades += [(shadow, Pose(pose.x + across, pose.y + down, pose.turn)) for _, shadow, pose in there]
        return shades, [(hand, pose) for hand, _, pose in there]

    def _in_sight(self, leg: Leg, t: float) -> bool:
        pose = leg.rolled(t)
        half = self.width / 2  # a die cut by the image's edge does not count as visible
        return half <= pose.x <= self.size[0] - half and half <= pose.y <= self.size[1] - half

    def _tumbling(self, die: ClipDie, leg: Leg, t: float) -> list[Shot]:
        pose = leg.rolled(t)
        way = math.dist((pose.x, pose.y), (leg.x, leg.y))
        turns = way / (TUMBLE * self.width)
        if leg.slides or turns < 0.35 or not die.faces:
            return [(die.top, self._seen(pose))] if die.top else []
        step, over = int(turns + 0.65), (turns + 0.65) % 1.0
        now, then = (die.faces[(step + more) % len(die.faces)] for more in (0, 1))
        mixed = min(1.0, max(0.0, (over - 0.6) / 0.4))  # while the die tips over, two faces are visible
        return [
            (now, self._seen(replace(pose, opacity=1 - mixed))),
            (then, self._seen(replace(pose, opacity=mixed))),
        ]

    def _seen(self, pose: Pose) -> Pose:
        """The pose scaled for its distance from the camera; in the centre a die is `width` wide."""
        near = 2 / (1 + 1 / self.near)
        return replace(pose, size=near / self.near + (near - near / self.near) * pose.y / self.size[1])


def pose_on_path(ways: Sequence[tuple[float, float, float]], t: float, side: float) -> Pose | None:
    """The interpolated pose on a path of (seconds, x, y) at time t; None before its start and after its end."""
    if not ways or t < ways[0][0] or t >= ways[-1][0]:
        return None
    after = next(i for i, way in enumerate(ways) if way[0] > t)
    (t0, x0, y0), (t1, x1, y1) = ways[after - 1], ways[after]
    part = (t - t0) / max(t1 - t0, 1e-6)
    part = part * part * (3 - 2 * part)
    return Pose(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, side)
