"""A camera for Chromium: a film that its pages take for what a phone sees."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from companion.resources import resource

FAKE_DEVICE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


def fake_camera(folder: Path) -> Path:
    """The demo's first throw, held still, as Motion JPEG: what Chromium takes for a camera's film (it loops)."""
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    target = folder / "camera.mjpeg"
    with target.open("wb") as out:
        for _ in range(_first_throw_lies() + 4):
            more, image = film.read()
            assert more
            written, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            assert written
            last = jpeg.tobytes()
            out.write(last)
        for _ in range(240):
            out.write(last)
    film.release()
    return target


def _first_throw_lies() -> int:
    """The frame of the demo in which its first roll has come true."""
    truth = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    return int(truth["done"][0]["frame"])
