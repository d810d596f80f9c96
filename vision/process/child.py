"""The watcher process: decodes frames, detects and tracks dice, and sends readings to its parent process.

It exits when its parent does, and by itself when an operation hangs or it uses too much memory. It may be killed at any
moment: everything it finds is sent at once.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

from vision.dice.detector import for_films
from vision.dice.networks import DamagedModel
from vision.messages import as_doubt
from vision.pipeline import Pipeline
from vision.process.pictures import Encoder
from vision.process.protocol import Go, Logged, Order, Over, Pulse, Ready, SeenFrame, Upload, receive, send
from vision.sources.busy import Work, longest, usual, working
from vision.sources.camera import Unusable, are_stills, is_live
from vision.sources.latest_value import LatestValue
from vision.table.printed_mat import PrintedMat
from vision.tracking.frame_quality import dice_quality
from vision.types import Frame, Lost, Motion, Reading

PULSE_SECONDS = 0.25
# An operation has hung if it lasts this multiple of the longest one so far, and at least this many seconds.
MANY_TIMES, LEAST_PATIENCE = 5, 1.0
LOADING_SECONDS = 30.0  # extra time for loading a model from a slow SD card
MOST_MEMORY = 3 * 2**30  # bytes of data; decoding an image of 40 megapixels takes a third of it
LEAVING_SECONDS = 2.0  # time for a camera's driver to release the device after the order to end
LIVE_AHEAD = 2  # Live readings that may wait for an answer. Frames of a file wait until the reading before is answered.
FAILED, HUNG, TOO_LARGE = 70, 75, 76  # exit statuses
_LOG = logging.getLogger(__name__)


class Watching:
    """Watches one source until it ends or the parent process is gone."""

    def __init__(self, orders: IO[bytes], out: IO[bytes], order: Order, patience: float, most: float) -> None:
        """Prepares to watch the source in `order`.

        Args:
            patience: Seconds that one operation may last.
            most: Maximum of the limit that is learned from how long operations take on this computer.
        """
        self._orders, self._out, self._order, self._most = orders, out, order, most
        self._patience = patience
        self._live = False
        self._uploads: LatestValue[bytes] = LatestValue()
        self._go = Go(0, areas=order.areas)
        self._told = 0
        self._changed = threading.Condition()
        self._speaking = threading.Lock()
        self._leaving = threading.Event()

    def run(self) -> int:
        """Watches the source; returns the exit status."""
        for work in (self._listen, self._live_on):
            threading.Thread(target=work, name=work.__name__.strip("_"), daemon=True).start()
        try:
            self._watch()
        except Exception:
            if self._leaving.is_set():
                return 0
            _LOG.exception("watching failed")
            return FAILED
        return 0

    def say(self, message: object) -> None:
        """Sends a message to the parent process."""
        with self._speaking:
            send(self._out, message)

    def _watch(self) -> None:
        order = self._order
        try:
            live = self._live = is_live(order.source)
            pipeline = None if order.model is None else self._pipeline(order.model, live)
            self.say(Ready(live, not live and are_stills(order.source)))
            given = order.frames(
                order.source, phone=self._uploads, own_pace=True, upside_down=order.upside_down, begin=order.begin
            )
            with closing(given):  # type: ignore[type-var]  # a generator: closing it releases the camera
                self._read(given, pipeline, LIVE_AHEAD if live else 1)
        except Unusable as error:
            self.say(Over(error.sentence))
        except DamagedModel as error:
            self.say(Over(str(error)))
        except OSError as error:
            if not self._leaving.is_set():
                self.say(Over(str(error)))

    def _pipeline(self, model: Path, live: bool) -> Pipeline:
        with working("loading the model", waits=LOADING_SECONDS):
            pipeline = Pipeline(for_films(model), self._order.areas, live=live)
        pipeline.due = lambda: self._go.due
        return pipeline

    def _read(self, given: Iterator[Frame | Lost], pipeline: Pipeline | None, ahead: int) -> None:
        encoder, areas = Encoder(), self._order.areas
        while (go := self._allowed(ahead)) is not None:
            frame = next(given, None)
            if frame is None:
                self.say(Over())
                return
            if pipeline is not None and go.areas != areas:
                areas, pipeline.layout = go.areas, go.areas or PrintedMat()
            if pipeline is not None:
                pipeline.cards = go.cards
            with working("reading a picture"):
                seen = _seen(frame, pipeline, encoder, self._go.pause)
            self.say(seen)

    def _allowed(self, ahead: int) -> Go | None:
        """The parent's latest answer, as soon as fewer than `ahead` readings are unanswered; None if the process is
        to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._told - self._go.answered < ahead or self._leaving.is_set())
            self._told += 1
            return None if self._leaving.is_set() else self._go

    def _listen(self) -> None:
        while (message := receive(self._orders)) is not None:
            if isinstance(message, Upload):
                self._uploads.put(message.jpeg)
            elif isinstance(message, Go):
                with self._changed:
                    self._go = message
                    self._changed.notify_all()
        self._leaving.set()
        with self._changed:
            self._changed.notify_all()
        time.sleep(LEAVING_SECONDS)
        os._exit(0)

    def _live_on(self) -> None:
        """Sends a sign of life as long as no operation lasts too long."""
        spared: Work | None = None
        while True:
            if sys.stderr is not None:  # exits even if a library keeps Python from shutting down
                faulthandler.dump_traceback_later(self._most + LEAVING_SECONDS, exit=True)
            slept = time.monotonic()
            time.sleep(PULSE_SECONDS)
            held_up = time.monotonic() - slept > 2 * PULSE_SECONDS
            self._patience = self._learned(usual())
            work = longest()
            if work is not None and work.seconds() > self._patience:
                if held_up and work is not spared:
                    # The computer was asleep or busy with other work, and so was this operation: start its time again.
                    spared = work
                else:
                    self._hung(work)
            if (held := _memory()) > MOST_MEMORY:
                self._end(TOO_LARGE, f"{held >> 20} MiB are held")
            try:
                self.say(Pulse(self._patience, idle=work is None or work.seconds() <= 0))
            except (OSError, ValueError):
                return

    def _learned(self, known: float | None) -> float:
        """Timeout in seconds for operations, given the longest one so far (`known`).

        It is learned for cameras only: their frames are all of one kind.
        """
        if known is None or not self._live:
            return self._patience
        return min(max(MANY_TIMES * known, LEAST_PATIENCE), self._most)

    def _hung(self, work: Work) -> None:
        stack = sys._current_frames().get(work.thread)
        where = "".join(traceback.format_stack(stack)) if stack is not None else ""
        self._end(HUNG, f"{work.what} has lasted {self._patience:.1f} s\n{where}")

    def _end(self, status: int, why: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.say(Logged(__name__, logging.ERROR, why))
        os._exit(status)


def _seen(frame: Frame | Lost, pipeline: Pipeline | None, encoder: Encoder, pause: float | None) -> SeenFrame:
    reading = _unread(frame) if pipeline is None else pipeline.step(frame)
    if isinstance(frame, Lost):
        return SeenFrame(reading)
    # The registered frame, so that dice are where the reading says even if the camera has drifted.
    image = frame.image if pipeline is None or pipeline.picture is None else pipeline.picture
    size = (image.shape[1], image.shape[0])
    outlines = () if pipeline is None else tuple(pipeline.layout.outlines(size))
    pictures = encoder.of(image, reading, pause)
    # Measured as often as a frame is kept, on resting dice only: moving ones are blurred even in a sharp image.
    due = pictures.kept is not None and reading.settled
    quality = dice_quality(image, reading.dice) if due else None
    return SeenFrame(reading, size, frame.sent, outlines, pictures, quality)


def _unread(frame: Frame | Lost) -> Reading:
    """The reading of a camera that reads no dice."""
    if isinstance(frame, Lost):
        return Reading((), False, 0, Motion.LOST, 0, frame.seconds, as_doubt(frame.why))
    return Reading((), True, 0, Motion.EMPTY, frame.number, frame.seconds)


class _ForwardingHandler(logging.Handler):
    """A log handler that sends records to the parent process."""

    def __init__(self, watching: Watching) -> None:
        super().__init__()
        self._watching = watching

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._watching.say(Logged(record.name, record.levelno, self.format(record)))


def _memory() -> int:
    """Maximum memory of this process so far in bytes; 0 if the system does not say or has its own limit."""
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


def _limited() -> None:
    """Limits the memory of this process to MOST_MEMORY and makes it the first to be killed when memory is short.

    Linux only. For macOS see `_memory`; on Windows there is no limit.
    """
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


def main() -> None:
    """Reads orders from standard input and writes readings to standard output. Whatever libraries print goes to
    standard error."""
    orders, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl+C is handled by the parent process
    _limited()
    order = receive(orders)
    assert isinstance(order, Order)
    watching = Watching(orders, out, order, *map(float, sys.argv[1:]))
    root = logging.getLogger()
    root.addHandler(_ForwardingHandler(watching))
    root.setLevel(order.level)
    status = watching.run()
    with contextlib.suppress(OSError, ValueError):
        out.flush()
    os._exit(status)  # nothing needs cleaning up
