"""Camera faults: a network camera that shows the demo's table and then fails.

`WatchedTable` is that camera with a companion that watches it. `FAULTS` lists each fault with the message that the page
must show. Used by `test_camera_faults` and `tests/stress/camera_faults.py`.
"""

from __future__ import annotations

import json
import os
import re
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from unittest import mock

import cv2
import numpy as np

from companion.server.bootstrap import RunningApp
from tests.kit.degrade import jpeg
from tests.kit.mjpeg_server import MjpegCamera
from tests.kit.page_latency import Latency, poll_latency
from tests.kit.served_app import served_app
from tests.kit.sources import MISDEEDS, hostile, misdeed
from vision import messages
from vision.types import Image

FILM = Path(__file__).parents[2] / "datasets/demo/demo.mp4"
MODELS = Path(__file__).parents[2] / "models"
# Frames of the film: an empty table; 5 5 2 rolled; 5 5 set aside; the last die rolled again: 3.
BEFORE, THROWN, SET_ASIDE, NEXT = 0, 32, 63, 90
_VARIANTS = 8  # number of images sent in rotation: no two are equal, as from a real sensor
_PATIENCE = 60.0


@cache
def frame(number: int) -> Image:
    """A frame of the demo's film."""
    film = cv2.VideoCapture(str(FILM))
    for _ in range(number + 1):
        more, image = film.read()
        assert more
    film.release()
    return np.asarray(image, dtype=np.uint8)


def noisy(image: Image, seed: int) -> Image:
    """The image with sensor noise."""
    grain = np.random.default_rng(seed).integers(-3, 4, image.shape, dtype=np.int16)
    return np.clip(image.astype(np.int16) + grain, 0, 255).astype(np.uint8)


@cache
def variants(number: int, distort: Callable[[Image, int], Image] = lambda image, n: image) -> tuple[bytes, ...]:
    """JPEGs of a frame with one kind of damage, to be sent in rotation."""
    return tuple(jpeg(distort(noisy(frame(number), n), n)) for n in range(_VARIANTS))


def _black(image: Image, n: int) -> Image:
    return image // 64


def _bright(image: Image, n: int) -> Image:
    return np.maximum(image, 252)


def _turned(image: Image, n: int) -> Image:
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 45.0 * n, 1.0)
    return np.asarray(cv2.warpAffine(image, turn, (width, height)), dtype=np.uint8)


def _4k(image: Image, n: int) -> Image:
    return np.asarray(cv2.resize(image, (2880, 2160), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _damaged(number: int) -> tuple[bytes, ...]:
    """JPEGs with changed bytes, as after a bad cable: decoders show coloured blocks and report nothing."""
    spoilt = []
    for n, data in enumerate(variants(number)):
        random, out = Random(n), bytearray(data)
        for _ in range(30):
            out[random.randrange(len(out) // 4, len(out) - 2)] = random.randrange(255)
        spoilt.append(bytes(out))
    return tuple(spoilt)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        sign: Message that the page must show within two seconds.
        pictures: Images that the camera sends meanwhile; None: it disconnects, (): it sends nothing.
        place: Address at which the message appears.
        pause: Seconds between two images.
    """

    sign: str
    pictures: Callable[[], tuple[bytes, ...]] | None
    place: str = "board"
    pause: float = 1 / 12


def _malicious(what: str) -> Callable[[], tuple[bytes, ...]]:
    """Images sent in rotation, the first of which crashes or blocks its decoder in this way."""
    return lambda: (misdeed(variants(THROWN)[0], what), *variants(THROWN)[1:])


_NOT_SETTLED = r'"settled":false|data-camera="lost"'
FAULTS = {
    "unplugged": Fault('data-camera="lost"', lambda: ()),
    "stream server restarted": Fault('data-camera="lost"', None),
    "black": Fault(re.escape(messages.BLACK), lambda: variants(THROWN, _black)),
    "overexposed": Fault(re.escape(messages.BRIGHT), lambda: variants(THROWN, _bright)),
    "frozen": Fault(re.escape(messages.FROZEN), lambda: variants(THROWN)[:1]),
    "rotating": Fault(_NOT_SETTLED, lambda: variants(THROWN, _turned), "picture"),
    "nothing but cut-off JPEGs": Fault('data-camera="lost"', lambda: tuple(d[:4000] for d in variants(THROWN))),
    "damaged JPEGs": Fault(_NOT_SETTLED, lambda: _damaged(THROWN), "picture"),
    "5 pictures a second": Fault(r"<dd>[0-5]\.\d</dd>", lambda: variants(THROWN), "camera/state", pause=1 / 5),
    "4K": Fault("2880 × 2160", lambda: variants(THROWN, _4k), "camera/state", pause=1 / 5),
} | {f"a decoder that {what}": Fault('data-camera="lost"', _malicious(what)) for what in MISDEEDS}


class WatchedTable:
    """The camera and the companion that watches it. The record must not change during `apply`.

    Attributes:
        latency: Response time of the board.
    """

    def __init__(
        self, running_app: RunningApp, camera: MjpegCamera, send: list[tuple[bytes, ...]], latency: Latency
    ) -> None:
        self._hosting, self._camera, self._send, self.latency = running_app, camera, send, latency
        self._before = ""  # the record before the first fault

    def show(self, number: int) -> None:
        """Makes the camera work, showing this frame of the film."""
        self._send[:] = [variants(number)]
        self._camera.pause = 1 / 12

    def apply(self, fault: Fault, hold: float = 1.0) -> tuple[float, float]:
        """Seconds until the page reports the fault, and from its end until dice are read again.

        Args:
            hold: Seconds that the fault lasts after the report.
        """
        self._as_it_was()
        pictures = None if fault.pictures is None else fault.pictures()
        began = time.monotonic()
        if pictures is None:
            self._camera.stop()
        else:
            self._send[:], self._camera.pause = [pictures], fault.pause
        reported_after = self.until(fault.place, fault.sign) - began
        time.sleep(hold)
        self._as_it_was()
        if pictures is None:
            self._camera = _camera(self._send, self._camera.port)
        mended = time.monotonic()
        self.show(THROWN)
        again = self.until("picture", self._well()) - mended
        self._as_it_was()
        return reported_after, again

    def apply_once(self, fault: Fault) -> float:
        """Seconds without dice after a single image of this fault."""
        self._as_it_was()
        assert fault.pictures is not None
        self._send[:] = [fault.pictures()[:1]]
        began = time.monotonic()
        time.sleep(1.5 * self._camera.pause)
        self.show(THROWN)
        self.until(fault.place, fault.sign)
        out = self.until("picture", self._well()) - began
        self._as_it_was()
        return out

    def end_process(self) -> float:
        """Kills the watcher process; seconds until dice are read again."""
        self._as_it_was()
        watcher = self._hosting.app_state.cameras.watcher
        assert watcher is not None
        assert watcher.process is not None
        os.kill(watcher.process, signal.SIGKILL)
        began = time.monotonic()
        self.until("board", 'data-camera="lost"')
        again = self.until("picture", self._well()) - began
        self._as_it_was()
        return again

    def record(self) -> str:
        """The record as the page shows it."""
        return self.get("record.txt")

    def _as_it_was(self) -> None:
        """Asserts that the record is the same as before the first fault, because an invented event may come late."""
        now = self.record()
        self._before = self._before or now
        assert now == self._before, f"an event was invented: {now[-300:]} instead of {self._before[-300:]}"

    def until(self, place: str, sign: str) -> float:
        """The time at which the page shows this message."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if re.search(sign, self.get(place)):
                return time.monotonic()
            time.sleep(0.03)
        raise AssertionError(f"{sign} did not appear at {place}: {self.get(place)[:3000]}")

    def get(self, place: str) -> str:
        """The text of a page; for the image's address, its reading and the state of the camera."""
        request = urllib.request.Request(f"{self._hosting.server.address}{place}", headers={"Accept-Language": "en"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            if place != "picture":
                return str(answer.read().decode())
            seen = json.loads(answer.headers.get("X-Seen") or "{}")
        watcher = self._hosting.app_state.cameras.watcher
        state = f'data-camera="{watcher.state.word if watcher else "none"}"'
        values = sorted(die["value"] for die in seen.get("dice", ()))
        kept = sum(die["kept"] for die in seen.get("dice", ()))
        aside = f", {kept} set aside" if kept else ""
        return f'{state} "settled":{json.dumps(seen.get("settled"))} "doubt":{seen.get("doubt")} {values}{aside}'

    def close(self) -> None:
        """Stops the camera."""
        self._camera.stop()

    @staticmethod
    def _well() -> str:
        return re.escape('data-camera="looking" "settled":true "doubt":None [2, 5, 5]')


def _camera(send: list[tuple[bytes, ...]], port: int = 0) -> MjpegCamera:
    camera = MjpegCamera(lambda n: send[0][n % len(send[0])] if send[0] else b"", port=port)
    camera.pause = 1 / 12
    return camera


@contextmanager
def watched_table(folder: Path) -> Iterator[WatchedTable]:
    """A table with a network camera, at which Anna's roll 5 5 2 is on record."""
    send = [variants(BEFORE)]
    camera = _camera(send)
    with (
        mock.patch("companion.camera.worker.frames", hostile),
        served_app(folder, source=camera.url) as running_app,
        poll_latency(f"{running_app.server.address}board") as latency,
    ):
        table = WatchedTable(running_app, camera, send, latency)
        try:
            table.until("picture", r'"settled":true "doubt":None \[\]')
            table.show(THROWN)
            table.until("record.txt", "A roll 5 5 2")
            table.until("picture", table._well())
            yield table
        finally:
            table.close()
