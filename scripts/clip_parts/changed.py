"""A real clip as other cameras would have taken it: fewer frames a second, frames lost, other light, mirrored, smaller.

The truth stays: frames keep their numbers, and where frames are missing a window of rest counts only if enough of it is
left. Nothing is drawn: every picture is one of the clip, changed as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.types import Frame, Image

LOST_AT_ONCE = 0.4  # seconds for which a camera that hangs sends nothing
HANGS_EVERY = 1.3  # seconds, on the average
LOST_SINGLY = 0.15  # of the frames of an unsteady camera
FLICKER = 0.05  # by how much the light of mains lamps goes up and down
BREATHES = 1.5  # seconds in which an exposure that hunts goes up and down once


@dataclass(frozen=True, slots=True)
class Change:
    """name: as a table says it; kept: which frames are left, by place (seconds of each → places); picture: what becomes
    of a picture, given its seconds; pace: how many times as fast all happens."""

    name: str
    kept: Callable[[Sequence[float], np.random.Generator], list[int]]
    picture: Callable[[Image, float], Image]
    pace: float = 1.0

    def frames(self, frames: Sequence[Frame], seed: int) -> Iterator[Frame]:
        """The clip, changed."""
        for place in self.kept([frame.seconds for frame in frames], np.random.default_rng(seed)):
            frame = frames[place]
            yield replace(frame, image=self.picture(frame.image, frame.seconds), seconds=frame.seconds / self.pace)


def _all(seconds: Sequence[float], chance: np.random.Generator) -> list[int]:
    return list(range(len(seconds)))


def _every(step: int) -> Callable[[Sequence[float], np.random.Generator], list[int]]:
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


def _as_it_is(image: Image, seconds: float) -> Image:
    return image


def _gain(by: Callable[[float], float]) -> Callable[[Image, float], Image]:
    return lambda image, seconds: np.asarray(cv2.convertScaleAbs(image, alpha=by(seconds)), np.uint8)


def _mirrored(image: Image, seconds: float) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def _scaled(by: float) -> Callable[[Image, float], Image]:
    return lambda image, seconds: np.asarray(
        cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8
    )


def _grainy(image: Image, seconds: float) -> Image:
    grain = np.random.default_rng(round(seconds * 1000)).normal(0.0, 6.0, image.shape[:2])
    return np.clip(image + grain[..., None], 0, 255).astype(np.uint8)


def _pressed(image: Image, seconds: float) -> Image:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 30])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


CHANGES = (
    Change("as filmed", _all, _as_it_is),
    Change("every second frame", _every(2), _as_it_is),
    Change("every third frame", _every(3), _as_it_is),
    Change("single frames lost", _singly, _as_it_is),
    Change("hanging camera", _hanging, _as_it_is),
    Change("twice as fast", _every(2), _as_it_is, pace=2.0),
    Change("mirrored", _all, _mirrored),
    Change("two thirds the size", _all, _scaled(2 / 3)),
    Change("lighter by a quarter", _all, _gain(lambda seconds: 1.25)),
    Change("half the light", _all, _gain(lambda seconds: 0.5)),
    Change("flickering light", _all, _gain(lambda seconds: 1.0 + FLICKER * np.sin(2 * np.pi * 7.3 * seconds))),
    Change("exposure that hunts", _all, _gain(lambda seconds: 1.0 + 0.2 * np.sin(2 * np.pi * seconds / BREATHES))),
    Change("grainy", _all, _grainy),
    Change("JPEG of quality 30", _every(2), _pressed),
)
