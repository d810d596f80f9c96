"""Rolls with physics: boxes with friction and bounce in MuJoCo, from the hand until they rest."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from tests.kit.dice import Array
from tests.kit.flight import SAMPLES, Arena, Flight

STEP = 0.002


def _world(sizes: Sequence[float], arena: Arena, obstacles: Sequence[tuple[float, float, float, Array]]) -> str:
    x, y = arena.centre
    wide, deep = (arena.right - arena.left) / 2, (arena.back - arena.front) / 2
    walls = [
        (arena.left - 5, y, 5, deep + 10),
        (arena.right + 5, y, 5, deep + 10),
        (x, arena.front - 5, wide + 10, 5),
        (x, arena.back + 5, wide + 10, 5),
    ]
    parts = [f'<geom type="box" pos="{a} {b} 150" size="{w} {d} 300"/>' for a, b, w, d in walls]
    for cx, cy, size, rotation in obstacles:
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, rotation.flatten())
        half = size / 2
        parts.append(
            f'<geom type="box" pos="{cx} {cy} {half}" size="{half} {half} {half}" quat="{" ".join(map(str, quat))}"/>'
        )
    for number, size in enumerate(sizes):
        half = size / 2
        parts.append(
            f'<body name="d{number}"><freejoint/>'
            f'<geom type="box" size="{half} {half} {half}" mass="{(size / 16) ** 3 * 4}"/></body>'
        )
    return f"""<mujoco><option timestep="{STEP}" gravity="0 0 -9810" cone="elliptic" integrator="implicitfast"/>
    <default><geom solref="0.005 0.55" solimp="0.9 0.98 0.1" friction="0.35 2 0.5" condim="4"/></default>
    <worldbody><geom type="plane" size="4000 4000 10"/>{"".join(parts)}</worldbody></mujoco>"""


def simulate_roll(
    sizes: Sequence[float],
    arena: Arena,
    rng: np.random.Generator,
    *,
    obstacles: Sequence[tuple[float, float, float, Array]] = (),
    origin: tuple[float, float] | None = None,
    longest: float = 4.0,
) -> Flight:
    """Rolls dice of these edges into the arena.

    Args:
        obstacles: x, y, size and rotation of dice that already rest there.
        origin: Where the hand opens; None for random places.
    """
    model = mujoco.MjModel.from_xml_string(_world(sizes, arena, obstacles))
    data = mujoco.MjData(model)
    middle = np.array(arena.centre)
    for number, size in enumerate(sizes):
        at, speed = data.qpos[7 * number : 7 * number + 7], data.qvel[6 * number : 6 * number + 6]
        if origin is None:
            margin = size
            at[0] = rng.uniform(arena.left + margin, max(arena.left + margin + 1, arena.right - margin))
            at[1] = rng.uniform(arena.front + margin, max(arena.front + margin + 1, arena.back - margin))
            at[2] = size * (1.2 + 1.6 * number)
            speed[:2] = rng.normal(0, 120, 2)
        else:  # a cupped hand: stacked dice, rolled towards the centre
            at[:2] = np.array(origin) + rng.normal(0, size * 0.25, 2)
            at[2] = 45 + size * (0.6 + 1.5 * (number // 2)) + rng.uniform(0, 4)
            at[0] += (number % 2 - 0.5) * 1.7 * size
            way = middle - np.array(origin) + rng.normal(0, 30, 2)
            speed[:2] = way / max(1.0, float(np.linalg.norm(way))) * rng.uniform(300, 650)
            speed[2] = rng.uniform(-100, 150)
        quat = rng.normal(size=4)
        at[3:7] = quat / np.linalg.norm(quat)
        speed[3:] = rng.normal(0, 18, 3)
    every = round(1 / SAMPLES / STEP)
    positions, rotations, calm = [], [], 0
    for step in range(int(longest / STEP)):
        if step % every == 0:
            positions.append(np.array([data.body(f"d{i}").xpos for i in range(len(sizes))]))
            rotations.append(np.array([data.body(f"d{i}").xmat for i in range(len(sizes))]).reshape(-1, 3, 3))
            spin = np.abs(data.qvel.reshape(-1, 6))
            calm = calm + 1 if step > every and spin[:, :3].max() < 4 and spin[:, 3:].max() < 0.4 else 0
            if calm > 4:
                break
        mujoco.mj_step(model, data)
    if not np.isfinite(positions[-1]).all():
        raise ArithmeticError("the throw left the world")
    return Flight(np.array(positions[1:]), np.array(rotations[1:]))
