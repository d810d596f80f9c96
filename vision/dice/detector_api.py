"""What may be asked of a detector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from vision.boxes import Boxes, Piece
from vision.dice.detections import Detections, Float
from vision.dice.parts import Parts
from vision.types import Image


class Detects(Protocol):
    """Anything that finds dice in a picture."""

    def detect(self, image: Image) -> Detections:
        """The dice in a (H, W, 3) uint8 BGR picture."""
        ...


@runtime_checkable
class Reads(Protocol):
    """A detector that can also take its time, and read known dice again without searching."""

    def detect(self, image: Image, *, thorough: bool = False) -> Detections:
        """The dice in a picture; `thorough` finds more and takes longer."""
        ...

    def read(self, image: Image, boxes: Boxes) -> Detections:
        """One row for each box; a score near 0 says that no die lies there any more."""
        ...


@runtime_checkable
class Searches(Reads, Protocol):
    """A detector that can also search pieces of a picture only."""

    def search(self, image: Image, pieces: Sequence[Piece], die: float = 0.0) -> Detections:
        """The dice that lie wholly in one of the pieces, found and read as in the whole picture; die: how wide dice are
        there in pixels, 0 where nobody knows."""
        ...


@runtime_checkable
class DetectsOnce(Reads, Protocol):
    """A detector that can also look thoroughly once, and leave it at that: the next live picture is the second look."""

    def detect_once(self, image: Image) -> Detections:
        """The dice in a picture, found and read thoroughly, by one look."""
        ...

    def read(self, image: Image, boxes: Boxes, *, thorough: bool = False) -> Detections:
        """As every detector that reads; `thorough`: known dice as such a look reads them."""
        ...


@runtime_checkable
class Refines(DetectsOnce, Protocol):
    """A detector whose thorough look at a live picture can be spread over several frames."""

    def refined(self, image: Image, *, agreed: bool = False) -> Parts[Detections]:
        """The dice in a picture, in parts; `agreed`: by several looks that find the same, else by one."""
        ...


@runtime_checkable
class Doubts(Reads, Protocol):
    """A detector that can also say what it does not quite believe."""

    def doubtful(self, image: Image, least: float = 0.0) -> Detections:
        """What a thorough look took for dice and rather does not report: chances as everywhere, scores of 0.5 on.
        least: all that is one with at least this chance by all that is known of it, which the scores then are, printed
        dice and those reported among it."""
        ...


@runtime_checkable
class TellsPrint(Reads, Protocol):
    """A detector that can also tell printed dice from those that lie there."""

    def ink(self, image: Image, boxes: Boxes) -> Float:
        """(n,) The chance that what these boxes hold is printed, by what is to be seen around each."""
        ...
