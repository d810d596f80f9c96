"""What a watching process and the one that has started it say to each other, and how it travels.

Each message is pickled, after its length in four bytes: `Order` first, then `Go` and `Upload` go to the process; all
others come from it. Both ends are this program; nothing of it comes from or goes to anybody else.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from vision.table.layout import DrawnAreas, Outline
from vision.tracking.frame_quality import DiceQuality
from vision.types import Frame, Lost, Reading

Frames = Callable[..., Iterator[Frame | Lost]]
MOST_BYTES = 256 * 2**20  # of one message: a picture of 40 megapixels, encoded, is a tenth of it
_LENGTH = struct.Struct(">I")


class Garbled(Exception):
    """What came is no message."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to watch. frames: a function of a module, called like `vision.sources.camera.frames`; model: that reads
    dice, None where pictures alone are wanted; begin: the number of the first frame of a file; level: from which on the
    log is told.
    """

    source: str
    frames: Frames
    model: Path | None
    upside_down: bool = False
    areas: DrawnAreas | None = None
    begin: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Go:
    """Go on: `answered` readings have been dealt with since the process began.

    due: how many dice must lie there; areas: where dice lie (None: on the mat, if there is one); pause: seconds between
    pictures for viewers, None: nobody looks.
    """

    answered: int
    due: int = 0
    areas: DrawnAreas | None = None
    pause: float | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """A JPEG that a phone has sent."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Pulse:
    """The process is alive, and nothing in it has lasted too long.

    Attributes:
        patience: how long that would be, in seconds.
        idle: it waits for the source, whose next picture is not due yet or does not come.
    """

    patience: float
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded. live: the source does not wait; stills: frames are numbered by picture."""

    live: bool
    stills: bool


@dataclass(frozen=True, slots=True)
class Pictures:
    """JPEGs of one frame, each None where it is not wanted.

    shown: for viewers; kept: as large as it came, for misreads; small: for the archive.
    """

    shown: bytes | None = None
    kept: bytes | None = None
    small: bytes | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame, read. size: its width and height, None when there was no picture; sent: those that the camera sent,
    where they differ; outlines: the areas in it; quality: of its dice, where it was measured and there are any.
    """

    reading: Reading
    size: tuple[int, int] | None = None
    sent: tuple[int, int] | None = None
    outlines: tuple[Outline, ...] = ()
    pictures: Pictures = Pictures()
    quality: DiceQuality | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more will be seen: the file has ended, or (why, one sentence) the source or the model is no good."""

    why: str | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """A line for the log of who has started the process."""

    name: str
    level: int
    text: str


Message = Pulse | Ready | Seen | Over | Logged


def send(out: IO[bytes], message: object) -> None:
    """Hand over one message. Raises OSError or ValueError when nobody is there any more."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    out.write(_LENGTH.pack(len(data)) + data)
    out.flush()


def receive(source: IO[bytes]) -> object | None:
    """The next message, None when there will be none. Raises Garbled."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MOST_BYTES:
        raise Garbled(f"a message of {length} bytes")
    data = source.read(length)
    if len(data) < length:
        return None
    try:
        message: object = pickle.loads(data)
    except Exception as error:  # whatever a process in its last moments has written
        raise Garbled(str(error)) from error
    return message
