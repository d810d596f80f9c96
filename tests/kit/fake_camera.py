"""Fake cameras: one for Chromium that plays a film, and one that shows a single image."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from companion.camera.worker import Watcher
from companion.resources import resource
from vision.process.protocol import Pictures, SeenFrame
from vision.types import Motion, Reading

FAKE_DEVICE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


def fake_camera(folder: Path) -> Path:
    """Writes the demo's first roll as Motion JPEG, which Chromium plays in a loop as its camera.

    The dice roll at a third of their speed and then rest for 40 s, so that a busy machine sees enough of both.
    """
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    target = folder / "camera.mjpeg"
    with target.open("wb") as out:
        for _ in range(_first_roll_at_rest() + 4):
            more, image = film.read()
            assert more
            written, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            assert written
            last = jpeg.tobytes()
            out.write(3 * last)
        for _ in range(1200):
            out.write(last)
    film.release()
    return target


def _first_roll_at_rest() -> int:
    """The first frame of the demo in which the dice of the first roll rest."""
    truth = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    return int(truth["done"][0]["frame"])


def show_picture(watcher: Watcher) -> None:
    """A camera without a process behind it shows the demo's first image, with no dice on the table."""
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    image = film.read()[1]
    film.release()
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    height, width = image.shape[:2]
    reading = Reading((), True, 0.0, Motion.STABLE, 1, 0.0)
    watcher._on_frame(SeenFrame(reading, (width, height), pictures=Pictures(jpeg, jpeg)))
