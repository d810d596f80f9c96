"""Explains videos and streams whose codec this computer cannot decode."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.messages import NOT_DECODED, Doubt

_HEAD_BYTES = 1 << 16  # bytes at the start of a video in which an MKV or WebM names its codecs
_NO_CODE = 0xFFFFFFFF


def not_decoded(source: str, name: str, capture: cv2.VideoCapture, options: Sequence[int] = ()) -> Doubt | None:
    """One sentence that names the codec of a video or stream of which no frame could be decoded.

    Args:
        source: Path or address.
        capture: OpenCV's open capture of it.
        options: Parameters for opening it again.

    Returns:
        None if this computer has a decoder, or if the source is not a video.
    """
    codec = _without_decoder(source, capture, options)
    return Doubt(NOT_DECODED, name=name, codec=codec) if codec else None


def _without_decoder(source: str, capture: cv2.VideoCapture, options: Sequence[int]) -> str | None:
    """The codec's name; None if there is a decoder for it."""
    if capture.isOpened():  # FFmpeg's AV1 decoder needs a graphics card and opens even without one
        return "AV1" if _code(capture) == "AV01" else None
    undecoded = cv2.VideoCapture(source, cv2.CAP_FFMPEG, [cv2.CAP_PROP_FORMAT, -1, *options])
    try:
        if not undecoded.isOpened():
            return None
        return _code(undecoded) or _matroska_codec(Path(source)) or "something unknown"
    finally:
        undecoded.release()


def _code(capture: cv2.VideoCapture) -> str:
    """The four-character code of the codec; empty if the container has none."""
    code = int(capture.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF
    return "" if code in (0, _NO_CODE) else code.to_bytes(4, "little").decode("latin-1").strip().upper()


def _matroska_codec(path: Path) -> str | None:
    """The first video codec that an MKV or WebM names, such as `V_AV2`."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        found = re.search(rb"\x86[\x80-\xff](V_[\w/.]+)", file.read(_HEAD_BYTES))
    return found[1].decode() if found else None
