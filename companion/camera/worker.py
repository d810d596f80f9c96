"""The camera's thread: readings go to the table, pictures to whoever looks."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.camera.recent_frames import RecentFrames
from vision import messages
from vision.dice.detector import Detector
from vision.dice.networks import DamagedModel
from vision.pipeline import Pipeline
from vision.sources import streams
from vision.sources.camera import Unusable, frames, is_live
from vision.sources.latest_value import LatestValue
from vision.table.layout import Layout, Outline
from vision.types import Frame, Lost, Motion, Reading, SeenDie

PICTURE_SECONDS = 0.1  # viewers get no more pictures than this, however fast the camera
# … and fewer the more of them look: handing one out takes 1 ms of a processor from reading the dice, so all together
# take a quarter of one at most.
PICTURE_SECONDS_A_VIEWER = 0.004
WANTED_SECONDS = 5.0  # pictures are encoded as long as somebody has asked for one so recently
RATE_SECONDS, RATE_PICTURES = 1.5, 9  # over so long, or so many, pictures a second are counted: a slow one shows soon
_STALE_SECONDS = 1.0
_WIDTH, _SMALL_WIDTH = 960, 480
AGAIN_SECONDS = 0.5  # after a failure
_LOG = logging.getLogger(__name__)
Picture = npt.NDArray[np.uint8]
Seen = tuple[Picture, Reading, list[Outline]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the page shows it. seen: JSON in ASCII, what was read in it, places in fractions of its size."""

    number: int
    jpeg: bytes
    seen: str


@dataclass(frozen=True, slots=True)
class Health:
    """How the camera is doing: size in pixels, pictures a second of late, dice in sight, whether areas are known."""

    width: int = 0
    height: int = 0
    rate: float = 0.0
    dice: int = 0
    areas: bool = False
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class CameraState:
    """How the camera is: `looking`, `starting`, `lost` or `ended`, and why in one sentence if there is more to say."""

    word: str
    why: str | None = None


class Watcher:
    """Watches one source in a thread of its own until closed or the source ends.

    source: what people call it; path: the camera, file or address behind it; upside_down: it hangs so.
    see: what to do with each reading; ended: when a file is over; told: the number of a picture that may be fetched,
    or -1 when the state has changed.
    """

    def __init__(
        self,
        source: str,
        *,
        path: str,
        model: Path,
        see: Callable[[Reading], None],
        ended: Callable[[], None],
        told: Callable[[int], None],
        layout: Layout | None = None,
        phone: LatestValue[bytes] | None = None,
        upside_down: bool = False,
    ) -> None:
        self.source, self._path, self._upside_down = source, path, upside_down
        self.phone = phone
        self.state = CameraState("starting")
        self._model, self._layout = model, layout
        self._see, self._ended, self._told = see, ended, told
        self._newest: Seen | None = None
        self._sent: tuple[int, int] | None = None  # the camera's size, where the picture has kept another
        self._offered: Seen | None = None  # what viewers were told of: encoded when the first one asks
        self._shown: Shown | None = None
        self._wanted = self._told_at = 0.0
        self._asked = 0  # times since viewers were told of a picture
        self._times: deque[float] = deque(maxlen=40)
        self.recent = RecentFrames()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.advised: Callable[[], tuple[int, ...]] = tuple
        self.due: Callable[[], int] = int
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and let the camera go."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    @property
    def shown(self) -> Shown | None:
        """The newest picture, encoded once for all who ask."""
        self._asked += 1
        return self.encoded()

    def ready(self) -> Shown | None:
        """The newest picture if it need not be encoded first: never waits. One who asks; the rest is `encoded`."""
        self._asked += 1
        shown, offered, now = self._shown, self._offered, time.monotonic()
        if shown is None or offered is None or shown.number != offered[1].frame:
            return None
        if now - self._told_at >= _STALE_SECONDS:
            return None
        self._wanted = now
        return shown

    def encoded(self) -> Shown | None:
        """The newest picture for those who have been counted by `ready`."""
        now = time.monotonic()
        with self._lock:
            if self._offered is None or now - self._told_at >= _STALE_SECONDS:
                self._offered = self._newest  # nobody has looked for a while, or nothing more comes
            self._wanted = now
            offered = self._offered
            if offered is not None and (self._shown is None or self._shown.number != offered[1].frame):
                self._shown = _encode(*offered, self.advised())
            return self._shown

    def small_picture(self) -> bytes | None:
        """The newest picture at a size fit for the archive."""
        newest = self._newest
        return None if newest is None else _jpeg(newest[0], _SMALL_WIDTH, 70)

    def health(self) -> Health:
        """How the camera is doing now."""
        newest = self._newest
        if newest is None:
            return Health()
        image, reading, outlines = newest
        times = list(self._times)
        late = sum(moment > times[-1] - RATE_SECONDS for moment in times) if times else 0
        times = times[-max(late, RATE_PICTURES) :]
        spent = times[-1] - times[0] if len(times) > 1 else 0.0
        rate = (len(times) - 1) / spent if spent > 0 and time.monotonic() - times[-1] < 2 else 0.0
        width, height = self._sent or (image.shape[1], image.shape[0])
        return Health(width, height, rate, len(reading.dice), bool(outlines), reading.doubt)

    @property
    def shown_source(self) -> str:
        """The source as it may be shown: an address without user name and password."""
        return streams.shown(self.source) if "://" in self.source else self.source

    def use_layout(self, layout: Layout) -> None:
        """From the next frame on the dice lie in these areas."""
        self._layout = layout

    def _run(self) -> None:
        """Until closed, the end of a file, or a source or model that cannot be used at all; no error ends it else."""
        while not self._stop.is_set():
            live = False
            try:
                live = is_live(self._path)
                self._watch_all(live)
                return
            except (Unusable, DamagedModel, OSError) as error:
                self._change(CameraState("lost", str(error)))
                return
            except Exception:
                _LOG.exception("the source %s failed", self.shown_source)
                self._change(CameraState("lost", messages.FAILED))
                if not live:
                    return  # again from its beginning, a film would be recorded twice
            self._stop.wait(AGAIN_SECONDS)

    def _watch_all(self, live: bool) -> None:
        detector, watch = Detector(self._model), None
        for frame in frames(self._path, phone=self.phone, own_pace=True, upside_down=self._upside_down):
            if self._stop.is_set():
                return
            if watch is None:
                watch = Pipeline(detector, self._layout, live=live)
                watch.due = self.due
            if self._layout is not None:
                watch.layout = self._layout
            try:
                self._take(frame, watch)
            except Exception:  # one bad picture, or one bad moment: the next begins with nothing known
                _LOG.exception("a picture of %s could not be read", self.shown_source)
                self._change(CameraState("lost", messages.FAILED))
                watch = None
        self._ended()
        self._change(CameraState("ended"))

    def _take(self, frame: Frame | Lost, watch: Pipeline) -> None:
        reading = watch.step(frame)
        self._see(reading)
        if reading.motion is Motion.LOST:
            self._change(CameraState("lost", reading.doubt))
            return
        assert isinstance(frame, Frame)
        self._change(CameraState("looking"))
        size = (frame.image.shape[1], frame.image.shape[0])
        self._newest = (frame.image, reading, watch.layout.outlines(size))
        self.recent.take(frame.image, reading)
        now = time.monotonic()
        self._times.append(now)
        self._sent = frame.sent
        pause = max(PICTURE_SECONDS, self._asked * PICTURE_SECONDS_A_VIEWER)
        if now - self._told_at >= pause and now - self._wanted < WANTED_SECONDS:
            with self._lock:
                self._offered, self._told_at, self._asked = self._newest, now, 0
            self._told(reading.frame)

    def _change(self, state: CameraState) -> None:
        if state != self.state:
            self.state = state
            self._told(-1)


def _encode(image: Picture, reading: Reading, outlines: list[Outline], advised: tuple[int, ...]) -> Shown:
    height, width = image.shape[:2]
    wanted = list(advised)
    dice = [_die(die, width, height, wanted) for die in reading.dice]
    seen = {
        "number": reading.frame,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "size": [width, height],
        "dice": dice,
        "areas": [[area.place.value, [[round(x, 4), round(y, 4)] for x, y in area.corners]] for area in outlines],
    }
    return Shown(reading.frame, _jpeg(image, _WIDTH, 80), json.dumps(seen, separators=(",", ":")))


def _die(die: SeenDie, width: int, height: int, wanted: list[int]) -> dict[str, object]:
    """One die for the page; takes its value out of `wanted`, the dice still to be set aside, if it is among them."""
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


def _jpeg(image: Picture, width: int, quality: int) -> bytes:
    scale = width / image.shape[1]
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
