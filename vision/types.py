"""The values vision hands to the rest of the house: a frame in, a reading out."""

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
    """One picture: image (H, W, 3) uint8 BGR, seconds (media time of a file, monotonic time of a live source),
    number from 0 (of the still in a folder of stills, each of which is held up for a moment), sent: the size
    (width, height) in which the camera sent it, where that differs.
    """

    image: npt.NDArray[np.uint8]
    seconds: float
    number: int
    sent: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """What a live source hands over while it has no frame: when (monotonic seconds) and why.

    A missing picture is never replaced by an invented one. `why` is one sentence for the players; `starting`: the
    source says that it will have pictures soon.
    """

    seconds: float
    why: str
    starting: bool = False


class Motion(StrEnum):
    """What the table looks like now."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    STABLE = "stable"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die followed over frames.

    track: identity, stable while the die is followed; xyxy: pixels; probabilities: six voted chances of the
    top faces 1..6; kept: lies in the kept area (or did not roll with the last throw, where no area is known).
    came: `throws` of the reading when it came to lie there, None where nobody knows; rolled: the chance that it rolled
    there rather than was put there by a hand.
    there: the chance that it lies there; rests: it lies still there for long enough to be read; hidden: a hand covers
    it, or did a moment ago: it is believed where it lay; handled: the chance that a hand has moved or turned it since
    all last lay still, 1 where nobody knows.
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
    """What lies on the table at one moment.

    settled: nothing moves and the values have been voted; what others show counts once all has settled.
    throws: how many throws there have been since the start, the chances of each settled moment to come after one added
    up: what was a throw is for whoever knows the rules to say.
    frame, seconds: when it was seen. knows_kept: there is a place for dice set aside; without one, dice that did
    not roll with the last throw count as kept. doubt: a sentence when something is unsure, else None. hands: what hands
    cover, in strips (boxes in pixels): there nothing is seen.
    """

    dice: tuple[SeenDie, ...]
    settled: bool
    throws: float
    motion: Motion
    frame: int
    seconds: float
    doubt: Doubt | None = None
    knows_kept: bool = True
    hands: tuple[Box, ...] = ()

    @property
    def active(self) -> tuple[int, ...]:
        """Sorted values of the dice in play."""
        return tuple(sorted(die.value for die in self.dice if not die.kept))

    @property
    def kept(self) -> tuple[int, ...]:
        """Sorted values of the dice set aside."""
        return tuple(sorted(die.value for die in self.dice if die.kept))
