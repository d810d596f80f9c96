"""Measures for a few seconds how well a camera sees the table, and says what to improve."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.camera.checklist import GLARE, GOOD_PIXELS, MIN_CONFIDENCE, SLOW_RATE, SMALL_PIXELS
from vision.pipeline import Pipeline
from vision.tracking.frame_quality import BLUR_DIE, DiceQuality, dice_quality
from vision.types import Frame, Lost, Reading

SLOW_READING_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class CheckUp:
    """The measurements.

    Attributes:
        rate: Frames a second.
        delay: Seconds from a frame's arrival to its reading.
        quality: Image quality of the dice; None without dice.
    """

    size: tuple[int, int]
    rate: float
    delay: float
    brightness: float
    dice: int
    mat: bool
    quality: DiceQuality | None
    problem: str | None

    def findings(self) -> list[str]:
        """The measurements, one line each."""
        lines = [
            f"picture     {self.size[0]}×{self.size[1]}, {self.rate:.0f} per second",
            f"brightness  {self.brightness:.0f} of 255",
            f"delay       {self.delay * 1000:.0f} ms from picture to reading",
            f"mat         {'found' if self.mat else 'not in the picture'}",
            f"dice        {self.dice or 'none in the picture'}",
        ]
        if self.quality is not None:
            lines += [
                f"die width   {self.quality.die_pixels:.0f} px",
                f"sharpness   edges {self.quality.blur * 100:.0f} % of a die wide",
                f"glare       {self.quality.glare * 100:.0f} % of a die overexposed",
                f"confidence  {self.quality.confidence * 100:.0f} % for the least certain die",
            ]
        return lines

    def advice(self) -> list[str]:
        """Improvements to make, the most important first; empty if all is well."""
        advice = [self.problem] if self.problem else []
        if self.rate < SLOW_RATE:
            advice.append(
                f"Only {self.rate:.0f} pictures per second. More light, a smaller picture or another USB port helps."
            )
        if self.delay > SLOW_READING_SECONDS:
            advice.append(f"A reading takes {self.delay * 1000:.0f} ms. Close other programs or use a smaller picture.")
        if self.quality is None:
            return [*advice, "No dice in the picture. Put some on the table and try again."]
        width = self.quality.die_pixels
        if width < SMALL_PIXELS:
            advice.append(f"The dice are {width:.0f} pixels wide. Move the camera closer.")
        elif width < GOOD_PIXELS:
            advice.append(f"The dice are {width:.0f} pixels wide. A little closer would be better.")
        if self.quality.blur > BLUR_DIE:
            advice.append("The dice are blurred. Focus the camera, clean the lens or add light.")
        if self.quality.glare > GLARE:
            advice.append("The dice shine. Turn the lamp aside or hang paper in front of it.")
        if self.quality.confidence < MIN_CONFIDENCE:
            advice.append("A die is hard to read. Place the camera higher so that it sees the top faces.")
        return advice


def examine(source: Iterable[Frame | Lost], pipeline: Pipeline, seconds: float) -> CheckUp | Lost:
    """Watches for this many seconds of the source's time, and measures the dice once they rest. Lost if there was no
    frame."""
    stamps: list[float] = []
    delays: list[float] = []
    last: tuple[Frame, Reading] | None = None
    for item in source:
        started = time.perf_counter()
        reading = pipeline.step(item)
        if isinstance(item, Lost):
            if last is None:
                return item
            break
        stamps.append(item.seconds)
        delays.append(time.perf_counter() - started)
        if last is None or reading.settled or not last[1].settled:
            last = (item, reading)
        if item.seconds - stamps[0] >= seconds:
            break
    if last is None:
        return Lost(0.0, "the source contains no pictures")
    image, reading = last[0].image, last[1]
    height, width = image.shape[:2]
    span = stamps[-1] - stamps[0]
    return CheckUp(
        size=(width, height),
        rate=(len(stamps) - 1) / span if span > 0 else 0.0,
        delay=float(np.percentile(delays, 95)),
        brightness=float(image[::8, ::8].mean()),
        dice=len(reading.dice),
        mat=bool(pipeline.layout.outlines((width, height))),
        quality=dice_quality(image, reading.dice),
        problem=reading.doubt,
    )
