"""Rolls: dice are gathered, shaken and released, and come to rest with the values of the script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tests.kit import script as do
from tests.kit.dice import Array, relabelled, top_value
from tests.kit.flight import SAMPLES, Flight
from tests.kit.hands import smooth
from tests.kit.moves import PALM, UNSEEN, Moves
from tests.kit.scene import Place, Scene, TableDie

OFF = np.array([420.0, 160.0, -30.0])  # mm: displacement of a die that rolls off the table
TRIES = 40  # maximum number of attempts until all dice rest flat, on the table and apart


class RollMovements(Moves):
    """Movements that end with rolling dice."""

    def _roll(self, step: do.RollDice) -> Iterator[Scene]:
        scene = self.scene
        back = [die for die in scene.dice if die.place is Place.GONE]
        active = [die for die in scene.dice if die.place is Place.ACTIVE]
        yield from self._gather(step.seat, active + back)
        rolled = len(scene.hand.held) if scene.hand else 0
        spare = [
            die for die in scene.dice if die.place is Place.HAND and not (scene.hand and die.number in scene.hand.held)
        ]
        hand = self._come(step.seat, np.array([*self.setting.rolling.centre, 0.0]))
        for die in spare[: len(step.values) - rolled]:
            self._take(die, PALM + self.rng.uniform([-16, -14, -6], [16, 18, 2]))
        if len(hand.held) != len(step.values):
            raise ValueError(f"{step.values} rolled with {len(hand.held)} dice in hand")
        yield from self._release(step.values, step.lost, step.cocked)

    def _release(self, values: Sequence[int], lost: int = 0, cocked: int = 0) -> Iterator[Scene]:
        """Rolls the dice in the hand: shake, let go, and withdraw while they roll.

        The first `lost` of them roll off the table, the next `cocked` end up leaning.
        """
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
        scene.rolls += 1
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
                if i < lost:
                    die.position = die.position + OFF * (frame / frames) ** 2
                elif i < lost + cocked:
                    self._lean(die, smooth(frame / frames))
            if next(leaving, None) is None:
                scene.hand = None
            yield scene
        for i, die in enumerate(dice):
            if i < lost:
                die.place, die.position = Place.GONE, np.array(UNSEEN)
            elif i >= lost + cocked:
                die.value = top_value(die.rotation, self.setting.look)[0]
        yield from leaving
        scene.hand = None

    def _lean(self, die: TableDie, share: float) -> None:
        """Tilts a die against an obstacle by 40 degrees at the end, with no clear top."""
        c, s = np.cos(0.7 * share), np.sin(0.7 * share)
        die.rotation = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ die.rotation
        die.position = die.position + np.array([0, 0, self.size * 0.2 * share])
        die.cocked = True

    def _flight(self, dice: Sequence[TableDie], origin: Array) -> Flight:
        """A roll after which every die rests flat, on the table and apart from the others."""
        resting = [die for die in self.scene.dice if die.place in (Place.ACTIVE, Place.KEPT) and die not in dice]
        blocks = [(die.position[0], die.position[1], self.size, die.rotation) for die in resting]
        arena = self.setting.rolling
        inner = replace(
            arena,
            left=arena.left + self.size * 0.4,
            right=arena.right - self.size * 0.4,
            front=arena.front + self.size * 0.4,
            back=arena.back - self.size * 0.4,
        )
        best, room = None, 0.0
        for _ in range(TRIES):
            flight = self.simulate_roll(
                [self.size] * len(dice), inner, self.rng, obstacles=blocks, origin=tuple(origin)
            )
            end = flight.positions[-1]
            flat = flight.tilt.max() < 3 and np.abs(end[:, 2] - self.size / 2).max() < 1.0
            if not flat or not all(inner.holds(x, y, self.size * 0.4) for x, y, _ in end):
                continue
            points = np.vstack([end, *[die.position[None] for die in resting]])[:, :2]
            gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 1e9 * np.eye(len(points))
            if gaps.min() > room:
                best, room = flight, float(gaps.min())
            if room > 1.3 * self.size:
                break
        if best is None:
            raise ArithmeticError("no roll came to rest flat on the table")
        return best
