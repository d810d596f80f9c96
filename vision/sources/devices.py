"""Cameras plugged into this computer: their names, the right way to open them, exposure and focus held
still."""

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
WARM_UP_FRAMES = 30  # automatic exposure and focus get a second to find the table before they are held
SILENT_SECONDS = 15.0  # a driver may wait so long for a picture; V4L2 does for 10
MOST_INDEX = 6  # where a system does not list its cameras they are tried one by one up to here

# macOS and Windows offer several ways in; these open fast and obey the settings below.
BACKEND = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_ANY)
MANUAL_EXPOSURE, AUTOMATIC_EXPOSURE = (0.25, 0.75) if sys.platform == "win32" else (1, 3)  # the driver's own numbers


@dataclass(frozen=True, slots=True)
class Device:
    """A camera: the number to open it by and the name its driver gives."""

    number: int
    name: str


def devices() -> list[Device]:
    """All cameras of this computer. Linux tells their names; elsewhere each number is tried."""
    if sys.platform == "linux":
        return sorted(_listed(Path("/sys/class/video4linux")), key=lambda device: device.number)
    return [Device(number, f"camera {number}") for number in range(MOST_INDEX) if _opens(number)]


def _listed(folder: Path) -> list[Device]:
    found = []
    for entry in folder.glob("video*"):
        number = re.fullmatch(r"video(\d+)", entry.name)
        try:
            # A webcam registers further nodes (index 1 …) for metadata, which give no picture.
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
    """The number of the camera meant by `source` (a number, or part of a camera's name), None when there
    is none."""
    if source.isdigit():
        return int(source)
    matching = [device.number for device in devices() if source.casefold() in device.name.casefold()]
    return matching[0] if matching else None


class Webcam:
    """An open camera. Exposure and focus are held after a second, so that neither wanders while dice are
    read."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._capture = cv2.VideoCapture(number, BACKEND)
        if not self._capture.isOpened():
            raise Unusable(Doubt(NOT_OPENED, number=number))
        # Uncompressed pictures of this size do not fit through USB 2 at full rate, hence MJPG, and before the
        # size.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._capture.set(cv2.CAP_PROP_FPS, RATE)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._frames = 0
        self._brightness: float | None = None  # before exposure was held
        self._held = "automatic"

    def grab(self) -> Image:
        """The next picture."""
        with working("reading a camera", waits=SILENT_SECONDS):
            more, image = self._capture.read()
        if not more:
            raise Unusable(Doubt(NOTHING_SENT, number=self._number))
        self._frames += 1
        if self._frames == WARM_UP_FRAMES:
            self._brightness = float(np.mean(image))
            self._hold()
        elif self._frames == 2 * WARM_UP_FRAMES and self._wandered(float(np.mean(image))):
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
        """Give the camera back, exposure and focus automatic again for other programs."""
        if self._held == "held":
            self._release()
        self._capture.release()

    def _wandered(self, brightness: float) -> bool:
        """Some drivers forget the exposure they had found; a dark picture is worse than a wandering one."""
        return self._brightness is not None and not 0.6 < brightness / max(self._brightness, 1.0) < 1.6

    def _hold(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        agreed = self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        # Some drivers agree and do nothing. Only V4L2 is known to tell the truth when asked.
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
