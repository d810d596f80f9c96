"""The end of a roll: dice that stop one after the other, and some that creep on when the others rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.kit.dice import Array
from tests.kit.flight import SAMPLES

# A creeping die tips over slowly to another face, or slides more and more slowly.
TIPS = 0.5  # share of creeping dice that tip over
TIPPING = (0.25, 0.6)  # seconds of the last quarter turn
ROLLING = 3.0  # die widths a second: minimum speed of a die before it tips over
GRAVITY = 9810.0  # mm/s²
SLIDING = (0.3, 0.8)  # seconds of the last slide
SLIDES = (0.3, 1.0)  # die widths of the last slide

Timeline = tuple[Array, Array]  # positions (t, 3) mm and rotations (t, 3, 3) of one die, SAMPLES a second


def longer(course: Timeline, seconds: float) -> Timeline:
    """The same path, `seconds` longer: the die moves at constant speed before it slows down as in the original.

    Of ten real dice in two clips that came to rest before a still camera, nine slowed down from 3.5 to less than 0.5
    die widths a second within a tenth of a second, and one rolled on for 0.4 seconds: none rolls in slow motion.
    """
    positions, rotations = course
    more = max(0, round(seconds * SAMPLES))
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    gone = np.concatenate([[0.0], steps.cumsum()])
    if not more or len(steps) < 2:
        return course
    pace = gone[:-1] / (np.arange(len(steps)) + more)  # speed of the constant part after the extension
    slows = int(np.flatnonzero(steps >= pace)[-1])
    at = np.interp(np.linspace(0.0, gone[slows], slows + more + 1)[:-1], gone[: slows + 1], np.arange(slows + 1))
    low = np.floor(at).astype(int)
    share = (at - low)[:, None]
    begun = positions[low] * (1 - share) + positions[low + 1] * share
    return np.vstack([begun, positions[slows:]]), np.concatenate(
        [rotations[np.round(at).astype(int)], rotations[slows:]]
    )


def creeping(course: Timeline, size: float, others: Sequence[Array], rng: np.random.Generator) -> Timeline:
    """The path of a die that ends like the given one, after creeping there.

    Args:
        size: Its edge, mm.
        others: Positions of other dice, (3,) mm each.
    """
    positions, rotations = course
    end = positions[-1]
    tips = rng.uniform() < TIPS
    far = size if tips else size * float(rng.uniform(*SLIDES))
    ways = [np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in rng.uniform(0, 2 * np.pi, 12)]
    way = max(ways, key=lambda way: min((float(np.linalg.norm(end - far * way - at)) for at in others), default=0.0))
    if tips:
        # about its edge, towards the nearest of its sides, so that it rested flat before
        sides = rotations[-1].T[np.abs(rotations[-1][2]).argsort()[:2]]
        way = max((sign * side for side in sides for sign in (-1, 1)), key=lambda side: float(side @ way))
        way = np.array([way[0], way[1], 0.0]) / np.linalg.norm(way[:2])
        tail = _tipped(end, rotations[-1], way, size, float(rng.uniform(*TIPPING)))
        rolls = np.linalg.norm(np.diff(positions, axis=0), axis=1) * SAMPLES >= ROLLING * size
        count = int(np.flatnonzero(rolls)[-1]) + 2 if rolls.any() else len(positions)
        positions, rotations, end = positions[:count], rotations[:count], positions[count - 1]
    else:
        share = (1 - np.linspace(0, 1, round(SAMPLES * rng.uniform(*SLIDING)))) ** 2
        spin = np.array([0, 0, 1.0]) * float(rng.uniform(-0.4, 0.4))
        turned = np.array([_turned(spin * one) for one in share])
        tail = end - far * way * share[:, None], turned @ rotations[-1]
    begin = np.linspace(0, 1, len(positions))[:, None]
    first = tail[1][0] @ rotations[-1].T
    return np.vstack([positions + (tail[0][0] - end) * begin, tail[0]]), np.concatenate([first @ rotations, tail[1]])


def _tipped(end: Array, rest: Array, way: Array, size: float, seconds: float) -> Timeline:
    """A quarter turn about an edge, as an inverted pendulum: the die slows down towards the balance on the edge, where
    most of the time is spent, and then accelerates.

    A cube of edge a has the moment of inertia 2/3 m a² about an edge, and its centre is a/√2 away. So the angle from
    balance is proportional to sinh(t √(3 g / (2 √2 a))).
    """
    half = seconds / 2 * np.sqrt(3 * GRAVITY / (2 * np.sqrt(2) * size))
    angles = np.pi / 4 * (1 + np.sinh(np.linspace(-half, half, round(SAMPLES * seconds))) / np.sinh(half))
    axis = np.array([-way[1], way[0], 0.0])  # perpendicular to the direction of motion: it tips forwards
    rotations = np.array([_turned(axis * (angle - np.pi / 2)) @ rest for angle in angles])
    edge = end - way * size / 2
    along = np.cos(3 * np.pi / 4 - angles) * size / np.sqrt(2)
    height = np.sin(3 * np.pi / 4 - angles) * size / np.sqrt(2)
    positions = edge + along[:, None] * way
    positions[:, 2] = end[2] - size / 2 + height
    return positions, rotations


def _turned(vector: Array) -> Array:
    """(3, 3) rotation about a vector by its length in radians (Rodrigues' formula)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
