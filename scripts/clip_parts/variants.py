"""Variants of a real clip, as other cameras would have recorded it.

Frame rate, lost frames, light, mirroring and size vary. The ground truth stays valid: frames keep their numbers, and
where frames are missing, a period of rest counts only if enough of it remains. Every image is an original one, changed
as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tests.kit.degrade import lit, noisy, packed, resized
from vision.types import Frame, Image

LOST_AT_ONCE = 0.4  # seconds without frames when the camera hangs
HANGS_EVERY = 1.3  # mean seconds between hangs
LOST_SINGLY = 0.15  # share of single frames lost
FLICKER = 0.05  # amplitude of mains flicker, share of the light
BREATHES = 1.5  # period of a hunting exposure, seconds


FrameSelection = Callable[[Sequence[float], np.random.Generator], list[int]]
PictureChange = Callable[[Image, float], Image]


def _all(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    return list(range(len(seconds)))


@dataclass(frozen=True, slots=True)
class ClipVariant:
    """One way of changing a clip.

    Attributes:
        name: Its name in result tables.
        selected: Selects frames: seconds of all frames → their positions.
        picture: Changes an image, given its time in seconds.
        pace: Speed factor.
    """

    name: str
    selected: FrameSelection = _all
    picture: PictureChange = lambda image, seconds: image
    pace: float = 1.0

    def frames(self, frames: Sequence[Frame], seed: int) -> Iterator[Frame]:
        """Yields the changed frames; seed: of the random selection."""
        for place in self.selected([frame.seconds for frame in frames], np.random.default_rng(seed)):
            frame = frames[place]
            yield replace(frame, image=self.picture(frame.image, frame.seconds), seconds=frame.seconds / self.pace)


def _every(step: int) -> FrameSelection:
    def selected(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
        return list(range(int(chance.integers(step)), len(seconds), step))

    return selected


def _singly(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    return [place for place in range(len(seconds)) if chance.random() >= LOST_SINGLY]


def _hanging(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    hangs, at = list[float](), 0.0
    while at < seconds[-1]:
        hangs.append(at + float(chance.exponential(HANGS_EVERY)))
        at = hangs[-1] + LOST_AT_ONCE
    return [place for place, one in enumerate(seconds) if not any(0 <= one - first < LOST_AT_ONCE for first in hangs)]


def _swinging(by: float, swings: float) -> PictureChange:
    """Light that oscillates by the share `by`; swings: oscillations per second."""
    return lambda image, seconds: lit(image, 1.0 + by * float(np.sin(2 * np.pi * swings * seconds)))


CHANGES = (
    ClipVariant("as filmed"),
    ClipVariant("every second frame", _every(2)),
    ClipVariant("every third frame", _every(3)),
    ClipVariant("single frames lost", _singly),
    ClipVariant("hanging camera", _hanging),
    ClipVariant("twice as fast", _every(2), pace=2.0),
    ClipVariant("mirrored", picture=lambda image, seconds: np.ascontiguousarray(image[:, ::-1])),
    ClipVariant("two thirds the size", picture=lambda image, seconds: resized(image, 2 / 3, 2 / 3)),
    ClipVariant("lighter by a quarter", picture=lambda image, seconds: lit(image, 1.25)),
    ClipVariant("half the light", picture=lambda image, seconds: lit(image, 0.5)),
    ClipVariant("flickering light", picture=_swinging(FLICKER, 7.3)),
    ClipVariant("exposure that hunts", picture=_swinging(0.2, 1 / BREATHES)),
    ClipVariant("grainy", picture=lambda image, seconds: noisy(image, 6.0, seed=round(seconds * 1000), grey=True)),
    ClipVariant("JPEG of quality 30", _every(2), lambda image, seconds: packed(image, 30)),
)
