"""The camera while a game runs: readings go to the table, pictures to whoever looks.

Everything that touches a picture happens in a process of its own (`vision.process`); here they are bytes.
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

from companion.camera.recent_frames import RecentFrames
from engine.dice import Faces
from vision import messages
from vision.process.protocol import Go, Order, Over, Seen
from vision.process.supervisor import Supervisor
from vision.sources import streams
from vision.sources.camera import frames
from vision.table.layout import DrawnAreas
from vision.tracking.frame_quality import DiceQuality
from vision.tracking.upright import Upright
from vision.types import Motion, Reading, SeenDie

PICTURE_SECONDS = 0.1  # viewers get no more pictures than this, however fast the camera
# … and fewer the more of them look: handing one out takes 1 ms of a processor from reading the dice, so all together
# take a quarter of one at most.
PICTURE_SECONDS_A_VIEWER = 0.004
WANTED_SECONDS = 5.0  # pictures are encoded as long as somebody has asked for one so recently
RATE_SECONDS, RATE_PICTURES = 1.5, 9  # over so long, or so many, pictures a second are counted: a slow one shows soon
RESTART_SECONDS = 10.0  # so long the page says that watching has begun again
_STALE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the page shows it. seen: JSON in ASCII, what was read in it, places in fractions of its size."""

    number: int
    jpeg: bytes
    seen: str


@dataclass(frozen=True, slots=True)
class Health:
    """How the camera is doing: size in pixels, pictures a second of late, dice in sight, whether areas are known, how
    well the dice seen last can be read, and what the last throw seen from throw to rest showed, high to low."""

    width: int = 0
    height: int = 0
    rate: float = 0.0
    dice: int = 0
    areas: bool = False
    doubt: str | None = None
    quality: DiceQuality | None = None
    thrown: Faces = ()


@dataclass(frozen=True, slots=True)
class CameraState:
    """How the camera is: `looking`, `starting`, `lost` or `ended`, and why in one sentence if there is more to say."""

    word: str
    why: str | None = None


class Watcher:
    """Has one source watched until closed or the source ends.

    source: what people call it; path: the camera, file or address behind it; upside_down: it hangs so; model: that
    reads dice, None where only pictures are wanted; areas: where dice lie, as somebody drew it. see: what to do with
    each reading; ended: when a file is over; restarted: when watching has begun again, by somebody who knows nothing of
    before; told: the number of a picture that may be fetched, or -1 when the state has changed.
    """

    def __init__(
        self,
        source: str,
        *,
        path: str,
        model: Path | None,
        see: Callable[[Reading], None],
        ended: Callable[[], None],
        told: Callable[[int], None],
        restarted: Callable[[], None] = lambda: None,
        areas: DrawnAreas | None = None,
        upside_down: bool = False,
    ) -> None:
        self.source = source
        self.state = CameraState("starting")
        self.areas = areas
        self.recent = RecentFrames()
        self.advised: Callable[[], tuple[int, ...]] = tuple
        self.due: Callable[[], int] = int
        self._see, self._ended, self._restarted, self._told = see, ended, restarted, told
        self._newest: Seen | None = None  # of what there was a picture
        self._pictured: Seen | None = None  # … and that came along
        self._offered: Seen | None = None  # what viewers were told of
        self._quality: DiceQuality | None = None
        self._thrown: Faces = ()
        self._upright, self._throws = Upright(), 0.0  # the throws when it has seen dice last
        self._shown: Shown | None = None
        self._small: bytes | None = None
        self._wanted = self._told_at = self._restarted_at = float("-inf")
        self._asked = 0  # times since viewers were told of a picture
        self._times: deque[float] = deque(maxlen=40)
        level = logging.getLogger("vision").getEffectiveLevel()
        order = Order(path, frames, model, upside_down, areas, level=level)
        self._supervisor = Supervisor(
            order, take=self._take, answer=self._answer, restarted=self._again, silent=self._silent
        )
        self.feed = self._supervisor.feed
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and let the camera go."""
        self._supervisor.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    @property
    def found(self) -> dict[str, list[Any]]:
        """`dice` and `areas` of the newest picture, as `Shown.seen` has them; no picture is made for it."""
        return _found(self._newest, ()) if self._newest else {"dice": [], "areas": []}

    @property
    def process(self) -> int | None:
        """The number of the process that watches."""
        return self._supervisor.process

    @property
    def shown(self) -> Shown | None:
        """The newest picture that there is; more are made as long as somebody asks."""
        self._asked += 1
        now = time.monotonic()
        offered = self._offered
        if offered is None or now - self._told_at >= _STALE_SECONDS:
            offered = self._offered = self._pictured  # nobody has looked for a while, or nothing more comes
        self._wanted = now
        shown = self._shown
        if offered is not None and (shown is None or shown.number != offered.reading.frame):
            shown = self._shown = _shown(offered, self.advised())
        return shown

    def small_picture(self) -> bytes | None:
        """The picture in which the dice last came to lie, at a size fit for the archive."""
        return self._small

    def health(self) -> Health:
        """How the camera is doing now."""
        newest = self._newest
        if newest is None or newest.size is None:
            return Health()
        times = list(self._times)
        late = sum(moment > times[-1] - RATE_SECONDS for moment in times) if times else 0
        times = times[-max(late, RATE_PICTURES) :]
        spent = times[-1] - times[0] if len(times) > 1 else 0.0
        rate = (len(times) - 1) / spent if spent > 0 and time.monotonic() - times[-1] < 2 else 0.0
        width, height = newest.sent or newest.size
        reading = newest.reading
        quality = self._quality if reading.dice else None
        outlined = bool(newest.outlines)
        return Health(width, height, rate, len(reading.dice), outlined, reading.doubt, quality, self._thrown)

    @property
    def shown_source(self) -> str:
        """The source as it may be shown: an address without user name and password."""
        name = streams.shown(self.source) if "://" in self.source else self.source
        return name.encode(errors="replace").decode()  # a file's name may be no UTF-8

    def _run(self) -> None:
        over = self._supervisor.run()
        if over == Over():
            self._ended()
            self._change(CameraState("ended"))
        elif over is not None:
            self._change(CameraState("lost", over.why))

    def _answer(self) -> Go:
        looked_at = time.monotonic() - self._wanted < WANTED_SECONDS
        pause = max(PICTURE_SECONDS, self._asked * PICTURE_SECONDS_A_VIEWER) if looked_at else None
        return Go(0, self.due(), self.areas, pause)

    def _again(self) -> None:
        """Watching has ended by accident and begins again."""
        self._restarted_at = time.monotonic()
        self._change(CameraState("lost", messages.RESTARTED))
        self._restarted()

    def _silent(self) -> None:
        self._change(CameraState("lost", messages.TAKES_LONG))

    def _take(self, seen: Seen) -> None:
        reading, pictures = seen.reading, seen.pictures
        if pictures.kept is not None:
            self.recent.take(pictures.kept, reading)
        if pictures.small is not None:
            self._small = pictures.small  # before the reading is seen: a throw is kept with its picture
        self._see(reading)
        if reading.motion is Motion.LOST:
            self._change(CameraState("lost", reading.doubt))
            return
        now = time.monotonic()
        fresh = now - self._restarted_at < RESTART_SECONDS
        on_its_head = messages.ON_ITS_HEAD if self._upright.on_its_head else None
        self._change(CameraState("looking", messages.RESTARTED if fresh else on_its_head))
        if seen.size is None:
            return
        self._times.append(now)
        self._newest = seen
        self._quality = seen.quality or self._quality
        if reading.settled and reading.throws > 0 and reading.active:
            self._thrown = tuple(reversed(reading.active))
            if reading.throws != self._throws:
                came = [die.xyxy for die in reading.dice if die.came == reading.throws]  # others have been seen before
                self._upright.see(came, seen.size[1])
                self._throws = reading.throws
        if pictures.shown is not None or pictures.kept is not None:
            self._pictured = seen
        if pictures.shown is not None:
            self._offered, self._told_at, self._asked = seen, now, 0
            self._told(reading.frame)

    def _change(self, state: CameraState) -> None:
        if state != self.state:
            self.state = state
            self._told(-1)


def _shown(seen: Seen, advised: tuple[int, ...]) -> Shown:
    reading = seen.reading
    told = {
        "number": reading.frame,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "size": seen.size,
    } | _found(seen, advised)
    jpeg = seen.pictures.shown or seen.pictures.kept or b""
    return Shown(reading.frame, jpeg, json.dumps(told, separators=(",", ":")))


def _found(seen: Seen, advised: tuple[int, ...]) -> dict[str, list[Any]]:
    """The dice and areas of a picture, places in fractions of its size."""
    assert seen.size is not None
    wanted = list(advised)
    return {
        "dice": [_die(die, *seen.size, wanted) for die in seen.reading.dice],
        "areas": [[area.place.value, [[round(x, 4), round(y, 4)] for x, y in area.corners]] for area in seen.outlines],
    }


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
