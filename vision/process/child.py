"""The process that watches: decodes, detects, follows, and tells what it has read to whoever has started it.

It ends with the process that has started it, and by itself when a piece of work lasts too long or it holds too much
memory; it is made to be ended at any moment, and keeps nothing that is not told at once.
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
from vision.process.protocol import Go, Logged, Order, Over, Pulse, Ready, Seen, Upload, receive, send
from vision.sources.busy import Work, longest, usual, working
from vision.sources.camera import Unusable, are_stills, is_live
from vision.sources.latest_value import LatestValue
from vision.table.printed_mat import PrintedMat
from vision.tracking.frame_quality import dice_quality
from vision.types import Frame, Lost, Motion, Reading

PULSE_SECONDS = 0.25
# A piece of work that lasts as many times as long as any has is hung, but not before so many seconds.
MANY_TIMES, LEAST_PATIENCE = 5, 1.0
LOADING_SECONDS = 30.0  # a model may take besides, from a slow card
MOST_MEMORY = 3 * 2**30  # bytes of data; reading pictures of 40 megapixels takes a third of it
LEAVING_SECONDS = 2.0  # after it was told to end: so long a camera's driver may take to let go
LIVE_AHEAD = 2  # readings that may wait to be dealt with: a file's pictures wait for the answer, a camera's do not
FAILED, HUNG, TOO_LARGE = 70, 75, 76  # exit status
_LOG = logging.getLogger(__name__)


class Watching:
    """One source, watched until it ends or whoever asked is gone."""

    def __init__(self, orders: IO[bytes], out: IO[bytes], order: Order, patience: float, most: float) -> None:
        """patience: seconds that a piece of work may last; most: … once it is known how long it does here."""
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
        """Watch; returns the exit status."""
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
        """Tell who has started this process."""
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
            with closing(given):  # type: ignore[type-var]  # a generator: the camera is let go
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
            with working("reading a picture"):
                seen = _seen(frame, pipeline, encoder, self._go.pause)
            self.say(seen)

    def _allowed(self, ahead: int) -> Go | None:
        """What was said last, as soon as few enough readings wait to be dealt with; None: nothing more is wanted."""
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
        """Say so as long as nothing lasts too long."""
        spared: Work | None = None
        while True:
            if sys.stderr is not None:  # ends this process even where a library keeps Python from running
                faulthandler.dump_traceback_later(self._most + LEAVING_SECONDS, exit=True)
            slept = time.monotonic()
            time.sleep(PULSE_SECONDS)
            held_up = time.monotonic() - slept > 2 * PULSE_SECONDS
            self._patience = self._learned(usual())
            work = longest()
            if work is not None and work.seconds() > self._patience:
                if held_up and work is not spared:
                    spared = work  # the computer has slept, or was busy with others: it, too, has just gone on
                else:
                    self._hung(work)
            if (held := _memory()) > MOST_MEMORY:
                self._end(TOO_LARGE, f"{held >> 20} MiB are held")
            try:
                self.say(Pulse(self._patience, idle=work is None or work.seconds() <= 0))
            except (OSError, ValueError):
                return

    def _learned(self, known: float | None) -> float:
        """How long to wait for work that has never lasted longer than is known, seconds.

        Only a camera's work is known by what it did before: it sends pictures of one kind.
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


def _seen(frame: Frame | Lost, pipeline: Pipeline | None, encoder: Encoder, pause: float | None) -> Seen:
    reading = _unread(frame) if pipeline is None else pipeline.step(frame)
    if isinstance(frame, Lost):
        return Seen(reading)
    # What is shown is where the reading says it is, though the camera has wandered.
    image = frame.image if pipeline is None or pipeline.picture is None else pipeline.picture
    size = (image.shape[1], image.shape[0])
    outlines = () if pipeline is None else tuple(pipeline.layout.outlines(size))
    pictures = encoder.of(image, reading, pause)
    # As often as a picture is kept, of dice that lie still: others are blurred, however well the camera sees.
    due = pictures.kept is not None and reading.settled
    quality = dice_quality(image, reading.dice) if due else None
    return Seen(reading, size, frame.sent, outlines, pictures, quality)


def _unread(frame: Frame | Lost) -> Reading:
    """The reading of a camera that looks for no dice."""
    if isinstance(frame, Lost):
        return Reading((), False, 0, Motion.LOST, 0, frame.seconds, as_doubt(frame.why))
    return Reading((), True, 0, Motion.EMPTY, frame.number, frame.seconds)


class _Telling(logging.Handler):
    """Hands lines of the log over."""

    def __init__(self, watching: Watching) -> None:
        super().__init__()
        self._watching = watching

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._watching.say(Logged(record.name, record.levelno, self.format(record)))


def _memory() -> int:
    """Bytes that this process has held at most, 0 where the system does not tell or has its own limit."""
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


def _limited() -> None:
    """Allocations beyond MOST_MEMORY fail, and where memory is short this process goes before the one that started it.

    On Linux only; for macOS see `_memory`; on Windows there is no limit.
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
    """Orders come on standard input and readings go to standard output; whatever else is printed, by libraries, goes
    to standard error.
    """
    orders, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is meant for who has started it
    _limited()
    order = receive(orders)
    assert isinstance(order, Order)
    watching = Watching(orders, out, order, *map(float, sys.argv[1:]))
    root = logging.getLogger()
    root.addHandler(_Telling(watching))
    root.setLevel(order.level)
    status = watching.run()
    with contextlib.suppress(OSError, ValueError):
        out.flush()
    os._exit(status)  # nothing of it is worth a tidy end
