"""Handling resting dice: set aside, turned, added, nudged, or covered by a resting hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tests.kit.dice import Array, relabelled
from tests.kit.hands import PINCH, yaw
from tests.kit.moves import PALM, Moves
from tests.kit.scene import Place, Scene

ABOUT = 0.15  # die widths, standard deviation in each direction: distance of a turned die from its old place


class Handling(Moves):
    """Movements of one hand that handles resting dice."""

    def _keep(self, seat: str, values: Sequence[int]) -> Iterator[Scene]:
        for die in self._pick(values):
            yield from self._ready(die)
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
        """The next free place of the kept row, from left to right."""
        row = self.setting.kept
        pitch = min(1.45 * self.size, (row.right - row.left - 1.6 * self.size) / max(1, len(self.scene.dice) - 1))
        taken = sum(die.place is Place.KEPT for die in self.scene.dice)
        slack = max(0.0, pitch - 1.2 * self.size) / 2
        x = row.left + self.size * 0.9 + pitch * taken + self.rng.uniform(-slack, slack)
        deep = max(0.0, (row.back - row.front - 1.2 * self.size) / 4)
        return np.array([x, row.centre[1] + self.rng.uniform(-deep, deep), self.size / 2])

    def _turn(self, seat: str, before: Sequence[int], after: Sequence[int]) -> Iterator[Scene]:
        for die, value in zip(self._pick(before), after, strict=True):
            yield from self._ready(die)
            hand = self._come(seat, die.position)
            place = die.position.copy()
            yield from self._glide(hand.above(place, PINCH, 35.0))
            yield from self._glide(hand.above(place), 400.0)
            self._take(die, PINCH)
            die.value = None
            yield from self._glide(hand.above(place, PINCH, 12.0), 200.0)
            die.rotation = die.rotation @ relabelled(die.rotation, self.setting.look, value, self.rng)
            place = self._about(place, die.number)
            yield from self._glide(hand.above(place), 200.0)
            self._drop(die, place, Place.ACTIVE)
            die.value = value
        yield from self._leave()

    def _about(self, place: Array, number: int) -> Array:
        """A free place near the old one where a die is put down again."""
        about = place + np.array([*self.rng.normal(0, ABOUT * self.size, 2), 0.0])
        resting = [die.position for die in self.scene.dice if die.number != number and die.place is not Place.HAND]
        room = min((float(np.linalg.norm((about - one)[:2])) for one in resting), default=np.inf)
        return np.asarray(about) if room > 1.2 * self.size and self.setting.rolling.holds(*about) else place

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
        """A free place of the rolling area with room around it."""
        arena = self.setting.rolling
        resting = np.array(
            [d.position[:2] for d in self.scene.dice if d.place in (Place.ACTIVE, Place.KEPT)] or [np.array((9e9, 9e9))]
        )
        low, high = np.array([arena.left, arena.front]) + self.size, np.array([arena.right, arena.back]) - self.size
        spots = self.rng.uniform(low, high, (60, 2))
        room = np.linalg.norm(spots[:, None] - resting[None], axis=2).min(axis=1)
        spot = spots[np.minimum(room, 2.2 * self.size).argmax()]
        return np.array([*spot, self.size / 2])

    def _rest(self, seat: str, seconds: float, hide: bool) -> Iterator[Scene]:
        resting = [die.position for die in self.scene.dice if die.place is Place.ACTIVE]
        arena = self.setting.rolling
        over = resting[0] if hide and resting else np.array([arena.right - 15, arena.back - 20, 0.0])
        hand = self._come(seat, over)
        yield from self._glide(hand.above(np.array([over[0], over[1], 22.0]), PALM))
        still = hand.at
        assert still is not None
        for _ in range(self._frames(seconds)):
            hand.at = still + self.rng.normal(0, 0.35, 3)  # hands tremble
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


def _to_square(rotation: Array) -> float:
    """The rotation in degrees that aligns the nearest edge of a flat die with the row."""
    side = rotation[:, np.abs(rotation[2]).argmin()]
    angle = float(np.degrees(np.arctan2(side[1], side[0])))
    return -((angle + 45) % 90 - 45)
