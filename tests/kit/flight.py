"""Paths of rolled dice, and a simplified roll without physics for tests that need many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.kit.dice import ROTATIONS, Array

SAMPLES = 60  # recorded poses a second
# For rolls without physics. Of 160 dice rolled with physics onto a sheet of A4, half stop within 0.25 seconds of
# leaving the hand and slow down from 8 to 1.5 die widths a second within 0.05; in the only measured clip of real dice
# they roll for 0.4 to 1.0 seconds.
LASTS = (0.2, 1.0)  # seconds
SLOWING = (1.05, 2.0)  # 1: it stops at full speed


@dataclass(frozen=True, slots=True)
class Arena:
    """The rectangle for rolling, mm: left, front, right, back. Invisible walls keep the dice inside."""

    left: float
    front: float
    right: float
    back: float

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of the rectangle, mm."""
        return (self.left + self.right) / 2, (self.front + self.back) / 2

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether the point is at least `margin` inside."""
        return self.left + margin <= x <= self.right - margin and self.front + margin <= y <= self.back - margin


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """The paths of rolled dice.

    Attributes:
        positions: (t, n, 3) mm at SAMPLES per second; the last row is at rest.
        rotations: (t, n, 3, 3).
    """

    positions: Array
    rotations: Array

    @property
    def tilt(self) -> Array:
        """(n,) final tilt of each die, degrees; 0 for a flat one."""
        return np.degrees(np.arccos(np.clip(np.abs(self.rotations[-1][:, 2, :]).max(axis=1), 0, 1)))


def sketched(
    sizes: Sequence[float],
    arena: Arena,
    rng: np.random.Generator,
    *,
    obstacles: Sequence[tuple[float, float, float, Array]] = (),
    origin: tuple[float, float] = (0.0, 0.0),
) -> Flight:
    """A roll without physics: dice slide from the origin to free places of the arena and tumble. Arguments and duration
    as for `roll_physics.simulate_roll`."""
    size = max(sizes)
    taken = [(x, y) for x, y, *_ in obstacles]
    low, high = np.array([arena.left, arena.front]) + size, np.array([arena.right, arena.back]) - size
    ends = []
    for _ in sizes:
        spots = rng.uniform(low, high, (40, 2))
        room = np.min([np.linalg.norm(spots - place, axis=1) for place in taken] or [np.full(40, 1e9)], axis=0)
        ends.append(spots[np.minimum(room, 1.4 * size).argmax()])
        taken.append((float(ends[-1][0]), float(ends[-1][1])))
    samples = int(SAMPLES * rng.uniform(*LASTS))
    share = 1 - (1 - np.linspace(0, 1, samples)) ** rng.uniform(*SLOWING)
    flat = np.array(origin) + (np.array(ends)[None] - np.array(origin)) * share[:, None, None]
    high_up = (1 - share[:, None]) * 40 + np.array(sizes) / 2
    positions = np.concatenate([flat, np.broadcast_to(high_up[..., None], (*flat.shape[:2], 1))], axis=2)
    spins = rng.normal(0, 9, (len(sizes), 3))
    yaws = np.zeros((len(sizes), 3))
    yaws[:, 2] = rng.uniform(0, 2 * np.pi, len(sizes))
    rest = _turns(yaws) @ np.array(ROTATIONS)[rng.integers(24, size=len(sizes))]
    return Flight(positions, _turns(spins[None] * (1 - share)[:, None, None]) @ rest[None])


def _turns(vectors: Array) -> Array:
    """(..., 3, 3) rotations about vectors (..., 3) by their lengths in radians (Rodrigues' formula)."""
    angles = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    none = np.zeros_like(x)
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*vectors.shape[:-1], 3, 3)
    cross = cross / np.maximum(angles, 1e-12)
    return np.asarray(np.eye(3) + np.sin(angles) * cross + (1 - np.cos(angles)) * cross @ cross)
