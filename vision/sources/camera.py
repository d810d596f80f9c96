"""One iterator of frames for every kind of source."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.messages import NO_SUCH_SOURCE, NOT_PLUGGED_IN, Doubt
from vision.sources import devices, files, streams
from vision.sources.jpeg import Unusable
from vision.sources.latest_value import LatestValue
from vision.sources.live import Grabber, Live
from vision.types import Frame, Lost

__all__ = ["Unusable", "are_stills", "frames", "is_live", "open_live"]


def frames(
    source: str,
    *,
    phone: LatestValue[bytes] | None = None,
    own_pace: bool = False,
    upside_down: bool = False,
    begin: int = 0,
) -> Iterator[Frame | Lost]:
    """Frames of a camera (number or part of its name), a video file, a stream's address, a folder of stills, or
    `phone`.

    Files are processed frame by frame on their own timestamps, as fast as they are consumed or at their `own_pace`.
    Live sources give the newest frame, and `Lost` while there is none; they never end.

    Args:
        upside_down: The camera is mounted upside down; its frames are rotated by 180 degrees.
        begin: Number of a file's first frame, or of a folder's first still.

    Raises:
        Unusable: The source does not exist or has the wrong format.
    """
    with closing(_frames(source, phone, own_pace, begin)) as given:
        for frame in given:
            yield _turned(frame) if upside_down and isinstance(frame, Frame) else frame


def _turned(frame: Frame) -> Frame:
    return replace(frame, image=np.asarray(cv2.rotate(frame.image, cv2.ROTATE_180), np.uint8))


def _frames(source: str, phone: LatestValue[bytes] | None, own_pace: bool, begin: int) -> Generator[Frame | Lost]:
    if is_live(source):
        live = open_live(source, phone=phone)
        try:
            yield from live
        finally:
            live.close()
    elif are_stills(source):
        yield from files.stills(Path(source), own_pace, begin)
    else:
        yield from files.video(Path(source), own_pace, begin)


def are_stills(source: str) -> bool:
    """Whether the source is an image or a folder of images."""
    return Path(source).is_dir() or files.is_still(Path(source))


def is_missing(source: str) -> bool:
    """Whether the source names a file that does not exist."""
    return "://" not in source and bool(Path(source).suffix) and not Path(source).exists()


def is_live(source: str) -> bool:
    """Whether the source is a camera, a stream or the phone, which do not wait for us.

    Raises:
        Unusable: The source is neither a file nor a camera.
    """
    if source == "phone" or "://" in source or source.isdigit():
        return True
    if Path(source).exists() or Path(source).suffix:
        return False
    if devices.device_number(source) is None:
        raise Unusable(Doubt(NO_SUCH_SOURCE, name=source))
    return True


def open_live(source: str, *, phone: LatestValue[bytes] | None = None) -> Live:
    """Starts a live source; close it when done.

    Args:
        phone: Where the companion puts the JPEGs from a phone; needed for the source `phone`.
    """

    def grabber() -> Grabber:
        if source == "phone":
            if phone is None:
                raise Unusable("a phone as camera needs the page: use courtside play --source phone")
            return streams.PhoneUploads(phone)
        if "://" in source:
            return streams.open_stream(source)
        number = devices.device_number(source)
        if number is None:
            raise Unusable(Doubt(NOT_PLUGGED_IN, name=source))
        return devices.Webcam(number)

    name = "the phone" if source == "phone" else streams.shown(source) if "://" in source else f"camera {source}"
    return Live(grabber, name)
