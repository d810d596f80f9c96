"""Cameras plugged into this computer: their names, the driver to open them with, fixed exposure and focus."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.messages import NOT_OPENED, NOTHING_SENT, Doubt
from vision.sources.busy import working
from vision.sources.jpeg import Unusable
from vision.types import Image

WIDTH, HEIGHT, RATE = 1280, 720, 30
WARM_UP_FRAMES = 30  # about a second, in which automatic exposure and focus adapt to the table before they are fixed
DRIVER_SECONDS = 15.0  # time a driver may wait for a frame; V4L2 waits 10 s
MOST_INDEX = 6  # on systems that do not list their cameras, numbers below this are tried

# macOS and Windows have several camera APIs; these open fast and obey the settings below.
BACKEND = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_ANY)
MANUAL_EXPOSURE, AUTOMATIC_EXPOSURE = (0.25, 0.75) if sys.platform == "win32" else (1, 3)  # the drivers' own constants


@dataclass(frozen=True, slots=True)
class Device:
    """A camera: the number to open it by and the name its driver gives."""

    number: int
    name: str


def devices() -> list[Device]:
    """All cameras of this computer. Linux lists their names; elsewhere each number is tried."""
    if sys.platform == "linux":
        return sorted(_listed(Path("/sys/class/video4linux")), key=lambda device: device.number)
    return [Device(number, f"camera {number}") for number in range(MOST_INDEX) if _opens(number)]


def _listed(folder: Path) -> list[Device]:
    found = []
    for entry in folder.glob("video*"):
        number = re.fullmatch(r"video(\d+)", entry.name)
        try:
            # A webcam registers further nodes (index 1 and up) for metadata, which give no frames.
            if number and (entry / "index").read_text().strip() == "0":
                found.append(Device(int(number[1]), (entry / "name").read_text().strip()))
        except OSError:
            continue
    return found


def _opens(number: int) -> bool:
    capture = cv2.VideoCapture(number, BACKEND)
    try:
        return bool(capture.isOpened())
    finally:
        capture.release()


def device_number(source: str) -> int | None:
    """The number of the camera that `source` (a number, or part of a name) means; None if there is none."""
    if source.isdigit():
        return int(source)
    matching = [device.number for device in devices() if source.casefold() in device.name.casefold()]
    return matching[0] if matching else None


class Webcam:
    """An open camera. Exposure and focus are fixed after a second, so that they do not change while dice are read."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._capture = cv2.VideoCapture(number, BACKEND)
        if not self._capture.isOpened():
            raise Unusable(Doubt(NOT_OPENED, number=number))
        # Uncompressed frames of this size exceed USB 2 at full rate, hence MJPG; it must be set before the size.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._capture.set(cv2.CAP_PROP_FPS, RATE)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._frames = 0
        self._brightness: float | None = None  # brightness before the exposure was fixed
        self._held = "automatic"

    def grab(self) -> Image:
        """The next frame."""
        with working("reading a camera", waits=DRIVER_SECONDS):
            more, image = self._capture.read()
        if not more:
            raise Unusable(Doubt(NOTHING_SENT, number=self._number))
        self._frames += 1
        if self._frames == WARM_UP_FRAMES:
            self._brightness = float(np.mean(image))
            self._hold()
        elif self._frames == 2 * WARM_UP_FRAMES and self._brightness_changed(float(np.mean(image))):
            self._release()
        return np.asarray(image, dtype=np.uint8)

    def settings(self) -> dict[str, str]:
        """Size, rate, exposure and focus as read back from the driver."""
        get = self._capture.get
        return {
            "size": f"{get(cv2.CAP_PROP_FRAME_WIDTH):.0f}×{get(cv2.CAP_PROP_FRAME_HEIGHT):.0f}",
            "rate": f"{get(cv2.CAP_PROP_FPS):.0f} a second",
            "exposure": f"{self._held} ({get(cv2.CAP_PROP_EXPOSURE):g})",
            "focus": "automatic" if get(cv2.CAP_PROP_AUTOFOCUS) == 1 else "held or fixed",
        }

    def close(self) -> None:
        """Releases the camera with automatic exposure and focus, as other programs expect."""
        if self._held == "held":
            self._release()
        self._capture.release()

    def _brightness_changed(self, brightness: float) -> bool:
        """Whether fixing the exposure changed the brightness much: some drivers forget the exposure they had found. A
        dark image is worse than a varying exposure."""
        return self._brightness is not None and not 0.6 < brightness / max(self._brightness, 1.0) < 1.6

    def _hold(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        agreed = self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        # Some drivers report success and do nothing. Only V4L2 reads back the real value.
        if agreed and BACKEND == cv2.CAP_V4L2:
            agreed = self._capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL_EXPOSURE
        if agreed:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._held = "held"
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def _release(self) -> None:
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        self._held = "automatic"
