"""The camera during a game: passes readings to the table and images to viewers.

All image processing happens in a subprocess (`vision.process`); here images are bytes.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.camera.phone import PhoneGate
from companion.camera.recent_frames import RecentFrames
from companion.camera.upside_down import UpsideDownDetector
from engine.dice import Faces
from vision import messages
from vision.process.protocol import Go, Order, Over, SeenFrame
from vision.process.supervisor import Supervisor
from vision.sources import streams
from vision.sources.camera import frames
from vision.table.layout import DrawnAreas
from vision.table.mat import Polygon
from vision.tracking.frame_quality import DiceQuality
from vision.types import Motion, Reading, SeenDie

PICTURE_SECONDS = 0.1  # minimum interval of images for viewers, however fast the camera
# The interval grows with the number of viewers: sending one image takes 1 ms of processor time from reading dice, and
# all viewers together may take a quarter of one processor.
PICTURE_SECONDS_PER_VIEWER = 0.004
VIEWER_SECONDS = 5.0  # images are encoded for this long after the last request
# Window for measuring frames a second, in seconds and frames, so that a drop shows soon.
RATE_SECONDS, RATE_PICTURES = 1.5, 9
RESTART_SECONDS = 10.0  # time for which the page reports a restart
_STALE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class PageImage:
    """An image for the page. `seen` is its reading as ASCII JSON, with positions as fractions of its size."""

    number: int
    jpeg: bytes
    seen: str


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the camera: size in pixels, recent frames a second, dice in sight, whether zones are known, image
    quality of the dice seen last, and the values of the last roll, in descending order."""

    width: int = 0
    height: int = 0
    rate: float = 0.0
    dice: int = 0
    areas: bool = False
    doubt: str | None = None
    quality: DiceQuality | None = None
    rolled: Faces = ()


@dataclass(frozen=True, slots=True)
class CameraState:
    """`looking`, `starting`, `lost` or `ended`, with the reason in one sentence if there is one."""

    word: str
    why: str | None = None


class Watcher:
    """Watches one source until closed or the source ends.

    Args:
        source: Its name for users.
        path: The camera, file or address behind it.
        upside_down: The camera is mounted upside down.
        model: Weights of the detector; None if only images are wanted.
        areas: Zones for dice, as drawn by a player.
        see: Processes a reading.
        ended: Called at the end of a file.
        restarted: Called after a restart: the watcher remembers nothing.
        announce: Called with the number of a new image, or −1 if the state has changed.
    """

    def __init__(
        self,
        source: str,
        *,
        path: str,
        model: Path | None,
        see: Callable[[Reading], None] = lambda reading: None,
        ended: Callable[[], None] = lambda: None,
        announce: Callable[[int], None] = lambda number: None,
        restarted: Callable[[], None] = lambda: None,
        areas: DrawnAreas | None = None,
        upside_down: bool = False,
    ) -> None:
        self.source = source
        self.state = CameraState("starting")
        self.areas = areas
        self.recent = RecentFrames()
        self.advised_dice: Callable[[], tuple[int, ...]] = tuple
        self.expected_dice: Callable[[], int] = int
        self.cards: Callable[[], tuple[Polygon, ...]] = tuple  # returns the zones of cards
        self._see, self._ended, self._restarted, self._announce = see, ended, restarted, announce
        self._newest: SeenFrame | None = None  # the newest reading of a frame
        self._newest_with_image: SeenFrame | None = None  # the newest with an image
        self._announced_frame: SeenFrame | None = None  # the one last announced to viewers
        self._quality: DiceQuality | None = None
        self._rolled: Faces = ()
        self._upside_down, self._rolls = UpsideDownDetector(), 0.0  # the rolls when it last saw dice
        self._page_image: PageImage | None = None
        self._small: bytes | None = None
        self._requested_at = self._announced_at = self._restarted_at = float("-inf")
        self._requests = 0  # requests since an image was announced
        self._times: deque[float] = deque(maxlen=40)
        level = logging.getLogger("vision").getEffectiveLevel()
        order = Order(path, frames, model, upside_down, areas, level=level)
        self._supervisor = Supervisor(
            order,
            take=self._on_frame,
            answer=self._next_instructions,
            restarted=self._on_restart,
            silent=self._on_silence,
        )
        self.phone = PhoneGate(self._supervisor.feed)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Starts watching."""
        self._thread.start()

    def close(self) -> None:
        """Stops watching and releases the camera."""
        self._supervisor.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    @property
    def page_outlines(self) -> dict[str, list[Any]]:
        """`dice` and `areas` of the newest picture, as `PageImage.seen` has them; no picture is made for it."""
        return _outlines(self._newest, ()) if self._newest else {"dice": [], "areas": []}

    @property
    def process(self) -> int | None:
        """Process id of the watcher subprocess."""
        return self._supervisor.process

    @property
    def page_image(self) -> PageImage | None:
        """The newest image; asking for it keeps new ones coming."""
        self._requests += 1
        now = time.monotonic()
        announced = self._announced_frame
        if announced is None or now - self._announced_at >= _STALE_SECONDS:
            # There has been no viewer for a while, or the source has ended.
            announced = self._announced_frame = self._newest_with_image
        self._requested_at = now
        shown = self._page_image
        if announced is not None and (shown is None or shown.number != announced.reading.frame):
            shown = self._page_image = _page_image(announced, self.advised_dice())
        return shown

    def small_picture(self) -> bytes | None:
        """The image in which the dice last came to rest, at the archive's size."""
        return self._small

    def health(self) -> Health:
        """The current state of the camera."""
        newest = self._newest
        if newest is None or newest.size is None:
            return Health()
        times = list(self._times)
        recent = sum(moment > times[-1] - RATE_SECONDS for moment in times) if times else 0
        times = times[-max(recent, RATE_PICTURES) :]
        span = times[-1] - times[0] if len(times) > 1 else 0.0
        rate = (len(times) - 1) / span if span > 0 and time.monotonic() - times[-1] < 2 else 0.0
        width, height = newest.sent or newest.size
        reading = newest.reading
        quality = self._quality if reading.dice else None
        outlined = bool(newest.outlines)
        return Health(width, height, rate, len(reading.dice), outlined, reading.doubt, quality, self._rolled)

    @property
    def public_source(self) -> str:
        """The source without credentials."""
        name = streams.shown(self.source) if "://" in self.source else self.source
        return name.encode(errors="replace").decode()  # a file's name may not be UTF-8

    def _run(self) -> None:
        over = self._supervisor.run()
        if over == Over():
            self._ended()
            self._change(CameraState("ended"))
        elif over is not None:
            self._change(CameraState("lost", over.why))

    def _next_instructions(self) -> Go:
        has_viewers = time.monotonic() - self._requested_at < VIEWER_SECONDS
        pause = max(PICTURE_SECONDS, self._requests * PICTURE_SECONDS_PER_VIEWER) if has_viewers else None
        return Go(0, self.expected_dice(), self.areas, pause, self.cards())

    def _on_restart(self) -> None:
        """Handles an accidental end: watching restarts."""
        self._restarted_at = time.monotonic()
        self._change(CameraState("lost", messages.RESTARTED))
        self._restarted()

    def _on_silence(self) -> None:
        self._change(CameraState("lost", messages.TAKES_LONG))

    def _on_frame(self, seen: SeenFrame) -> None:
        reading, pictures = seen.reading, seen.pictures
        if pictures.kept is not None:
            self.recent.add(pictures.kept, reading)
        if pictures.small is not None:
            self._small = pictures.small  # before the reading is processed, because a roll is stored with its image
        self._see(reading)
        if reading.motion is Motion.LOST:
            self._change(CameraState("lost", reading.doubt))
            return
        now = time.monotonic()
        just_restarted = now - self._restarted_at < RESTART_SECONDS
        looks_upside_down = messages.UPSIDE_DOWN if self._upside_down.looks_upside_down else None
        self._change(CameraState("looking", messages.RESTARTED if just_restarted else looks_upside_down))
        if seen.size is None:
            return
        self._times.append(now)
        self._newest = seen
        self._quality = seen.quality or self._quality
        if reading.settled and reading.rolls > 0 and reading.active:
            self._rolled = tuple(reversed(reading.active))
            if reading.rolls != self._rolls:
                new_dice = [die.xyxy for die in reading.dice if die.new]  # the others were there before
                self._upside_down.add_dice(new_dice, seen.size[1])
                self._rolls = reading.rolls
        if pictures.shown is not None or pictures.kept is not None:
            self._newest_with_image = seen
        if pictures.shown is not None:
            self._announced_frame, self._announced_at, self._requests = seen, now, 0
            self._announce(reading.frame)

    def _change(self, state: CameraState) -> None:
        if state != self.state:
            self.state = state
            self._announce(-1)


def _page_image(seen: SeenFrame, advised: tuple[int, ...]) -> PageImage:
    reading = seen.reading
    shown = {
        "number": reading.frame,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "size": seen.size,
    } | _outlines(seen, advised)
    jpeg = seen.pictures.shown or seen.pictures.kept or b""
    return PageImage(reading.frame, jpeg, json.dumps(shown, separators=(",", ":")))


def _outlines(seen: SeenFrame, advised: tuple[int, ...]) -> dict[str, list[Any]]:
    """The dice and areas of a picture, places in fractions of its size."""
    assert seen.size is not None
    wanted = list(advised)
    return {
        "dice": [_die(die, *seen.size, wanted) for die in seen.reading.dice],
        "areas": [[area.place.value, [[round(x, 4), round(y, 4)] for x, y in area.corners]] for area in seen.outlines],
    }


def _die(die: SeenDie, width: int, height: int, wanted: list[int]) -> dict[str, object]:
    """One die for the page. Removes its value from `wanted`, the dice still to be set aside, if it is one of them."""
    left, top, right, bottom = die.xyxy
    advised = not die.kept and die.value in wanted
    if advised:
        wanted.remove(die.value)
    box = (left / width, top / height, (right - left) / width, (bottom - top) / height)
    return {
        "box": [round(float(part), 4) for part in box],
        "value": die.value,
        "sure": round(float(die.confidence), 3),
        "kept": die.kept,
        "advised": advised,
    }
