"""Videos and stills from disk: media time, every frame, deterministic."""

from __future__ import annotations

import contextlib
import mimetypes
import queue
import re
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.sources.busy import working
from vision.sources.codecs import not_decoded
from vision.sources.containers import announced
from vision.sources.header import SHORTEST_SIDE, misshapen, picture_kind, read_header
from vision.sources.jpeg import FORMATS, Unusable, decode
from vision.types import Frame

T = TypeVar("T")

MOST_PICTURE_BYTES = 256 * 2**20  # 40 megapixels with 16 bits per channel, uncompressed
PICTURES = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".avif", ".heic", ".heif", ".hif", ".bmp", ".tif", ".tiff"}
)  # names of images; the content decides if it can be read
MOST_NAMES = 5  # skipped images that are named in the message
_HEAD_BYTES = 160  # enough bytes to identify an image format
MOST_UNDECODED = 300  # failures in a row that end a video: ten seconds at 30 frames a second
SHOWN_SECONDS = 1.2  # how long each still is shown: long enough for dice to count as settled
STILL_RATE = 10  # frames a second while it is shown


def video(path: Path, own_pace: bool = False, begin: int = 0) -> Iterator[Frame]:
    """Every frame of a video file from number `begin` on; with `own_pace` in real time.

    Raises:
        Unusable: The file is missing, empty or no video; or, after the readable frames, it ends before its header says.
    """
    _check(path, "video")
    yield from _paced(ahead(_decoded(path, begin)), own_pace)


def ahead(values: Generator[T, None, None], most: int = 4) -> Iterator[T]:
    """Yields the same values, prefetching up to `most` of them in a thread. Exceptions are raised here."""
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
            raise Unusable(
                not_decoded(str(path), path.name, capture)
                or f"{path.name} is not a readable video (expected a complete MP4, WebM, AVI, MKV or MOV)"
            )
        yield from _frames(capture, path, begin)
    finally:
        capture.release()


def _frames(capture: cv2.VideoCapture, path: Path, begin: int) -> Iterator[Frame]:
    rate = capture.get(cv2.CAP_PROP_FPS)
    rate = rate if 1.0 <= rate <= 1000.0 else 30.0
    counted = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    frame: Frame | None = None
    number, seconds = begin, (begin - 1) / rate if begin else -1.0
    # `undecoded`: frames lost before one that could be read again. `failed`: failures since the last good one.
    undecoded = failed = 0
    while failed < MOST_UNDECODED:
        with working("decoding a video"):
            more, image = capture.read()
        if not more:
            failed += 1  # an undecodable frame or the end of the video; the decoder does not say which
            continue
        undecoded, failed = undecoded + failed, 0
        if why := misshapen(image.shape[1], image.shape[0]):
            raise Unusable(f"the picture of {path.name} {why}")
        stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        # Some containers repeat or reverse timestamps; then the frame rate is the clock.
        seconds = stamp if stamp > seconds else max(seconds, 0.0) + (1.0 / rate if number else 0.0)
        frame = Frame(np.asarray(image, dtype=np.uint8), seconds, number)
        yield frame
        number += 1
    if number == 1 and frame is not None:  # a video of one frame is a still
        for tick in range(1, round(SHOWN_SECONDS * STILL_RATE)):
            yield replace(frame, seconds=frame.seconds + tick / STILL_RATE)
    if number == begin == 0:
        if why := not_decoded(str(path), path.name, capture):
            raise Unusable(why)
        raise Unusable(f"{path.name} has no readable frames; the video is damaged")
    if why := _loss(path, number, undecoded, counted):
        raise Unusable(why)


def _loss(path: Path, number: int, undecoded: int, counted: int) -> str | None:
    """One sentence about frames that could not be read; None if all were."""
    try:
        whole, shown = announced(path, counted)
    except (OSError, ValueError):  # the file is gone or empty by now
        return f"{path.name} was removed while it was being read"
    if shown is not None and number < 0.9 * shown - 5:
        return f"{path.name} ends after frame {number} of {shown}; the video is cut off or damaged"
    if not whole:
        return f"{path.name} ends after frame {number}, before its container does; the video is cut off or damaged"
    if undecoded > 0.1 * number + 5:
        return f"{undecoded} of {undecoded + number} frames of {path.name} cannot be decoded; the video is damaged"
    return None


def stills(path: Path, own_pace: bool = False, begin: int = 0) -> Iterator[Frame]:
    """An image, or a folder of images in natural order, each shown for SHOWN_SECONDS. `number` counts images; those
    before `begin` are skipped.

    Raises:
        Unusable: At once if there is no image; at the end if some could not be read.
    """
    paths = sorted(_pictures(path), key=_natural) if path.is_dir() else [path]
    if not paths:
        raise Unusable(f"{path.name or path} contains no pictures (expected {FORMATS} files)")
    yield from _paced(_held_up(paths, begin), own_pace)


def is_still(path: Path) -> bool:
    """Whether a file holds one image, whatever its name. An unreadable file is judged by its name."""
    kind = picture_kind(_head(path))
    if kind in ("GIF", "PNG"):  # FFmpeg reads animated ones as videos
        header = read_header(picture_bytes(path))
        return header is None or not header.animated
    return kind is not None or path.suffix.lower() in PICTURES


def read_picture(path: Path, shortest: int = SHORTEST_SIDE) -> npt.NDArray[np.uint8]:
    """Decodes an image file and rotates it upright: (H, W, 3) uint8 BGR.

    Args:
        shortest: Minimum pixels of each side.

    Raises:
        Unusable: The image cannot be used.
        OSError: The file cannot be read.
    """
    return decode(picture_bytes(path), str(path), shortest)


def _held_up(paths: list[Path], begin: int) -> Iterator[Frame]:
    left_out: dict[str, list[str]] = {}  # reason → names
    ticks = begin * round(SHOWN_SECONDS * STILL_RATE)
    for number, path in list(enumerate(paths))[begin:]:
        try:
            _check(path, "picture")
            if _guessed(path) == "video":
                raise Unusable(f"{path.name} is a film: it is watched by itself, not in a folder of pictures")
            image = decode(picture_bytes(path), path.name)
        except (Unusable, OSError) as error:
            why = str(error)
            reason = why.removeprefix(path.name) if why.startswith(path.name) else f": {why}"
            left_out.setdefault(reason, []).append(path.name)
            continue
        for _ in range(round(SHOWN_SECONDS * STILL_RATE)):
            yield Frame(image, ticks / STILL_RATE, number)
            ticks += 1
    if left_out:
        raise Unusable("; ".join(_listed(names) + reason for reason, names in left_out.items()))


def _listed(names: list[str]) -> str:
    """The first name, and how many others there are."""
    others = ", ".join(names[1:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    return names[0] + (f" (like {len(names) - 1} more: {others})" if others else "")


def _paced(frames: Iterator[Frame], own_pace: bool) -> Iterator[Frame]:
    start: float | None = None
    for frame in frames:
        if start is None:
            start = time.monotonic() - frame.seconds
        if own_pace:
            time.sleep(max(0.0, start + frame.seconds - time.monotonic()))
        yield frame


def picture_bytes(path: Path) -> bytes:
    """The content of an image file.

    Raises:
        Unusable: It is not a file, or larger than any image.
        OSError: It cannot be read.
    """
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
    """The files in a folder that are images or videos by content or name; other and hidden files are skipped."""
    return (path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".") and _is_media(path))


def _is_media(path: Path) -> bool:
    named = _guessed(path) in ("image", "video") or path.suffix.lower() in PICTURES
    return named or picture_kind(_head(path)) is not None


def _guessed(path: Path) -> str:
    """`image`, `video` or another type, by the file's name."""
    return (mimetypes.guess_type(path.name)[0] or "").partition("/")[0]


def _head(path: Path) -> bytes:
    """The first bytes of a file; empty if it cannot be read."""
    if not path.is_file():  # a device or a pipe would block
        return b""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sort key by which `shot 10` comes after `shot 9`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", path.name.lower())]
