"""Performs a script without images: simulated detections of each frame, with errors, and the truth.

MuJoCo is not needed: rolls are simplified, so that thousands of turns take minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.kit.dice import Array, top_value
from tests.kit.flight import sketched
from tests.kit.hurry import Hurry
from tests.kit.performance import performance
from tests.kit.scene import Scene, TableDie
from tests.kit.script import Step, steps
from tests.kit.setting import Setting, random_setting
from tests.kit.simulated_motion import STILL, SimulatedMotion
from tests.kit.truth import FrameTruth, TrueDie, truth_of
from vision.dice.detections import Detections
from vision.tracking.motion import Activity as Motions
from vision.types import Box

# Probabilities of the shipped live reader on photos (`scripts/measure_noise.py` of commit 149f4dd). Correct dice of
# unseen sources: quantiles of the probability of their face. Misread dice of all sources, because unseen ones had only
# one: the probability of the face read, and of the true face.
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)
SURE = (0.6, 0.903, 0.98, 0.994, 0.998, 0.9995, 0.9995)
MISREAD = (
    (0.40, 0.21), (0.42, 0.26), (0.42, 0.15), (0.46, 0.08), (0.46, 0.13), (0.46, 0.08), (0.48, 0.42), (0.51, 0.25),
    (0.51, 0.37), (0.52, 0.03), (0.54, 0.07), (0.56, 0.44), (0.57, 0.01), (0.57, 0.11), (0.57, 0.27), (0.60, 0.39),
    (0.63, 0.29), (0.65, 0.02), (0.66, 0.24), (0.66, 0.28), (0.66, 0.29), (0.69, 0.31), (0.70, 0.07), (0.71, 0.12),
    (0.71, 0.27), (0.71, 0.09), (0.78, 0.16), (0.82, 0.04), (0.84, 0.15), (0.84, 0.14), (0.84, 0.14), (0.85, 0.02),
    (0.88, 0.11), (0.93, 0.05), (0.99, 0.01), (0.995, 0.001),
)  # fmt: skip


# Probability that a moving die is found, by die widths per frame; counted in 200 passes of the shipped model over dice
# rolling in rendered turns, with the shutter open for a third of the time between frames.
BLURRED = (0.1, 0.3, 0.5, 0.7, 0.9), (0.9, 0.65, 0.6, 0.32, 0.13)
CREEPING = 0.2  # die widths per frame: a slower die is sharp enough to be read


@dataclass(frozen=True, slots=True)
class DetectorErrors:
    """Error rates of a detector.

    Attributes:
        jitter: Of a box, in die widths.
        missed, wrong, doubles: Probabilities per die and pass.
        stubborn: Probability that a die, once at rest, is misread in most passes instead of some.
        sure: Confidence of correct readings: 1 as measured, 0 always certain.
        false: Probability per pass of a die where there is none.
    """

    jitter: float = 0.02
    missed: float = 0.01
    wrong: float = 0.01
    stubborn: float = 0.002
    doubles: float = 0.005
    sure: float = 1.0
    false: float = 0.002


QUIET = DetectorErrors(0.005, 0, 0, 0, 0, 0.0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedPass:
    """One frame without an image: detections, motion, and the image's size."""

    detections: Detections
    motions: Motions
    size: tuple[int, int]
    number: int
    seconds: float


class SimulatedDetector:
    """Simulates a detector. A resting die is misread alike in every pass until it is touched.

    Args:
        slow: Creeping dice are read as they seem to rest; otherwise all moving dice are read at random.
    """

    def __init__(self, noise: DetectorErrors, table: Setting, rng: np.random.Generator, slow: bool = False) -> None:
        self._noise, self._camera, self._rng = noise, table.camera, rng
        self._slow, self._dice = slow, table.look
        self._stirring = SimulatedMotion(table)
        self._misread: dict[int, tuple[bytes, Array | None]] = {}

    def run_pass(self, scene: Scene, truth: FrameTruth) -> tuple[Detections, Motions]:
        """The detections of the next frame, and the regions that moved in it."""
        noise, rng = self._noise, self._rng
        limbs = self._stirring.limbs(scene)
        motions, steps = self._stirring.step(scene, limbs, truth)
        boxes, chances, scores = [], [], []
        for die in truth.dice:
            if die.xyxy is None:
                continue
            moved = steps[die.number] > STILL
            seen = np.interp(steps[die.number], *BLURRED) if moved else 1 - noise.missed
            if any(_covered(die.xyxy, limb) for limb in limbs) or rng.uniform() > seen:
                continue
            width = die.xyxy[2] - die.xyxy[0]
            for _ in range(1 + int(rng.uniform() < noise.doubles)):
                boxes.append(np.array(die.xyxy) + rng.normal(0, noise.jitter * width, 4))
                chances.append(self._faces(die, scene, steps[die.number]))
                scores.append(rng.uniform(0.4, 0.9) if moved else rng.uniform(0.85, 0.99))
        if rng.uniform() < noise.false:
            x, y = rng.uniform(0, self._camera.width - 40), rng.uniform(0, self._camera.height - 40)
            boxes.append(np.array([x, y, x + 40, y + 40]))
            chances.append(self._spread(int(rng.integers(1, 7)), 0.5))
            scores.append(0.5)
        found = Detections.none()
        if boxes:
            found = Detections(np.array(boxes), np.array(chances), np.array(scores))
        return found, motions

    def lose(self, truth: FrameTruth) -> None:
        """Drops a frame."""
        self._stirring.lose(truth)

    def _faces(self, die: TrueDie, scene: Scene, far: float) -> Array:
        """Face probabilities of one pass at a die that has moved `far` die widths since the last frame."""
        body = scene.dice[die.number]
        if self._slow and far < CREEPING and (die.value is None or far > STILL) and not body.cocked:
            return self._seeming(body)
        if die.value is None or far > STILL:
            return self._spread(int(self._rng.integers(1, 7)), float(self._rng.uniform(0.3, 0.7)))
        pose = body.position.tobytes() + body.rotation.tobytes()
        if self._misread.get(die.number, (b"", None))[0] != pose:
            stubborn = self._rng.uniform() < self._noise.stubborn
            self._misread[die.number] = (pose, self._wrong(die.value) if stubborn else None)
        wrong = self._misread[die.number][1]
        if wrong is not None and self._rng.uniform() < 0.7:
            return wrong
        if self._rng.uniform() < self._noise.wrong:
            return self._wrong(die.value)
        sure = float(np.interp(self._rng.uniform(), SHARES, SURE))
        return self._spread(die.value, 1 - (1 - sure) * self._noise.sure)

    def _seeming(self, body: TableDie) -> Array:
        """Face probabilities of a creeping die: the top face, more certain the flatter it is."""
        value, tilt = top_value(body.rotation, self._dice)
        sure = float(np.interp(tilt, (10.0, 40.0), (float(np.interp(self._rng.uniform(), SHARES, SURE)), 0.4)))
        return self._spread(value, sure)

    def _wrong(self, value: int) -> Array:
        """Face probabilities of a misread die with this value."""
        top, true = MISREAD[self._rng.integers(len(MISREAD))]
        seems = int((value - 1 + self._rng.integers(1, 6)) % 6)
        chances = self._rng.uniform(0.0, 1.0, 6)
        chances[[seems, value - 1]] = 0.0
        chances *= min(1 - top - true, 3.9 * top) / chances.sum()
        chances[[seems, value - 1]] = top, true
        return np.asarray(chances / chances.sum())

    def _spread(self, value: int, sure: float) -> Array:
        chances = self._rng.uniform(0.0, 1.0, 6)
        chances[value - 1] = 0.0
        chances *= (1 - sure) / chances.sum()
        chances[value - 1] = sure
        return chances


def _covered(die: Box, limb: Array) -> bool:
    """Whether the centre of the die is under the hand or the arm."""
    middle = (die[0] + die[2]) / 2, (die[1] + die[3]) / 2
    return cv2.pointPolygonTest(limb, middle, False) >= 0


def simulate_detections(
    script: Sequence[Step] | str,
    layout: str = "mat",
    seed: int = 0,
    *,
    setting: Setting | None = None,
    noise: DetectorErrors | None = None,
    fps: float = 15.0,
    hurry: Hurry | None = None,
) -> Iterator[tuple[SimulatedPass, FrameTruth]]:
    """Performs the script and yields detections frame by frame. `hurry`: parameters of players who do not wait."""
    todo = list(steps(script) if isinstance(script, str) else script)
    table = setting or random_setting(layout, seed)
    eye = SimulatedDetector(
        noise or DetectorErrors(), table, np.random.default_rng([0xE7E, seed]), slow=hurry is not None
    )
    size = (table.camera.width, table.camera.height)
    pose: tuple[Array, ...] | None = None
    for number, (scene, lost) in enumerate(performance(todo, table, seed, fps, sketched, hurry)):
        if lost:
            eye.lose(truth_of(scene, table, True, number, number / fps))
            continue
        now = scene.pose
        moving = pose is None or not all(np.array_equal(a, b) for a, b in zip(now, pose, strict=True))
        truth = truth_of(scene, table, moving, number, number / fps)
        detections, motions = eye.run_pass(scene, truth)
        pose = now
        yield SimulatedPass(detections, motions, size, number, number / fps), truth
        scene.done.clear()
        scene.entered.clear()
