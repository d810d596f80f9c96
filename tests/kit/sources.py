"""Sources for tests: films that run at full speed, and images that crash their decoder.

The watcher process imports the function by its name, so these are module functions: replace
`companion.camera.worker.frames` by one of them.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np

from vision.sources import camera
from vision.types import Frame, Lost


def unpaced(source: str, **options: Any) -> Iterator[Frame | Lost]:
    """A film at full speed, in media time: every frame, without waiting."""
    yield from camera.frames(source, **options | {"own_pace": False})


def _eats() -> None:
    held = []
    while True:
        held.append(np.ones(1 << 24, np.uint8))


def _fails() -> None:
    raise RuntimeError("an unexpected error")


def failing(source: str, **options: Any) -> Iterator[Frame | Lost]:
    """A source that fails for an unexpected reason."""
    _fails()
    yield Lost(0.0, "")


# Failures that decoders have shown, and worse. A regular expression blocks the interpreter for a long time.
MISDEEDS: dict[str, Callable[[], object]] = {
    "hangs": lambda: threading.Event().wait(),
    "hangs and lets nothing else run": lambda: re.match("(a+)+b", "a" * 60),
    "eats memory": _eats,
    "crashes": lambda: ctypes.string_at(0),
    "raises": _fails,
    "stops": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "returns an unexpected shape": lambda: np.zeros((480, 640), np.uint8),
}
_MARK = b"courtside test: its decoder "


def misdeed(jpeg: bytes, what: str) -> bytes:
    """The image, marked so that its decoder fails in this way if the source is `hostile`."""
    payload = _MARK + what.encode()
    return jpeg[:2] + b"\xff\xfe" + (len(payload) + 2).to_bytes(2, "big") + payload + jpeg[2:]


def hostile(source: str, **options: Any) -> Iterator[Frame | Lost]:
    """The source's frames; marked images make their decoder fail."""
    decode = cv2.imdecode

    def decoded(data: np.ndarray[Any, Any], flags: int) -> Any:
        head = data[:100].tobytes()
        for what, do in MISDEEDS.items():
            if _MARK + what.encode() + b"\xff" in head:
                return do()
        return decode(data, flags)

    cv2.imdecode = decoded  # type: ignore[assignment]  # in a process of its own
    yield from camera.frames(source, **options)
