"""A script performed: the poses of dice and hand, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from tests.simulated import script as do
from tests.simulated.camera import Camera
from tests.simulated.dice import Array, relabelled, top_value
from tests.simulated.flight import SAMPLES, Flight
from tests.simulated.hands import PINCH, Hand, smooth, yaw
from tests.simulated.setting import Setting

PALM = np.array([0.0, 8.0, -16.0])  # dice gathered for a throw


class Place(StrEnum):
    """Where a die is: in play, set aside, in somebody's hand or gone (fallen off)."""

    ACTIVE = "active"
    KEPT = "kept"
    HAND = "in hand"
    GONE = "gone"


@dataclass(slots=True, eq=False)
class Die:
    """One die of the table. value: None while it flies or is turned."""

    number: int
    position: Array
    rotation: Array
    place: Place = Place.HAND
    value: int | None = None
    cocked: bool = False


@dataclass(slots=True, eq=False)
class Scene:
    """What is to be drawn and told of one frame. The performer changes it and yields."""

    dice: list[Die]
    camera: Camera
    hand: Hand | None = None
    gain: float = 1.0
    throws: int = 0
    done: list[str] = field(default_factory=list)  # record lines true since the last frame
    entered: list[str] = field(default_factory=list)  # lines a person enters now

    @property
    def pose(self) -> tuple[Array, ...]:
        """Everything a picture depends on: positions, rotations, where the hand is, where the camera looks."""
        hand_at = np.full(3, 9e9) if self.hand is None or self.hand.at is None else self.hand.at
        positions = np.array([die.position for die in self.dice])
        rotations = np.array([die.rotation for die in self.dice])
        return positions, rotations, hand_at, np.array([*self.camera.target, self.camera.roll])


class Performer:
    """Performs steps; each `yield` of `perform` is one frame, the scene as it then stands."""

    def __init__(
        self, setting: Setting, dice: int, rng: np.random.Generator, fps: float, thrower: Callable[..., Flight]
    ) -> None:
        self.setting, self.rng, self.fps, self.thrower = setting, rng, fps, thrower
        hidden = np.array([0.0, 0.0, -4000.0])
        self.scene = Scene([Die(i, hidden.copy(), np.eye(3)) for i in range(dice)], setting.camera)
        self.size = setting.look.size

    def perform(self, script: Sequence[do.Step]) -> Iterator[Scene]:
        """All steps, one after the other."""
        for step in script:
            yield from self._step(step)

    def _step(self, step: do.Step) -> Iterator[Scene]:
        match step:
            case do.Throw():
                yield from self._throw(step)
                yield from self._done(step, 0.9)
            case do.Keep(values=values):
                yield from self._keep(step.seat, values)
                yield from self._done(step, 0.7)
            case do.Turn(before=before, after=after):
                yield from self._turn(step.seat, before, after)
                yield from self._done(step, 0.9)
            case do.Add(value=value):
                yield from self._add(step.seat, value)
                yield from self._done(step, 0.9)
            case do.Rethrow(before=before, after=after):
                yield from self._gather(step.seat, self._pick(before))
                yield from self._fling(after, [])
                yield from self._done(step, 0.9)
            case do.Clear():
                lying = [die for die in self.scene.dice if die.place in (Place.ACTIVE, Place.KEPT, Place.GONE)]
                yield from self._gather(step.seat, sorted(lying, key=lambda die: float(die.position[0])))
                yield from self._leave()
                yield from self._pause(0.4)
            case do.Enter():
                self.scene.entered.append(step.line or "")
                yield from self._pause(0.25)
            case do.Wait(seconds=seconds):
                yield from self._pause(seconds)
            case do.Rest(seconds=seconds, hide=hide):
                yield from self._rest(step.seat, seconds, hide)
            case do.Nudge():
                yield from self._nudge(step.seat)
            case do.Bump(mm=mm, degrees=degrees):
                yield from self._bump(mm, degrees)
            case do.Dim(gain=gain, seconds=seconds):
                before_gain, count = self.scene.gain, self._frames(seconds)
                for i in range(count):
                    self.scene.gain = before_gain + (gain - before_gain) * (i + 1) / count
                    yield self.scene
            case _:
                raise ValueError(f"nobody knows how to {step}")

    # -- time -----------------------------------------------------------------------------------------------------

    def _frames(self, seconds: float) -> int:
        return max(1, round(seconds * self.fps))

    def _pause(self, seconds: float) -> Iterator[Scene]:
        for _ in range(self._frames(seconds)):
            yield self.scene

    def _done(self, step: do.Step, seconds: float) -> Iterator[Scene]:
        if step.line:
            self.scene.done.append(step.line)
        yield from self._pause(seconds)

    # -- the hand -------------------------------------------------------------------------------------------------

    def _come(self, seat: str, over: Array) -> Hand:
        if self.scene.hand is None:
            self.scene.hand = Hand(seat)
        hand = self.scene.hand
        if hand.at is None:
            hand.at = hand.away(over)
        return hand

    def _glide(self, to: Array, speed: float = 750.0) -> Iterator[Scene]:
        hand = self.scene.hand
        assert hand is not None
        assert hand.at is not None
        start = hand.at.copy()
        count = self._frames(max(0.12, float(np.linalg.norm(to - start)) / speed))
        for i in range(count):
            hand.at = start + (to - start) * smooth((i + 1) / count)
            for number in hand.held:
                self.scene.dice[number].position = hand.carried(number)
            yield self.scene

    def _leave(self) -> Iterator[Scene]:
        hand = self.scene.hand
        if hand is None or hand.at is None:
            return
        yield from self._glide(hand.away(hand.at), 1100.0)
        for number in hand.held:
            self.scene.dice[number].position = np.array([0.0, 0.0, -4000.0])
        self.scene.hand = None
        yield self.scene

    def _take(self, die: Die, grip: Array) -> None:
        assert self.scene.hand is not None
        die.place, die.cocked = Place.HAND, False
        self.scene.hand.held[die.number] = grip

    def _drop(self, die: Die, at: Array, place: Place) -> None:
        assert self.scene.hand is not None
        del self.scene.hand.held[die.number]
        die.position, die.place = at, place

    # -- the steps ------------------------------------------------------------------------------------------------

    def _pick(self, values: Sequence[int]) -> list[Die]:
        """Active dice showing these values."""
        left = [die for die in self.scene.dice if die.place is Place.ACTIVE]
        found = []
        for value in values:
            die = next((die for die in left if die.value == value), None)
            if die is None:
                raise ValueError(f"the script takes a {value} that is not active")
            left.remove(die)
            found.append(die)
        return found

    def _gather(self, seat: str, dice: Sequence[Die]) -> Iterator[Scene]:
        """Take these dice into the hand, one after the other."""
        for die in dice:
            hand = self._come(seat, die.position)
            yield from self._glide(hand.above(die.position, PALM), 900.0)
            offset = self.rng.uniform([-16, -14, -6], [16, 18, 2])
            self._take(die, PALM + offset)

    def _throw(self, step: do.Throw) -> Iterator[Scene]:
        scene = self.scene
        back = [die for die in scene.dice if die.place is Place.GONE]
        active = [die for die in scene.dice if die.place is Place.ACTIVE]
        yield from self._gather(step.seat, active + back)
        thrown = len(scene.hand.held) if scene.hand else 0
        spare = [
            die for die in scene.dice if die.place is Place.HAND and not (scene.hand and die.number in scene.hand.held)
        ]
        hand = self._come(step.seat, np.array([*self.setting.rolling.centre, 0.0]))
        for die in spare[: len(step.values) - thrown]:
            self._take(die, PALM + self.rng.uniform([-16, -14, -6], [16, 18, 2]))
        if len(hand.held) != len(step.values):
            raise ValueError(f"{step.values} thrown with {len(hand.held)} dice in hand")
        yield from self._fling(step.values, list(range(step.lost)), cocked=step.cocked)

    def _fling(self, values: Sequence[int], lost: Sequence[int], cocked: int = 0) -> Iterator[Scene]:
        """Throw what the hand holds: shake, let go, and draw back while the dice roll."""
        scene, arena, hand = self.scene, self.setting.rolling, self.scene.hand
        assert hand is not None
        assert hand.at is not None
        reach = np.array([arena.right - arena.left, arena.back - arena.front]) / 2 - 1.6 * self.size
        origin = np.array(arena.centre) + np.clip(hand.towards[:2] * 200, -reach, reach)
        over = hand.above(np.array([*origin, 85.0]), PALM)
        yield from self._glide(over)
        for i in range(self._frames(0.35)):
            hand.at = over + np.array([8 * np.sin(2.1 * i), 8 * np.cos(1.7 * i), 5 * np.sin(2.6 * i)])
            for number in hand.held:
                scene.dice[number].position = hand.carried(number)
            yield scene
        dice = [scene.dice[number] for number in hand.held]
        hand.held.clear()
        scene.throws += 1
        flight = self._flight(dice, origin)
        turns = []
        for i, (die, value) in enumerate(zip(dice, values, strict=True)):
            turns.append(relabelled(flight.rotations[-1][i], self.setting.look, value, self.rng))
            die.place, die.value = Place.ACTIVE, None
        frames = int(np.ceil(len(flight.positions) / SAMPLES * self.fps))
        leaving = self._glide(hand.away(hand.at), 1100.0)
        for frame in range(frames + 1):
            now = min(len(flight.positions) - 1, round(frame / self.fps * SAMPLES))
            for i, die in enumerate(dice):
                die.position, die.rotation = flight.positions[now][i], flight.rotations[now][i] @ turns[i]
            if next(leaving, None) is None:
                scene.hand = None
                yield scene
            else:
                yield scene
        for i, die in enumerate(dice):
            die.value = top_value(die.rotation, self.setting.look)[0]
            if i < len(lost):
                die.place, die.position, die.value = Place.GONE, np.array([0.0, 0.0, -4000.0]), None
            elif i < len(lost) + cocked:
                self._lean(die)
        if scene.hand is not None:
            for _ in leaving:
                yield scene
            scene.hand = None

    def _lean(self, die: Die) -> None:
        """A die caught against something: tilted by 40 degrees, no clear top."""
        c, s = np.cos(0.7), np.sin(0.7)
        die.rotation = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ die.rotation
        die.position = die.position + np.array([0, 0, self.size * 0.2])
        die.value, die.cocked = None, True

    def _flight(self, dice: Sequence[Die], origin: Array) -> Flight:
        """A throw in which every die comes to lie flat, on the table and apart from the others."""
        lying = [die for die in self.scene.dice if die.place in (Place.ACTIVE, Place.KEPT) and die not in dice]
        blocks = [(die.position[0], die.position[1], self.size, die.rotation) for die in lying]
        arena = self.setting.rolling
        inner = replace(
            arena,
            left=arena.left + self.size * 0.4,
            right=arena.right - self.size * 0.4,
            front=arena.front + self.size * 0.4,
            back=arena.back - self.size * 0.4,
        )
        best, room = None, 0.0
        for _ in range(40):
            flight = self.thrower([self.size] * len(dice), inner, self.rng, obstacles=blocks, origin=tuple(origin))
            end = flight.positions[-1]
            flat = flight.tilt.max() < 3 and np.abs(end[:, 2] - self.size / 2).max() < 1.0
            if not flat or not all(inner.holds(x, y, self.size * 0.4) for x, y, _ in end):
                continue
            points = np.vstack([end, *[die.position[None] for die in lying]])[:, :2]
            gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 1e9 * np.eye(len(points))
            if gaps.min() > room:
                best, room = flight, float(gaps.min())
            if room > 1.3 * self.size:
                break
        if best is None:
            raise ArithmeticError("no throw of forty came to lie flat on the table")
        return best

    def _keep(self, seat: str, values: Sequence[int]) -> Iterator[Scene]:
        for die in self._pick(values):
            hand = self._come(seat, die.position)
            yield from self._glide(hand.above(die.position, PINCH, 35.0))
            yield from self._glide(hand.above(die.position), 400.0)
            self._take(die, PINCH)
            slot = self._slot()
            yield from self._glide(hand.above((die.position + slot) / 2, PINCH, 30.0))
            die.rotation = yaw(float(self.rng.normal(0, 12)) + _to_square(die.rotation)) @ die.rotation
            yield from self._glide(hand.above(slot))
            self._drop(die, slot, Place.KEPT)
        yield from self._leave()

    def _slot(self) -> Array:
        """The next free place of the kept row, left to right."""
        row = self.setting.kept
        pitch = min(1.45 * self.size, (row.right - row.left - self.size) / max(1, len(self.scene.dice) - 1))
        taken = sum(die.place is Place.KEPT for die in self.scene.dice)
        slack = max(0.0, pitch - 1.2 * self.size) / 2
        x = row.left + self.size * 0.6 + pitch * taken + self.rng.uniform(-slack, slack)
        deep = max(0.0, (row.back - row.front - 1.2 * self.size) / 4)
        return np.array([x, row.centre[1] + self.rng.uniform(-deep, deep), self.size / 2])

    def _turn(self, seat: str, before: Sequence[int], after: Sequence[int]) -> Iterator[Scene]:
        for die, value in zip(self._pick(before), after, strict=True):
            hand = self._come(seat, die.position)
            place = die.position.copy()
            yield from self._glide(hand.above(place, PINCH, 35.0))
            yield from self._glide(hand.above(place), 400.0)
            self._take(die, PINCH)
            die.value = None
            yield from self._glide(hand.above(place, PINCH, 12.0), 200.0)
            die.rotation = die.rotation @ relabelled(die.rotation, self.setting.look, value, self.rng)
            yield from self._glide(hand.above(place), 200.0)
            self._drop(die, place, Place.ACTIVE)
            die.value = value
        yield from self._leave()

    def _add(self, seat: str, value: int) -> Iterator[Scene]:
        die = next(die for die in self.scene.dice if die.place is Place.HAND)
        place = self._free()
        hand = self._come(seat, place)
        self._take(die, PINCH)
        turn = yaw(float(self.rng.uniform(0, 360)))
        die.rotation, die.value = turn @ relabelled(np.eye(3), self.setting.look, value, self.rng), None
        yield from self._glide(hand.above(place, PINCH, 30.0))
        yield from self._glide(hand.above(place), 400.0)
        self._drop(die, place, Place.ACTIVE)
        die.value = value
        yield from self._leave()

    def _free(self) -> Array:
        """A place of the rolling area with room around it."""
        arena = self.setting.rolling
        lying = np.array(
            [d.position[:2] for d in self.scene.dice if d.place in (Place.ACTIVE, Place.KEPT)] or [(9e9, 9e9)]
        )
        low, high = np.array([arena.left, arena.front]) + self.size, np.array([arena.right, arena.back]) - self.size
        spots = self.rng.uniform(low, high, (60, 2))
        room = np.linalg.norm(spots[:, None] - lying[None], axis=2).min(axis=1)
        spot = spots[np.minimum(room, 2.2 * self.size).argmax()]
        return np.array([*spot, self.size / 2])

    def _rest(self, seat: str, seconds: float, hide: bool) -> Iterator[Scene]:
        lying = [die.position for die in self.scene.dice if die.place is Place.ACTIVE]
        arena = self.setting.rolling
        over = lying[0] if hide and lying else np.array([arena.right - 15, arena.back - 20, 0.0])
        hand = self._come(seat, over)
        yield from self._glide(hand.above(np.array([over[0], over[1], 22.0]), PALM))
        still = hand.at
        assert still is not None
        for _ in range(self._frames(seconds)):
            hand.at = still + self.rng.normal(0, 0.35, 3)  # nobody holds quite still
            yield self.scene
        yield from self._leave()

    def _nudge(self, seat: str) -> Iterator[Scene]:
        die = next(die for die in self.scene.dice if die.place is Place.ACTIVE)
        hand = self._come(seat, die.position)
        yield from self._glide(hand.above(die.position))
        for _ in range(self._frames(0.2)):
            step = np.array([0.25, 0.1, 0]) * self.size / self._frames(0.2)
            die.position = die.position + step
            assert hand.at is not None
            hand.at = hand.at + step
            yield self.scene
        yield from self._leave()
        yield from self._pause(0.8)

    def _bump(self, mm: float, degrees: float) -> Iterator[Scene]:
        start = self.scene.camera
        x, y, z = start.target
        for share in (0.5, 1.3, 0.8, 1.1, 1.0):
            self.scene.camera = replace(
                start, target=(x + mm * share, y - 0.6 * mm * share, z), roll=start.roll + degrees * share
            )
            yield self.scene
        yield from self._pause(1.5)


def _to_square(rotation: Array) -> float:
    """Degrees that bring the nearest edge of a flat die in line with the row."""
    side = rotation[:, np.abs(rotation[2]).argmin()]
    angle = float(np.degrees(np.arctan2(side[1], side[0])))
    return -((angle + 45) % 90 - 45)
