"""A real clip as other cameras would have taken it: fewer frames a second, frames lost, other light, mirrored, smaller.

The truth stays: frames keep their numbers, and where frames are missing a window of rest counts only if enough of it is
left. Nothing is drawn: every picture is one of the clip, changed as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tests.kit.degrade import lit, noisy, packed, resized
from vision.types import Frame, Image

LOST_AT_ONCE = 0.4  # seconds for which a camera that hangs sends nothing
HANGS_EVERY = 1.3  # seconds, on the average
LOST_SINGLY = 0.15  # of the frames of an unsteady camera
FLICKER = 0.05  # by how much the light of mains lamps goes up and down
BREATHES = 1.5  # seconds in which an exposure that hunts goes up and down once


Kept = Callable[[Sequence[float], np.random.Generator], list[int]]
Picture = Callable[[Image, float], Image]


def _all(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    return list(range(len(seconds)))


@dataclass(frozen=True, slots=True)
class Change:
    """name: as a table says it; kept: which frames are left, by place (seconds of each → places); picture: what becomes
    of a picture, given its seconds; pace: how many times as fast all happens."""

    name: str
    kept: Kept = _all
    picture: Picture = lambda image, seconds: image
    pace: float = 1.0

    def frames(self, frames: Sequence[Frame], seed: int) -> Iterator[Frame]:
        """The clip, changed."""
        for place in self.kept([frame.seconds for frame in frames], np.random.default_rng(seed)):
            frame = frames[place]
            yield replace(frame, image=self.picture(frame.image, frame.seconds), seconds=frame.seconds / self.pace)


def _every(step: int) -> Kept:
    def kept(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
        return list(range(int(chance.integers(step)), len(seconds), step))

    return kept


def _singly(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    return [place for place in range(len(seconds)) if chance.random() >= LOST_SINGLY]


def _hanging(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    hangs, at = list[float](), 0.0
    while at < seconds[-1]:
        hangs.append(at + float(chance.exponential(HANGS_EVERY)))
        at = hangs[-1] + LOST_AT_ONCE
    return [place for place, one in enumerate(seconds) if not any(0 <= one - first < LOST_AT_ONCE for first in hangs)]


def _swinging(by: float, swings: float) -> Picture:
    """Light that goes up and down by this share, so many times a second."""
    return lambda image, seconds: lit(image, 1.0 + by * float(np.sin(2 * np.pi * swings * seconds)))


CHANGES = (
    Change("as filmed"),
    Change("every second frame", _every(2)),
    Change("every third frame", _every(3)),
    Change("single frames lost", _singly),
    Change("hanging camera", _hanging),
    Change("twice as fast", _every(2), pace=2.0),
    Change("mirrored", picture=lambda image, seconds: np.ascontiguousarray(image[:, ::-1])),
    Change("two thirds the size", picture=lambda image, seconds: resized(image, 2 / 3, 2 / 3)),
    Change("lighter by a quarter", picture=lambda image, seconds: lit(image, 1.25)),
    Change("half the light", picture=lambda image, seconds: lit(image, 0.5)),
    Change("flickering light", picture=_swinging(FLICKER, 7.3)),
    Change("exposure that hunts", picture=_swinging(0.2, 1 / BREATHES)),
    Change("grainy", picture=lambda image, seconds: noisy(image, 6.0, seed=round(seconds * 1000), grey=True)),
    Change("JPEG of quality 30", _every(2), lambda image, seconds: packed(image, 30)),
)
