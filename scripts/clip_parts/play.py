"""What happens in a clip: dice roll in, lie, are carried and laid down by a hand; and what is true of each moment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.hand import hand, shadow_of
from scripts.clip_parts.pieces import Die, Leg, Moment
from scripts.clip_parts.smear import Pose, Shot, covering
from scripts.clip_parts.stock import Sprite

TUMBLE = 0.9  # die widths a rolling die goes from face to face
CREEPING, ARRIVED = 3.5, 0.03  # how much such a die slows down; die widths from its end where it is taken to lie
UNDER_PALM = 2.5  # die widths below the finger tips, where gathered dice vanish
HAND_SPEED = 45.0  # die widths a second at most


class Play:
    """A clip being written: each verb adds to it and moves its clock on. Lengths in pixels, `width` that of a die."""

    def __init__(self, size: tuple[int, int], width: float, chance: Generator) -> None:
        self.size, self.width, self.chance = size, width, chance
        self.pace = 1.0  # times as fast as usual hands move
        self.cuts: list[tuple[float, float]] = []  # from when to when (seconds) no frame is taken …
        self.stalls: list[tuple[float, float]] = []  # … or the same one again and again
        self.shades: list[tuple[float, float, Sprite, Pose, Pose]] = []  # from when to when, what, from where to where
        self.clock = 0.0
        self.dice: list[Die] = []
        self.throws: list[float] = []
        self.ways: list[tuple[float, float, float]] = []  # of the hand: seconds, x, y
        skin, sleeve = int(chance.integers(6)), bool(chance.random() < 0.5)
        self._hands = {pose: hand(pose, width, chance, skin, sleeve) for pose in ("pinch", "flat")}
        self._shadows = {pose: shadow_of(one, width, 0.45) for pose, one in self._hands.items()}
        self.pose = "pinch"
        self._hand_is_in = False
        self._side = float(chance.choice([0.0, 0.0, 35.0, -35.0, 90.0, -90.0, 180.0]))
        away = math.radians(self._side)
        self._out = math.sin(away), math.cos(away)  # the way from the finger tips along the arm, out of the picture

    # -- verbs -----------------------------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Nothing happens."""
        self.clock += seconds

    def throw(self, dice: Sequence[Die]) -> None:
        """The dice roll in from one side, one shortly after the other, and come to rest apart from all others."""
        corner = self.chance.uniform(0, 2 * np.pi)
        middle = self.size[0] / 2, self.size[1] / 2
        ends = []
        places: list[tuple[float, float]] = []
        for die in dice:
            x, y = self._free(places)
            places.append((x, y))
            begin = self.clock + self.chance.uniform(0, 0.25)
            end = begin + self.chance.uniform(0.6, 1.2)
            reach = 0.62 * math.hypot(*self.size)
            x0, y0 = middle[0] + reach * math.cos(corner), middle[1] + reach * math.sin(corner)
            x0, y0 = x0 + self.chance.normal(0, self.width), y0 + self.chance.normal(0, self.width)
            turn, spin = self.chance.uniform(-die.turns, die.turns), self.chance.uniform(-500, 500)
            die.legs.append(Leg(begin, "rolling", x, y, turn, end, x0, y0, spin))
            die.legs.append(Leg(end, "lying", x, y, turn))
            ends.append(end)
        self.clock = max(ends)
        self.throws.append(self.clock)

    def throw_hurried(self, dice: Sequence[Die]) -> None:
        """As `throw`, but one of the dice may creep; the clock stands when the others lie still."""
        self.throw(dice)
        last = dice[int(self.chance.integers(len(dice)))]
        ends = [die.legs[-1].begin for die in dice if die is not last]
        if len(dice) > 1 and self.chance.random() < 0.5:
            rolling, lying = last.legs[-2:]
            end = rolling.begin + self.chance.uniform(1.2, 1.8)
            slow = replace(rolling, end=end, slowing=CREEPING)
            way = math.dist((slow.x, slow.y), (slow.x0, slow.y0)) / self.width
            rests = slow.begin + (end - slow.begin) * (1 - (ARRIVED / way) ** (1 / CREEPING))
            pose = slow.rolled(rests)
            last.legs[-2:] = [slow, replace(lying, begin=rests, x=pose.x, y=pose.y, turn=pose.turn)]
            self.throws[-1] = max(*ends, rests)
            self.clock = max(ends)

    def await_rest(self, die: Die, seconds: float) -> None:
        """Wait until the die has lain still for so long."""
        self.clock = max(self.clock, die.legs[-1].begin + seconds)

    def shade(self, seconds: float, gain: float) -> None:
        """From now on a shadow passes for so long, which leaves so much of the light."""
        long, broad = self.chance.uniform(3, 7, 2) * self.width
        side = round(2.6 * max(long, broad))
        layer = np.zeros((side, side, 4), np.float32)
        dark = np.zeros((side, side), np.float32)
        middle, axes = (side // 2, side // 2), (round(long), round(broad))
        cv2.ellipse(dark, middle, axes, float(self.chance.uniform(0, 180)), 0, 360, 1 - gain, -1)
        layer[..., 3] = cv2.GaussianBlur(dark, (0, 0), 0.5 * self.width)
        angle = self.chance.uniform(0, 2 * np.pi)
        far = 0.5 * math.hypot(*self.size) + max(long, broad)
        x, y = (float(self.chance.uniform(0.3, 0.7)) * side for side in self.size)
        a, b = (Pose(x + sign * far * math.cos(angle), y + sign * far * math.sin(angle), 0.0) for sign in (-1, 1))
        self.shades.append((self.clock, self.clock + seconds, Sprite(layer, (side / 2, side / 2)), a, b))

    def set_aside(self, die: Die, place: int) -> None:
        """The hand comes, takes the die and lays it into the row at the picture's lower edge."""
        leg = die.leg(self.clock)
        x, y = self.row(place)
        self._reach(leg.x, leg.y)
        self.clock += 0.1
        die.legs.append(Leg(self.clock, "carried", 0, 0, leg.turn))
        self._reach(x, y)
        die.legs.append(Leg(self.clock, "lying", x, y, leg.turn))
        die.kept = True

    def lay_down(self, die: Die) -> None:
        """The hand brings a die from outside and lays it among the others."""
        x, y = self._free([])
        self._enter(x, y)
        die.legs.append(Leg(self.clock, "carried"))
        self._reach(x, y)
        die.legs.append(Leg(self.clock, "lying", x, y, 0.0))

    def gather(self, dice: Sequence[Die]) -> None:
        """The hand goes from die to die, takes all of them and leaves with them under its palm."""
        self.pose = "pinch"
        for die in dice:
            self.take(die)
        self.leave()
        self.put_away(dice)

    def take(self, die: Die) -> None:
        """The hand goes to a die and takes it under its palm."""
        leg = die.leg(self.clock)
        self._reach(leg.x, leg.y)
        die.legs.append(Leg(self.clock, "carried", self._out[0] * UNDER_PALM, self._out[1] * UNDER_PALM))

    def put_away(self, dice: Sequence[Die]) -> None:
        """The dice in the hand are out of the picture."""
        for die in dice:
            die.legs.append(Leg(self.clock, "away"))

    def hover(self, x: float, y: float, seconds: float) -> None:
        """The hand comes to a place, stays there, never quite still."""
        self._reach(x, y)
        until = self.clock + seconds
        while self.clock < until:
            self.clock += 0.25
            jitter = self.chance.normal(0, 0.12 * self.width, 2)
            self.ways.append((self.clock, x + jitter[0], y + jitter[1]))

    def leave(self) -> None:
        """The hand goes out of the picture."""
        if self._hand_is_in:
            _, x, y = self.ways[-1]
            self._go(*self._outside(x, y))
            self._hand_is_in = False

    def row(self, place: int) -> tuple[float, float]:
        """Where the n-th die set aside lies."""
        return self.width * (1.5 + 1.7 * place), self.size[1] - 1.3 * self.width

    def frame_times(self, rate: float) -> list[float]:
        """When each frame was taken, seconds: where frames are cut out it jumps, while the camera stalls it stands."""
        times = []
        for number in range(round(self.clock * rate)):
            t = number / rate
            if not any(begin <= t < end for begin, end in self.cuts):
                times.append(min([t, *(begin for begin, end in self.stalls if begin <= t < end)]))
        return times

    # -- what is true, and what is to be seen -----------------------------------------------------------------------

    def moment(self, t: float) -> Moment:
        """What is true at that time."""
        legs = [(die, die.leg(t)) for die in self.dice]
        lying = [(die, leg) for die, leg in legs if leg.kind == "lying"]
        values = tuple(sorted(die.value for die, _ in lying))
        thrown = sum(when <= t + 1e-6 for when in self.throws)
        if any(leg.kind == "rolling" and self._in_sight(leg, t) for _, leg in legs):
            return Moment(values, thrown, "moving")
        if any(leg.kind == "carried" for _, leg in legs):
            return Moment(values, thrown, "hand")
        places = np.array([(leg.x, leg.y) for _, leg in lying], np.float32).reshape(-1, 2)
        around = [places + np.array(d, np.float32) * self.width / 3 for d in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
        pose = self.hand_at(t)
        hidden = pose is not None and any((covering(self._hands[self.pose], pose, p) > 0.3).any() for p in around)
        return Moment(values, thrown, "covered" if hidden else "still")

    def shots(self, die: Die, t: float) -> list[Shot]:
        """The die as it looks at that time."""
        if die.top is None:
            return []
        leg = die.leg(t)
        match leg.kind:
            case "lying":
                return [(die.top, Pose(leg.x, leg.y, leg.turn))]
            case "carried":
                pose = self.hand_at(t)
                assert pose is not None
                return [(die.top, Pose(pose.x + leg.x * self.width, pose.y + leg.y * self.width, leg.turn))]
            case "rolling":
                return self._tumbling(die, leg, t)
        return []

    def hand_at(self, t: float) -> Pose | None:
        """Where the hand is, None while it is out of the picture or before it first came."""
        if not self.ways or t < self.ways[0][0] or t >= self.ways[-1][0]:
            return None
        after = next(i for i, way in enumerate(self.ways) if way[0] > t)
        (t0, x0, y0), (t1, x1, y1) = self.ways[after - 1], self.ways[after]
        part = (t - t0) / max(t1 - t0, 1e-6)
        part = part * part * (3 - 2 * part)
        return Pose(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, self._side)

    def hand_shots(self, t: float) -> tuple[list[Shot], list[Shot]]:
        """The shadows of the hand and of people out of the picture, and the hand."""
        shades = [
            (sprite, Pose(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, 0.0))
            for begin, end, sprite, a, b in self.shades
            if 0 <= (part := (t - begin) / (end - begin)) <= 1
        ]
        pose = self.hand_at(t)
        if pose is None:
            return shades, []
        off = Pose(pose.x + 0.5 * self.width, pose.y + 0.6 * self.width, pose.turn)
        return [*shades, (self._shadows[self.pose], off)], [(self._hands[self.pose], pose)]

    # -- ways and places ---------------------------------------------------------------------------------------------

    def _in_sight(self, leg: Leg, t: float) -> bool:
        pose = leg.rolled(t)
        half = self.width / 2  # a die that the picture's edge cuts is not to be seen as one yet
        return half <= pose.x <= self.size[0] - half and half <= pose.y <= self.size[1] - half

    def _tumbling(self, die: Die, leg: Leg, t: float) -> list[Shot]:
        pose = leg.rolled(t)
        way = math.dist((pose.x, pose.y), (leg.x, leg.y))
        turns = way / (TUMBLE * self.width)
        if turns < 0.35 or not die.faces:
            return [(die.top, pose)] if die.top else []
        step, over = int(turns + 0.65), (turns + 0.65) % 1.0
        now, then = (die.faces[(step + more) % len(die.faces)] for more in (0, 1))
        mixed = min(1.0, max(0.0, (over - 0.6) / 0.4))  # on its edge two faces are to be seen
        return [
            (now, Pose(pose.x, pose.y, pose.turn, 1 - mixed)),
            (then, Pose(pose.x, pose.y, pose.turn, mixed)),
        ]

    def _free(self, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
        """A place at least a good die width from all that lie and from those taken."""
        lying = [(leg.x, leg.y) for leg in (die.leg(1e9) for die in self.dice) if leg.kind == "lying"]
        best, far = (self.size[0] / 2, self.size[1] / 2), -1.0
        for _ in range(60):
            x = self.chance.uniform(0.18, 0.82) * self.size[0]
            y = self.chance.uniform(0.15, 0.72) * self.size[1]
            apart = min((math.dist((x, y), other) for other in (*taken, *lying)), default=9e9) / self.width
            if apart > 1.5:
                return float(x), float(y)
            if apart > far:
                best, far = (float(x), float(y)), apart
        return best

    def _outside(self, x: float, y: float) -> tuple[float, float]:
        """Where the hand is out of the picture when it comes to this place along its arm."""
        while -1.5 * self.width < x < self.size[0] + 1.5 * self.width and -1.5 * self.width < y < self.size[1] * 1.02:
            x, y = x + self._out[0] * self.width, y + self._out[1] * self.width
        return x + 3 * self._out[0] * self.width, y + 3 * self._out[1] * self.width

    def _enter(self, x: float, y: float) -> None:
        if not self._hand_is_in:
            self._hand_is_in = True
            self.ways.append((self.clock, *self._outside(x, y)))

    def _reach(self, x: float, y: float) -> None:
        self._enter(x, y)
        self._go(x, y)

    def _go(self, x: float, y: float) -> None:
        _, x0, y0 = self.ways[-1]
        self.ways.append((self.clock, x0, y0))
        away = math.dist((x0, y0), (x, y)) / self.width
        self.clock += max(0.2, 1.5 * away / HAND_SPEED) / self.pace * self.chance.uniform(1.0, 1.6)
        self.ways.append((self.clock, x, y))
