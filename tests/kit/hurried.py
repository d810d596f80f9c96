"""Performs a script with players in a hurry: hands come back early, and dice creep on.

Events in parallel to the script (dice still rolling, a hand that withdraws, a passing shadow) advance in `_pass`, once
a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from tests.kit import script as do
from tests.kit.dice import Array, relabelled
from tests.kit.film import Performer
from tests.kit.flight import SAMPLES, Flight
from tests.kit.hands import FAR, Hand, in_picture, outlines, yaw
from tests.kit.hurry import Hurry
from tests.kit.moves import PALM
from tests.kit.rolling import Timeline, creeping, longer
from tests.kit.scene import Place, Scene, Shade, TableDie
from tests.kit.setting import Setting

WOBBLE = 0.8  # mm from frame to frame, because hands tremble


@dataclass(frozen=True, slots=True)
class Rolling:
    """A rolling die.

    Attributes:
        timeline: Its path.
        begun: Number of the frame that shows its first pose.
        value: Its value at rest.
    """

    timeline: Timeline
    begun: int
    value: int


class HurriedPerformer(Performer):
    """Performs steps without waiting."""

    def __init__(
        self,
        setting: Setting,
        dice: int,
        rng: np.random.Generator,
        fps: float,
        simulate_roll: Callable[..., Flight],
        hurry: Hurry,
    ) -> None:
        super().__init__(setting, dice, rng, fps, simulate_roll)
        self._hurry, self.pace = hurry, hurry.pace
        self._frame = 0
        self._rolling: dict[int, Rolling] = {}
        self._rested: dict[int, int] = {}  # die → frame since which it rests
        self._patience: dict[int, float] = {}  # die → seconds for which it stays untouched
        self._withdrawing: Iterator[Scene] | None = None
        self._impatient = False  # the next step begins while dice still roll
        self._lines: list[str] = []  # record lines that become true when all dice rest
        self._shade: Iterator[Shade | None] = self._shades()

    def perform(self, script: Sequence[do.Step]) -> Iterator[Scene]:
        """All steps, one after the other."""
        for scene in super().perform(script):
            scene.shade = next(self._shade)
            yield scene
            self._pass()

    def _pass(self) -> None:
        """Advances the parallel events by one frame."""
        self._frame += 1
        if self._withdrawing is not None and next(self._withdrawing, None) is None:
            self._withdrawing = None
        for number, rolling in list(self._rolling.items()):
            die, (positions, rotations) = self.scene.dice[number], rolling.timeline
            now = round((self._frame - rolling.begun) / self.fps * SAMPLES)
            last = len(positions) - 1
            die.position, die.rotation = positions[min(now, last)], rotations[min(now, last)]
            if now >= last:
                die.value, self._rested[number] = rolling.value, self._frame
                del self._rolling[number]
        if not self._rolling:
            self.scene.done.extend(self._lines)
            self._lines.clear()

    def _done(self, step: do.Step, seconds: float) -> Iterator[Scene]:
        """Ends a step as soon as nothing rolls; the hand comes back a moment later, sometimes only to hover."""
        if step.line:
            (self._lines if self._rolling else self.scene.done).append(step.line)
        impatient, self._impatient = self._impatient, False
        if isinstance(step, do.Keep):
            yield from self._pause(float(self.rng.uniform(0.0, 0.4)))
        elif not impatient:
            back = float(self.rng.uniform(*self._hurry.back))
            yield from self._pause(back)
            if self.rng.uniform() < self._hurry.hovers:
                yield from self._hover(step.seat)

    def _release(self, values: Sequence[int], lost: int = 0, cocked: int = 0) -> Iterator[Scene]:
        """Rolls the dice in the hand. They stop one after the other, and the hand may come back earlier."""
        if lost or cocked:
            yield from super()._release(values, lost, cocked)
            return
        yield from self._all_rest()
        hurry, hand = self._hurry, self.scene.hand
        assert hand is not None
        origin = yield from self._shake()
        dice = [self.scene.dice[number] for number in hand.held]
        hand.held.clear()
        self.scene.rolls += 1
        self._impatient = len(dice) > 1 and self.rng.uniform() < hurry.early
        courses = self._courses(dice, origin)
        for die, value, (positions, rotations) in zip(dice, values, courses, strict=True):
            turn = relabelled(rotations[-1], self.setting.look, value, self.rng)
            self._rolling[die.number] = Rolling((positions, rotations @ turn), self._frame, value)
            self._patience[die.number] = float(self.rng.uniform(*hurry.back))
            die.position, die.rotation = positions[0], rotations[0] @ turn
            die.place, die.value = Place.ACTIVE, None
        self._withdrawing = self._withdrawn(hand, self.rng.uniform() < hurry.stays)
        yield self.scene
        while len(self._rolling) > (len(dice) - 1 if self._impatient else 0):
            yield self.scene
        if self._impatient:
            yield from self._pause(float(self.rng.uniform(*hurry.back)))

    def _shake(self) -> Generator[Scene, None, Array]:
        """Shakes the dice; returns where they leave the hand."""
        hand, arena = self.scene.hand, self.setting.rolling
        assert hand is not None
        reach = np.array([arena.right - arena.left, arena.back - arena.front]) / 2 - 1.6 * self.size
        origin = np.array(arena.centre) + np.clip(hand.towards[:2] * 200, -reach, reach)
        over = hand.above(np.array([*origin, 85.0]), PALM)
        yield from self._glide(over)
        for i in range(self._frames(0.35 / self.pace)):
            hand.at = over + np.array([8 * np.sin(2.1 * i), 8 * np.cos(1.7 * i), 5 * np.sin(2.6 * i)])
            for number in hand.held:
                self.scene.dice[number].position = hand.carried(number)
            yield self.scene
        return origin

    def _courses(self, dice: Sequence[TableDie], origin: Array) -> list[Timeline]:
        """The path of each die: later than the first by a random time, and one of them may creep. If the roll is not
        awaited, its last die rolls longer."""
        flight = self._flight(dice, origin)
        ends = [die.position for die in self.scene.dice if die.place in (Place.ACTIVE, Place.KEPT) and die not in dice]
        late = self.rng.uniform(0, self._hurry.apart, len(dice))
        if self._impatient:
            late[late.argmax()] += self.rng.uniform(*self._hurry.longer)
        courses = []
        creeper = self.rng.integers(len(dice)) if self.rng.uniform() < self._hurry.creeps else -1
        for i in range(len(dice)):
            timeline = longer((flight.positions[:, i], flight.rotations[:, i]), float(late[i] - late.min()))
            if i == creeper:
                others = [*ends, *np.delete(flight.positions[-1], i, axis=0)]
                timeline = creeping(timeline, self.size, others, self.rng)
            courses.append(timeline)
        return courses

    def _withdrawn(self, hand: Hand, stays: bool) -> Iterator[Scene]:
        """Withdraws the hand after a roll, out of the image or only to its edge, where it stays."""
        assert hand.at is not None
        away = self._away(hand, hand.at)
        if not stays:
            yield from self._glide(away, 1100.0)
            self.scene.hand = None
            return
        yield from self._glide(hand.at + (away - hand.at) * float(self.rng.uniform(0.35, 0.65)), 1100.0)
        while True:
            self._wobble()
            yield self.scene

    def _wobble(self) -> None:
        hand = self.scene.hand
        if hand is not None and hand.at is not None:
            hand.at = hand.at + self.rng.normal(0, WOBBLE, 3)
            for number in hand.held:
                self.scene.dice[number].position = hand.carried(number)

    def _hover(self, seat: str) -> Iterator[Scene]:
        """The frames in which a hand hovers over the dice, moves up and down a little, and may leave again."""
        resting = [die.position for die in self.scene.dice if die.place is Place.ACTIVE]
        if not resting:
            return
        over = resting[self.rng.integers(len(resting))] + np.array([0, 0, self.rng.uniform(*self._hurry.height)])
        hand = self._come(seat, over)
        yield from self._glide(hand.above(over, PALM + self.rng.uniform(-20, 20, 3)))
        for _ in range(self._frames(float(self.rng.uniform(*self._hurry.hovering)))):
            self._wobble()
            yield self.scene
        if self.rng.uniform() < 0.5:
            yield from self._leave()
            yield from self._pause(float(self.rng.uniform(*self._hurry.back)))

    def _come(self, seat: str, over: Array) -> Hand:
        self._withdrawing = None
        return super()._come(seat, over)

    def _leave(self) -> Iterator[Scene]:
        self._withdrawing = None
        yield from super()._leave()

    def _away(self, hand: Hand, over: Array) -> Array:
        """A waiting position just outside the image, because a player in a hurry keeps the hand near."""
        waiting = copy(hand)
        for far in range(60, int(FAR), 20):
            waiting.at = np.array([over[0], over[1], 110.0]) + far * hand.towards
            if not in_picture(outlines(waiting, self.setting.camera), self.setting.camera):
                return np.asarray(waiting.at)
        return super()._away(hand, over)

    def _pick(self, values: Sequence[int], place: Place = Place.ACTIVE) -> list[TableDie]:
        """Picks dice as for all players, but rolling dice count with their final values, and dice that have rested
        longest come first."""
        left = [die for die in self.scene.dice if die.place is place]
        left.sort(key=lambda die: (die.number in self._rolling, self._rested.get(die.number, 0)))
        found = []
        for value in values:
            showing = (die for die in left if self._shows(die) == value)
            if (die := next(showing, None)) is None:
                raise ValueError(f"the script takes a {value} that is not {place.name.lower()}")
            left.remove(die)
            found.append(die)
        return found

    def _shows(self, die: TableDie) -> int | None:
        rolling = self._rolling.get(die.number)
        return die.value if rolling is None else rolling.value

    def _keep(self, seat: str, values: Sequence[int]) -> Iterator[Scene]:
        active = [die for die in self.scene.dice if die.place is Place.ACTIVE]
        resting = [die.value for die in active if die.number not in self._rolling]
        yield from super()._keep(seat, sorted(values, key=lambda value: value not in resting))

    def _gather(self, seat: str, dice: Sequence[TableDie]) -> Iterator[Scene]:
        yield from super()._gather(seat, sorted(dice, key=lambda die: die.number in self._rolling))

    def _add(self, seat: str, value: int) -> Iterator[Scene]:
        yield from self._all_rest()
        yield from super()._add(seat, value)

    def _ready(self, die: TableDie) -> Iterator[Scene]:
        """Waits until this die has rested for a moment."""
        while die.number in self._rolling or self._rest_seconds(die) < self._patience.get(die.number, 0.0):
            self._wobble()
            yield self.scene

    def _all_rest(self) -> Iterator[Scene]:
        """Waits until all dice have rested for a moment."""
        for die in self.scene.dice:
            if die.place is Place.ACTIVE:
                yield from self._ready(die)

    def _rest_seconds(self, die: TableDie) -> float:
        """Seconds since the die came to rest."""
        return (self._frame - self._rested.get(die.number, -(10**9))) / self.fps

    def _shades(self) -> Iterator[Shade | None]:
        """Yields the passing shadow of each frame, or None."""
        area, hurry, rng = self.setting.rolling, self._hurry, np.random.default_rng(int(self.rng.integers(1 << 62)))
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        while True:
            for _ in range(self._frames(float(rng.exponential(hurry.shades)))):
                yield None
            long, broad, turn, way = rng.uniform(80, 200), rng.uniform(50, 110), rng.uniform(0, 360), rng.uniform(0, 7)
            blob = np.stack([long * np.cos(angles), broad * np.sin(angles), np.zeros(24)], axis=1)
            outline = blob @ yaw(turn).T
            across, gain = np.array([np.cos(way), np.sin(way), 0.0]), float(rng.uniform(*hurry.shaded))
            middle = np.array([rng.uniform(area.left, area.right), rng.uniform(area.front, area.back), 0.0])
            count = self._frames(float(rng.uniform(*hurry.shading)))
            for i in range(count):
                yield Shade(outline + middle + across * (2 * (i + 0.5) / count - 1) * 450.0, gain)
