"""A scripted table: dice that rest, roll, hide or turn, seen by a noisy detector thirty times a second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import DrawnAreas, Layout
from vision.tracking.motion import Activity, Box
from vision.types import Reading

WIDTH = 50.0  # of a die, pixels
SIZE = (1280, 720)
AREAS = DrawnAreas(
    rolling=((0.0, 0.0), (1.0, 0.0), (1.0, 0.75), (0.0, 0.75)), kept=((0.0, 0.78), (1.0, 0.78), (1.0, 1.0), (0.0, 1.0))
)
KEPT_ROW = 13.0  # y in die widths, inside the kept area
HAND = (8.0, 3.0, 16.0, 14.0)  # where a hand works, in die widths

Die = tuple[float, float, int]  # x, y (die widths), value


class NeverAsked:
    """A detector that must not run, because the scripted table brings its own detections."""

    def detect(self, image: object) -> Detections:
        """Never called."""
        raise AssertionError("the detector was asked")


class DetectedTable:
    """Feeds a pipeline with detections made from words; calls return the last reading, `settled` collects the new
    ones."""

    def __init__(self, layout: Layout | None = None, rate: float = 30.0, seed: int = 0) -> None:
        self.watch = Pipeline(NeverAsked(), layout)
        self.settled: list[Reading] = []
        self.frame = 0
        self._rate = rate
        self._noise = np.random.default_rng(seed)

    def rest(self, dice: Sequence[Die], frames: int = 30, hand: Box | None = None, sure: float = 0.95) -> Reading:
        """Sends frames in which these dice rest; returns the last reading."""
        scene = Activity(hands=(scaled(hand),) if hand else (), moving=(scaled(hand),) if hand else ())
        for _ in range(frames):
            reading = self.send(dice, scene, sure)
        return reading

    def roll(self, dice: Sequence[Die], resting: Sequence[Die] = (), frames: int = 12) -> Reading:
        """The dice roll in from the left, slowing down, with changing faces; the others rest. Then all rest."""
        for step in range(frames):
            back = 27.0 * ((frames - step) / self._rate) ** 2
            rolling = [(x - back, y + 0.2 * back, 1 + (value + step // 2) % 6) for x, y, value in dice]
            moving = tuple(box_at(x, y) for x, y, _ in rolling)
            self.send([*resting, *rolling], Activity(moving=moving), sure=0.7)
        return self.rest([*resting, *dice])

    def send(self, dice: Sequence[Die], scene: Activity, sure: float = 0.95) -> Reading:
        """Sends one frame."""
        seconds = self.frame / self._rate
        rows = [
            (np.array(box_at(x, y)) + self._noise.normal(0, 0.02 * WIDTH, 4), chances(value, sure))
            for x, y, value in dice
        ]
        seen = (
            Detections(
                np.array([box for box, _ in rows], np.float32),
                np.array([row for _, row in rows], np.float32),
                np.full(len(rows), 0.9, np.float32),
            )
            if rows
            else Detections.none()
        )
        self.watch.see(seen, seconds, scene.hands)
        reading = self.watch.conclude(scene, SIZE, self.frame, seconds)
        self.frame += 1
        facts = (round(reading.rolls), reading.active, reading.kept)
        if reading.settled and (
            not self.settled or facts != (round(self.settled[-1].rolls), self.settled[-1].active, self.settled[-1].kept)
        ):
            self.settled.append(reading)
        return reading

    @property
    def facts(self) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
        """(rolls, active, kept) of every newly settled reading."""
        return [(round(reading.rolls), reading.active, reading.kept) for reading in self.settled]


def box_at(x: float, y: float) -> Box:
    """The box of a die with its centre at (x, y), in die widths."""
    return ((x - 0.5) * WIDTH, (y - 0.5) * WIDTH, (x + 0.5) * WIDTH, (y + 0.5) * WIDTH)


def scaled(box: Box) -> Box:
    """Die widths → pixels."""
    left, top, right, bottom = (value * WIDTH for value in box)
    return left, top, right, bottom


def chances(value: int, sure: float) -> np.ndarray:
    """A detector's row: the value with this probability, the rest shared equally."""
    row = np.full(6, (1 - sure) / 5)
    row[value - 1] = sure
    return row
