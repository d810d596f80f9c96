"""The values that vision hands over: a frame in, a reading out."""

from __future__ import annotations

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
        number: From 0; of the still in a folder of stills, each of which is held up for a moment.
        sent: (width, height) in which the camera sent it, where that differs.
    """

    image: npt.NDArray[np.uint8]
    seconds: float
    number: int
    sent: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """What a live source hands over while it has no frame. A missing frame is never replaced by an invented one.

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
    """One tracked die.

    Attributes:
        track: Its identity, stable while it is tracked.
        xyxy: Pixels.
        probabilities: Voted chances of the top faces 1..6.
        kept: It is in the kept zone; without one, it did not roll with the last roll.
        came: `Reading.throws` when it came to rest there; None where unknown.
        rolled: The chance that it rolled there rather than was placed by a hand.
        touched: A hand was near it.
        there: The chance that it is there.
        rests: It has rested long enough to be read.
        hidden: A hand covers it, or did a moment ago, and it is believed in its place.
        handled: The chance that a hand has moved or turned it since the table last settled; 1 where unknown.
    """

    track: int
    xyxy: tuple[float, float, float, float]
    probabilities: tuple[float, float, float, float, float, float]
    kept: bool
    came: float | None = None
    rolled: float = 0.5
    touched: bool = True
    there: float = 1.0
    rests: bool = True
    hidden: bool = False
    handled: float = 1.0

    @property
    def value(self) -> int:
        """The likeliest top face, 1..6."""
        return max(range(6), key=self.probabilities.__getitem__) + 1

    @property
    def confidence(self) -> float:
        """The chance of the likeliest face."""
        return max(self.probabilities)


@dataclass(frozen=True, slots=True)
class Reading:
    """What rests on the table at one moment.

    Attributes:
        dice: The dice, with those under hands.
        settled: Nothing moves and the faces have been voted. What rolled counts once the table has settled.
        throws: Expected number of rolls so far. Whether there was a roll is decided by whoever knows the rules.
        motion: The state of the table.
        frame, seconds: When it was seen.
        doubt: A sentence when something is unsure, else None.
        has_kept_zone: There is a zone for dice set aside; without one, dice that did not roll with the last roll count
            as kept.
        hands: What hands cover, in strips (pixels): nothing is seen there.
    """

    dice: tuple[SeenDie, ...]
    settled: bool
    throws: float
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
