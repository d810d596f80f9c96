"""The events of a clip: dice roll in, rest, and are carried and placed by a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from scripts.clip_parts.hand import CUP, shadow_of, with_cup
from scripts.clip_parts.pieces import ClipDie, Leg
from scripts.clip_parts.places import Places
from scripts.clip_parts.smear import Pose
from scripts.clip_parts.stock import Sprite

CREEPING, ARRIVED = 3.5, 0.03  # deceleration of a slow die; die widths from its end at which it counts as resting
UNDER_PALM = 2.5  # die widths below the fingertips: place of hidden gathered dice
ON_PALM = 3.6  # die widths below the fingertips: first dice on an open hand
HAND_SPEED = 45.0  # maximum, die widths per second


class Play(Places):
    """The script of a clip: each method adds an event and advances the clock. Lengths in pixels, `width` is a die's."""

    # -- events ----------------------------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Adds a period without events."""
        self.clock += seconds

    def roll(self, dice: Sequence[ClipDie]) -> None:
        """The dice roll in from one side, one shortly after the other, and come to rest at separate places."""
        corner = self.chance.uniform(*self.from_angles)
        left, top, right, low = self.room
        middle = (left + right) / 2, (top + low) / 2
        ends = []
        places: list[tuple[float, float]] = []
        for die in dice:
            x, y = self._beside(places) if self.huddle and self.chance.random() < self.huddle else self._free(places)
            places.append((x, y))
            begin = self.clock + self.chance.uniform(0, 0.25)
            end = begin + self.chance.uniform(0.6, 1.2)
            reach = 0.62 * math.hypot(right - left, low - top)
            x0, y0 = middle[0] + reach * math.cos(corner), middle[1] + reach * math.sin(corner)
            x0, y0 = x0 + self.chance.normal(0, self.width), y0 + self.chance.normal(0, self.width)
            turn, spin = self.chance.uniform(-die.turns, die.turns), self.chance.uniform(-500, 500)
            die.legs.append(Leg(begin, "rolling", x, y, turn, end, x0, y0, spin))
            die.legs.append(Leg(end, "resting", x, y, turn))
            ends.append(end)
        self.clock = max(ends)
        self.roll_times.append(self.clock)

    def roll_hurried(self, dice: Sequence[ClipDie]) -> None:
        """Like `throw`, but one die may roll slowly; the clock stops when the others rest."""
        self.roll(dice)
        last = dice[int(self.chance.integers(len(dice)))]
        ends = [die.legs[-1].begin for die in dice if die is not last]
        if len(dice) > 1 and self.chance.random() < 0.5:
            rolling, resting = last.legs[-2:]
            end = rolling.begin + self.chance.uniform(1.2, 1.8)
            slow = replace(rolling, end=end, slowing=CREEPING)
            way = math.dist((slow.x, slow.y), (slow.x0, slow.y0)) / self.width
            rests = slow.begin + (end - slow.begin) * (1 - (ARRIVED / way) ** (1 / CREEPING))
            pose = slow.rolled(rests)
            last.legs[-2:] = [slow, replace(resting, begin=rests, x=pose.x, y=pose.y, turn=pose.turn)]
            self.roll_times[-1] = max(*ends, rests)
            self.clock = max(ends)

    def knock(self, resting: ClipDie, rolling: ClipDie) -> None:
        """The die just rolled hits a resting one, which slides a little and rotates."""
        roll, rest = rolling.legs[-2:]
        was = resting.legs[-1]
        way = math.dist((roll.x0, roll.y0), (was.x, was.y))
        ahead = (was.x - roll.x0) / way, (was.y - roll.y0) / way
        far, short = self.width * self.chance.uniform(0.4, 1.2), 0.8 * self.width
        x, y = was.x - short * ahead[0], was.y - short * ahead[1]
        rolling.legs[-2:] = [replace(roll, x=x, y=y), replace(rest, x=x, y=y)]
        begin, turn = roll.end - 0.1, was.turn + float(self.chance.uniform(-12, 12))
        pushed = was.x + far * ahead[0], was.y + far * ahead[1]
        end = begin + float(self.chance.uniform(0.2, 0.4))
        resting.legs.append(Leg(begin, "rolling", *pushed, turn, end, was.x, was.y, was.turn - turn, slides=True))
        resting.legs.append(Leg(end, "resting", *pushed, turn))
        self.clock = self.roll_times[-1] = max(self.clock, end)

    def stutter(self, rate: float) -> None:
        """A camera of `rate` frames per second loses up to five frames in a row, at random times of the clip so far."""
        t = 0.0
        while (t := t + float(self.chance.uniform(0.2, 1.0))) < self.clock:
            self.cuts.append((t, t + int(self.chance.integers(1, 6)) / rate))

    def take_cup(self) -> None:
        """The hand holds an upside-down cup for the whole clip."""
        self.pose = "cup"
        self._hands["cup"] = with_cup(self._hands["flat"], self.width, self.chance)
        self._shadows["cup"] = shadow_of(self._hands["cup"], self.width, 0.45)

    def cup_over(self, dice: Sequence[ClipDie], seconds: float) -> None:
        """A roll with a cup: it arrives with the dice inside, covers them for this many seconds, and leaves."""
        far = CUP + 1.0
        x, y = (float(self.chance.uniform(far * self.width, side - far * self.width)) for side in self.size)
        for die in dice:
            die.legs.append(Leg(self.clock, "carried"))
        self._reach(x, y)
        angle = float(self.chance.uniform(0, 2 * np.pi))
        for place, die in enumerate(dice):  # one in the centre, the others around it
            apart = self.width * float(self.chance.uniform(1.08, 1.3)) if place else 0.0
            at = angle + place * 2 * np.pi / 6 + float(self.chance.normal(0, 0.03))
            turn = float(self.chance.uniform(-die.turns, die.turns))
            die.legs.append(Leg(self.clock, "resting", x + apart * math.cos(at), y + apart * math.sin(at), turn))
        self.roll_times.append(self.clock)
        self.clock += seconds
        self.leave()

    def await_rest(self, die: ClipDie, seconds: float) -> None:
        """Waits until the die has rested for this many seconds."""
        self.clock = max(self.clock, die.legs[-1].begin + seconds)

    def shade(self, seconds: float, gain: float) -> None:
        """A shadow passes for `seconds` and leaves the share `gain` of the light."""
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

    def set_aside(self, die: ClipDie, place: int) -> None:
        """The hand takes the die and adds it to the row at the image's lower edge."""
        leg = die.leg(self.clock)
        x, y = self.row(place)
        self._reach(leg.x, leg.y)
        self.clock += 0.1
        die.legs.append(Leg(self.clock, "carried", 0, 0, leg.turn))
        self._reach(x, y)
        die.legs.append(Leg(self.clock, "resting", x, y, leg.turn))
        die.kept = True

    def bring(self, die: ClipDie) -> None:
        """The hand brings a die or another object into the image and places it."""
        x, y = self._place(die)
        self._enter(x, y)
        die.legs.append(Leg(self.clock, "carried"))
        self._reach(x, y)
        die.legs.append(Leg(self.clock, "resting", x, y, 0.0))

    def place(self, thing: ClipDie) -> None:
        """Places the object without a hand; it rests there from now on."""
        thing.legs.append(Leg(self.clock, "resting", *self._place(thing)))

    def take_away(self, thing: ClipDie) -> None:
        """The hand takes the object out of the image."""
        self.pose = "pinch"
        leg = thing.leg(self.clock)
        self._reach(leg.x, leg.y)
        thing.legs.append(Leg(self.clock, "carried"))
        self.leave()
        self.put_away([thing])

    def gather(self, dice: Sequence[ClipDie]) -> None:
        """The hand collects all the dice under its palm and leaves."""
        self.pose = "pinch"
        for die in dice:
            self.take(die)
        self.leave()
        self.put_away(dice)

    def take(self, die: ClipDie) -> None:
        """The hand moves to a die and takes it under its palm."""
        leg = die.leg(self.clock)
        self._reach(leg.x, leg.y)
        deep = 0.0 if self.pose == "cup" else UNDER_PALM
        die.legs.append(Leg(self.clock, "carried", self._out[0] * deep, self._out[1] * deep))

    def show_in_hand(self, taken: Sequence[ClipDie], dice: Sequence[ClipDie], seconds: float) -> None:
        """The hand shows the taken dice on its open palm, with slight jitter.

        Args:
            taken: Dice in the hand, as they were on the table.
            dice: The same dice as they appear in the hand.
            seconds: Duration.
        """
        x, y = self._free([])
        self._reach(x, y)
        self.put_away(taken)
        for place, die in enumerate(dice):
            across, along = 1.15 * (place % 2 - 0.5), ON_PALM + 1.15 * (place // 2)
            x0, y0 = self.away(across, along)
            turn = float(self.chance.uniform(-die.turns, die.turns))
            die.legs.append(Leg(self.clock, "carried", x0 / self.width, y0 / self.width, turn, in_hand=True))
        self.hover(x, y, seconds)

    def push(self, die: ClipDie) -> None:
        """The hand pushes a die with its fingers to a free place."""
        leg = die.leg(self.clock)
        across, along = self.away(0.0, 0.6)
        self._reach(leg.x + across, leg.y + along)
        die.legs.append(Leg(self.clock, "carried", -across / self.width, -along / self.width, leg.turn))
        x, y = self._free([])
        self._reach(x + across, y + along)
        die.legs.append(Leg(self.clock, "resting", x, y, leg.turn))

    def away(self, across: float, along: float) -> tuple[float, float]:
        """Converts an offset in die widths, across the arm and outwards along it, to pixels of the image."""
        (x, y), width = self._out, self.width
        return (x * along + y * across) * width, (y * along - x * across) * width

    def turn_over(self, die: ClipDie, turned: ClipDie) -> None:
        """The hand turns a die over, so that it rests as `turned` near its old place."""
        leg = die.leg(self.clock)
        self._reach(leg.x, leg.y)
        die.legs.append(Leg(self.clock, "carried", turn=leg.turn))
        self.clock += float(self.chance.uniform(0.15, 0.5))
        self.ways.append((self.clock, leg.x, leg.y))
        die.legs.append(Leg(self.clock, "away"))
        x, y = self.chance.normal((leg.x, leg.y), 0.15 * self.width)
        turn = float(self.chance.uniform(-die.turns, die.turns))
        turned.legs.append(Leg(self.clock, "resting", float(x), float(y), turn))

    def put_away(self, dice: Sequence[ClipDie]) -> None:
        """Removes the dice in the hand from the image."""
        for die in dice:
            die.legs.append(Leg(self.clock, "away"))

    def hover(self, x: float, y: float, seconds: float) -> None:
        """The hand moves to a place and stays there, with slight jitter."""
        self._reach(x, y)
        until = self.clock + seconds
        while self.clock < until:
            self.clock += 0.25
            jitter = self.chance.normal(0, 0.12 * self.width, 2)
            self.ways.append((self.clock, x + jitter[0], y + jitter[1]))

    def leave(self) -> None:
        """The hand leaves the image."""
        if self._hand_is_in:
            _, x, y = self.ways[-1]
            self._go(*self._outside(x, y))
            self._hand_is_in = False
            self.visits[-1] = self.visits[-1][0], self.clock

    # -- paths ------------------------------------------------------------------------------------------------------

    def _outside(self, x: float, y: float) -> tuple[float, float]:
        """The place outside the image from which the hand reaches (x, y) in the direction of its arm."""
        while -1.5 * self.width < x < self.size[0] + 1.5 * self.width and -1.5 * self.width < y < self.size[1] * 1.02:
            x, y = x + self._out[0] * self.width, y + self._out[1] * self.width
        return x + 3 * self._out[0] * self.width, y + 3 * self._out[1] * self.width

    def _enter(self, x: float, y: float) -> None:
        if not self._hand_is_in:
            self._hand_is_in = True
            self.visits.append((self.clock, np.inf))
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
