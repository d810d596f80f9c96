"""Building blocks of every step: time passes; a hand comes, takes dice, puts them down and leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tests.kit.dice import Array
from tests.kit.flight import Flight
from tests.kit.hands import Hand, smooth
from tests.kit.scene import Place, Scene, TableDie
from tests.kit.setting import Setting

PALM = np.array([0.0, 8.0, -16.0])  # mm from the palm to dice gathered for a roll
UNSEEN = (0.0, 0.0, -4000.0)  # mm: place of dice that are not on the table


class Moves:
    """The scene and the movements that change it; every `yield` is one frame.

    Args:
        simulate_roll: Rolls dice, like `roll_physics.simulate_roll` or `flight.sketched`.
        pace: Speed of hands, as a multiple of the usual one.
    """

    pace = 1.0

    def __init__(
        self, setting: Setting, dice: int, rng: np.random.Generator, fps: float, simulate_roll: Callable[..., Flight]
    ) -> None:
        self.setting, self.rng, self.fps, self.simulate_roll = setting, rng, fps, simulate_roll
        hidden = np.array(UNSEEN)
        self.scene = Scene([TableDie(i, hidden.copy(), np.eye(3)) for i in range(dice)], setting.camera)
        self.size = setting.look.size

    def _frames(self, seconds: float) -> int:
        return max(1, round(seconds * self.fps))

    def _pause(self, seconds: float) -> Iterator[Scene]:
        for _ in range(self._frames(seconds)):
            yield self.scene

    def _come(self, seat: str, over: Array) -> Hand:
        if self.scene.hand is None:
            self.scene.hand = Hand(seat)
        hand = self.scene.hand
        if hand.at is None:
            hand.at = self._away(hand, over)
        return hand

    def _away(self, hand: Hand, over: Array) -> Array:
        """The waiting position of a hand outside the image, before and after it works at this place."""
        return hand.away(over)

    def _ready(self, die: TableDie) -> Iterator[Scene]:
        """Waits until the die may be taken; at once, because patient players wait until all dice rest anyway."""
        yield from ()

    def _glide(self, to: Array, speed: float = 750.0) -> Iterator[Scene]:
        hand = self.scene.hand
        assert hand is not None
        assert hand.at is not None
        start = hand.at.copy()
        count = self._frames(max(0.12, float(np.linalg.norm(to - start)) / (speed * self.pace)))
        for i in range(count):
            hand.at = start + (to - start) * smooth((i + 1) / count)
            for number in hand.held:
                self.scene.dice[number].position = hand.carried(number)
            yield self.scene

    def _leave(self) -> Iterator[Scene]:
        hand = self.scene.hand
        if hand is None or hand.at is None:
            return
        yield from self._glide(self._away(hand, hand.at), 1100.0)
        for number in hand.held:
            self.scene.dice[number].position = np.array(UNSEEN)
        self.scene.hand = None
        yield self.scene

    def _take(self, die: TableDie, grip: Array) -> None:
        assert self.scene.hand is not None
        die.place, die.cocked = Place.HAND, False
        self.scene.hand.held[die.number] = grip

    def _drop(self, die: TableDie, at: Array, place: Place) -> None:
        assert self.scene.hand is not None
        del self.scene.hand.held[die.number]
        die.position, die.place = at, place

    def _pick(self, values: Sequence[int], place: Place = Place.ACTIVE) -> list[TableDie]:
        """Dice at that place, by default the active ones, that show these values."""
        left = [die for die in self.scene.dice if die.place is place]
        found = []
        for value in values:
            die = next((die for die in left if die.value == value), None)
            if die is None:
                raise ValueError(f"the script takes a {value} that is not {place.name.lower()}")
            left.remove(die)
            found.append(die)
        return found

    def _gather(self, seat: str, dice: Sequence[TableDie]) -> Iterator[Scene]:
        """Takes these dice into the hand, one after the other."""
        for die in dice:
            if die.place is not Place.GONE:  # a fallen die is not picked up here
                yield from self._ready(die)
                hand = self._come(seat, die.position)
                yield from self._glide(hand.above(die.position, PALM), 900.0)
            self._come(seat, np.array([*self.setting.rolling.centre, 0.0]))
            self._take(die, PALM + self.rng.uniform([-16, -14, -6], [16, 18, 2]))
