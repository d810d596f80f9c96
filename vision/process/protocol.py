"""Messages between a watcher process and its parent.

Each message is pickled and preceded by its length in four bytes. `Order` comes first, then `Go` and `Upload` go to the
process; all other messages come from it. Both ends are this program, and nothing else is connected, so unpickling is
safe.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from vision.table.layout import DrawnAreas, Outline
from vision.table.mat import Polygon
from vision.tracking.frame_quality import DiceQuality
from vision.types import Frame, Lost, Reading

Frames = Callable[..., Iterator[Frame | Lost]]
MAX_MESSAGE_BYTES = 256 * 2**20  # bytes of one message; an encoded image of 40 megapixels is a tenth of that
_LENGTH = struct.Struct(">I")


class Garbled(Exception):
    """The bytes received are no message."""


@dataclass(frozen=True, slots=True)
class Order:
    """The source to watch, and how.

    Attributes:
        frames: Name of a function, called like `vision.sources.camera.frames`.
        model: Path of the model that reads dice; None if only pictures are wanted.
        begin: Number of the first frame of a file.
        level: Log level from which records are sent.
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
    """Permission to continue.

    Attributes:
        answered: Number of readings processed since the watcher started.
        due: Number of dice that must be on the table.
        areas: Zones for dice; None for the mat, if there is one.
        pause: Seconds between pictures for viewers; None if there are no viewers.
        cards: Zones of cards, in fractions of the frame.
    """

    answered: int
    due: int = 0
    areas: DrawnAreas | None = None
    pause: float | None = None
    cards: tuple[Polygon, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """A JPEG from a phone."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: no operation has lasted too long.

    Attributes:
        patience: Seconds that count as too long.
        idle: The process waits for the source, whose next frame is not due or does not come.
    """

    patience: float
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded.

    Attributes:
        live: The source does not wait for us.
        stills: The source is a folder of photos, and a frame has the number of its photo.
    """

    live: bool
    stills: bool


@dataclass(frozen=True, slots=True)
class Pictures:
    """JPEGs of one frame, each None if it is not wanted.

    Attributes:
        shown: For viewers.
        kept: In full size, for misread dice.
        small: For the archive.
    """

    shown: bytes | None = None
    kept: bytes | None = None
    small: bytes | None = None


@dataclass(frozen=True, slots=True)
class SeenFrame:
    """One frame and its reading.

    Attributes:
        size: Width and height; None without a frame.
        sent: Width and height as the camera sent it, if different.
        outlines: The zones in the frame.
        quality: Image quality of the dice, if measured and there are any.
    """

    reading: Reading
    size: tuple[int, int] | None = None
    sent: tuple[int, int] | None = None
    outlines: tuple[Outline, ...] = ()
    pictures: Pictures = Pictures()
    quality: DiceQuality | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """The last message: the file has ended, or `why` says in one sentence why the source or the model cannot be
    used."""

    why: str | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """A log record for the parent process."""

    name: str
    level: int
    text: str


def send(out: IO[bytes], message: object) -> None:
    """Sends one message.

    Raises:
        OSError, ValueError: The other end is closed.
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    out.write(_LENGTH.pack(len(data)) + data)
    out.flush()


def receive(source: IO[bytes]) -> object | None:
    """The next message; None if there will be none.

    Raises:
        Garbled: The bytes are no message.
    """
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MAX_MESSAGE_BYTES:
        raise Garbled(f"a message of {length} bytes")
    data = source.read(length)
    if len(data) < length:
        return None
    try:
        message: object = pickle.loads(data)
    except Exception as error:  # a dying process may have written anything
        raise Garbled(str(error)) from error
    return message
