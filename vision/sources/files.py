"""Videos and stills from disk: media time, every frame, the same each time."""

from __future__ import annotations

import contextlib
import queue
import re
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from vision.sources.busy import working
from vision.sources.header import misshapen
from vision.sources.jpeg import Unusable, decode
from vision.types import Frame

T = TypeVar("T")

MOST_PICTURE_BYTES = 256 * 2**20  # 40 megapixels of 16 bits a colour, not compressed at all
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
STILL_SECONDS = 1.2  # how long each still is held up: long enough for dice to count as settled
STILL_RATE = 10  # frames a second while it is held up


def video(path: Path, own_pace: bool = False, begin: int = 0) -> Iterator[Frame]:
    """Every frame of a video file, from number `begin` on; with `own_pace` not faster than it was taken.

    Raises Unusable when the file is missing, empty, no video, or ends before its own header says (after the
    frames that could be read).
    """
    _check(path, "video")
    yield from _paced(ahead(_decoded(path, begin)), own_pace)


def ahead(values: Generator[T, None, None], most: int = 4) -> Iterator[T]:
    """The same values, up to `most` of them made beforehand in a thread of their own; what it raises is raised here."""
    ready: queue.Queue[tuple[T] | BaseException | None] = queue.Queue(most)
    closed = threading.Event()

    def hand_over(item: tuple[T] | BaseException | None) -> None:
        while not closed.is_set():
            with contextlib.suppress(queue.Full):
                ready.put(item, timeout=0.1)
                return

    def make() -> None:
        try:
            with contextlib.closing(values):
                for value in values:
                    hand_over((value,))
                    if closed.is_set():
                        return
            hand_over(None)
        except Exception as error:
            hand_over(error)

    thread = threading.Thread(target=make, name="decoding", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        closed.set()
        thread.join()


def _decoded(path: Path, begin: int) -> Generator[Frame, None, None]:
    with working("opening a video"):
        capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if begin:
            capture.set(cv2.CAP_PROP_POS_FRAMES, begin)
    try:
        if not capture.isOpened():
            raise Unusable(f"{path.name} is not a readable video (expected a complete MP4, WebM, AVI, MKV or MOV)")
        yield from _frames(capture, path, begin)
    finally:
        capture.release()


def _frames(capture: cv2.VideoCapture, path: Path, begin: int) -> Iterator[Frame]:
    rate = capture.get(cv2.CAP_PROP_FPS)
    rate = rate if 1.0 <= rate <= 1000.0 else 30.0
    expected = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    number, seconds = begin, (begin - 1) / rate if begin else -1.0
    while True:
        with working("decoding a video"):
            more, image = capture.read()
        if not more:
            break
        if why := misshapen(image.shape[1], image.shape[0]):
            raise Unusable(f"the picture of {path.name} {why}")
        stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        # Containers without good time stamps repeat or reverse them; the frame rate is the next best clock.
        seconds = stamp if stamp > seconds else max(seconds, 0.0) + (1.0 / rate if number else 0.0)
        yield Frame(np.asarray(image, dtype=np.uint8), seconds, number)
        number += 1
    if number == begin == 0:
        raise Unusable(f"{path.name} has no readable frames; the video is damaged")
    if number < 0.9 * expected - 5:  # counts in headers are estimates in some containers
        raise Unusable(f"{path.name} ends after frame {number} of {expected}; the video is cut off or damaged")


def stills(path: Path, own_pace: bool = False, begin: int = 0) -> Iterator[Frame]:
    """A picture, or a folder of pictures in natural order, each held up for STILL_SECONDS; `number` counts
    pictures, and those before `begin` are left out.

    Raises Unusable at once when there is no picture, and after the others when some could not be read.
    """
    paths = sorted(_pictures(path), key=_natural) if path.is_dir() else [path]
    if not paths:
        raise Unusable(f"{path.name or path} contains no pictures (expected JPEG, PNG or WebP files)")
    yield from _paced(_held_up(paths, begin), own_pace)


def _held_up(paths: list[Path], begin: int) -> Iterator[Frame]:
    faults: list[str] = []
    ticks = begin * round(STILL_SECONDS * STILL_RATE)
    for number, path in list(enumerate(paths))[begin:]:
        try:
            _check(path, "picture")
            image = decode(picture_bytes(path), path.name)
        except (Unusable, OSError) as error:
            faults.append(str(error))
            continue
        for _ in range(round(STILL_SECONDS * STILL_RATE)):
            yield Frame(image, ticks / STILL_RATE, number)
            ticks += 1
    if faults:
        raise Unusable("; ".join(faults))


def _paced(frames: Iterator[Frame], own_pace: bool) -> Iterator[Frame]:
    start: float | None = None
    for frame in frames:
        if start is None:
            start = time.monotonic() - frame.seconds
        if own_pace:
            time.sleep(max(0.0, start + frame.seconds - time.monotonic()))
        yield frame


def picture_bytes(path: Path) -> bytes:
    """What a picture's file holds. Raises Unusable for what is no file, or larger than any picture; OSError."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise Unusable(f"{path} is not a file (expected a picture)")
    if path.is_file() and path.stat().st_size > MOST_PICTURE_BYTES:
        raise Unusable(f"{path} is too large for a picture (more than {MOST_PICTURE_BYTES >> 20} MiB")
    return path.read_bytes()


def _check(path: Path, kind: str) -> None:
    if path.exists() and not path.is_file():
        raise Unusable(f"{path} is not a file (expected a {kind})")
    try:
        with path.open("rb") as file:
            first = file.read(1)
    except FileNotFoundError:
        raise Unusable(f"{path} does not exist (expected a {kind})") from None
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from None
    if not first:
        raise Unusable(f"{path.name} is empty (expected a {kind})")


def _pictures(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file())


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sort key by which `shot 10` comes after `shot 9`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", path.name.lower())]
