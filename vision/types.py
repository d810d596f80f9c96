"""The values that the vision side exchanges: frames in, readings out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from vision.messages import Doubt

Image = npt.NDArray[np.uint8]  # (H, W, 3), BGR
Box = tuple[float, float, float, float]  # left, top, right, bottom, pixels


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        seconds: Media time of a file, monotonic time of a live source.
        number: Counts from 0. In a folder of stills it is the number of the still, which is shown for several frames.
        sent: (width, height) as the camera sent it, if that differs from the image.
    """

    image: npt.NDArray[np.uint8]
    seconds: float
    number: int
    sent: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """The value that a live source yields while it has no frame. A missing frame is never replaced by an invented one.

    Attributes:
        seconds: Monotonic time.
        why: One sentence for the players.
        starting: The source says that it will have frames soon.
    """

    seconds: float
    why: str
    starting: bool = False


class Motion(StrEnum):
    """The state of the table."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    STABLE = "stable"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die at rest, or one that a hand covers.

    Attributes:
        track: Its identity, stable while it is tracked.
        xyxy: Box in pixels.
        probabilities: Voted probabilities of the top faces 1..6.
        kept: It is in the kept zone; without one, it did not roll with the last roll.
        rested_since: Seconds when it came to rest there; constant until it is seen to move. None if unknown.
        rolled: Probability that it rolled there rather than was placed by a hand.
        there: Probability that it is there.
        rests: It has rested long enough to be read.
        hidden: A hand covers it, or did a moment ago, and it is believed in its place.
        arrived_by: Seconds by which it had probably arrived, although it was first seen later: nothing has moved there
            since, or a hand has covered the place since a roll. Infinity if it was seen to arrive.
        new: It has come since the table last settled.
    """

    track: int
    xyxy: tuple[float, float, float, float]
    probabilities: tuple[float, float, float, float, float, float]
    kept: bool
    rested_since: float | None = None
    rolled: float = 0.5
    there: float = 1.0
    rests: bool = True
    hidden: bool = False
    arrived_by: float = math.inf
    new: bool = True

    @property
    def value(self) -> int:
        """The likeliest top face, 1..6."""
        return max(range(6), key=self.probabilities.__getitem__) + 1

    @property
    def confidence(self) -> float:
        """The probability of the likeliest face."""
        return max(self.probabilities)


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice on the table at one moment.

    Attributes:
        dice: The dice, with those under hands.
        settled: Nothing moves and all faces are read. Rolled dice count once the table has settled.
        rolls: Expected number of rolls so far, as far as dice were seen to roll. The referee decides what was a roll.
        motion: The state of the table.
        frame, seconds: Number and time of the frame.
        doubt: A sentence when something is uncertain, else None.
        has_kept_zone: There is a zone for dice set aside; without one, dice that did not roll with the last roll count
            as kept.
        hands: Boxes, pixels, that together cover the hands; nothing is visible there.
    """

    dice: tuple[SeenDie, ...]
    settled: bool
    rolls: float
    motion: Motion
    frame: int
    seconds: float
    doubt: Doubt | None = None
    has_kept_zone: bool = True
    hands: tuple[Box, ...] = ()

    @property
    def active(self) -> tuple[int, ...]:
        """Sorted faces of the dice in play."""
        return tuple(sorted(die.value for die in self.dice if not die.kept))

    @property
    def kept(self) -> tuple[int, ...]:
        """Sorted faces of the dice set aside."""
        return tuple(sorted(die.value for die in self.dice if die.kept))
