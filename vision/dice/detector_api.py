"""Protocols of a detector, from the plainest to the most capable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from vision.boxes import Boxes, Piece
from vision.dice.detections import Detections, Float
from vision.dice.parts import Parts
from vision.dice.pyramid import LOW
from vision.types import Image


class Detects(Protocol):
    """A detector that finds dice in an image."""

    def detect(self, image: Image) -> Detections:
        """The dice in a (H, W, 3) uint8 BGR image."""
        ...


@runtime_checkable
class Reads(Protocol):
    """A detector that can also run refined passes and read known dice again without searching."""

    def detect(self, image: Image, *, thorough: bool = False) -> Detections:
        """The dice in an image; `thorough` finds more and takes longer."""
        ...

    def read(self, image: Image, boxes: Boxes) -> Detections:
        """One row for each box; a score near 0 says that no die is there any more."""
        ...


@runtime_checkable
class Searches(Reads, Protocol):
    """A detector that can also search pieces of an image."""

    def search(self, image: Image, pieces: Sequence[Piece], die: float, known: Boxes) -> Detections:
        """The dice wholly inside one of the pieces, without known ones.

        Args:
            die: Width of the dice in pixels, 0 if unknown.
            known: (n, 4) boxes of dice that need not be read again.
        """
        ...


@runtime_checkable
class DetectsOnce(Reads, Protocol):
    """A detector that can also run a single refined pass, because the next live frame serves as the second."""

    def detect_once(self, image: Image) -> Detections:
        """The dice in an image, by one refined pass."""
        ...

    def read(self, image: Image, boxes: Boxes, *, thorough: bool = False) -> Detections:
        """Reads known dice; with `thorough` as a refined pass reads them."""
        ...


@runtime_checkable
class Refines(DetectsOnce, Protocol):
    """A detector whose refined pass can be spread over several frames."""

    def refined(self, image: Image, *, agreed: bool = False, low: float = LOW) -> Parts[Detections]:
        """A refined pass in parts. With `agreed` several passes are fused, otherwise one runs.

        Args:
            low: Share of the image's height from which a die is low in the frame.
        """
        ...


@runtime_checkable
class Doubts(Reads, Protocol):
    """A detector that can also list the candidates it did not report."""

    def doubtful(self, image: Image, least: float = 0.0) -> Detections:
        """Candidates that a refined pass read as dice but did not report; scores are at least 0.5.

        Args:
            least: If above 0, return every candidate with at least this probability of a die, printed and reported ones
                included. Their `scores` are these probabilities.
        """
        ...


@runtime_checkable
class DetectsPrint(Reads, Protocol):
    """A detector that can also distinguish printed dice from real ones."""

    def ink(self, image: Image, boxes: Boxes) -> Float:
        """(n,) the probability that each box holds a printed die, from its surroundings."""
        ...
