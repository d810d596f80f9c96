"""Runs the watcher in a subprocess and restarts it when it dies or hangs.

An unreadable frame costs that subprocess and a second, never the program.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from vision.process.protocol import Garbled, Go, Logged, Order, Over, Pulse, Ready, SeenFrame, Upload, receive, send

# Seconds an operation may last while `child.py` does not know this computer's speed. Doubled after each failure before
# FAST_PICTURES frames were read, for slow computers.
PATIENCE, MOST_PATIENCE = 3.0, 24.0
FAST_PICTURES = 10
BEGINNING_SECONDS = 20.0  # time for loading the model
LATE_SECONDS = 0.35  # extra time, after an operation should have ended, before the process counts as hung
LEAVING_SECONDS = 2.5  # time to end after the order to do so
SILENT_SECONDS = 1.1  # time without a reading, after the first one, before this is reported
HEALTHY_SECONDS = 5.0  # after watching this long, earlier failures are forgotten
# Seconds before a restart, doubled after each failure. The first restart is immediate.
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
# Frames to skip, counted from the last one read, when a file is resumed after its first failure in a row, the second,
# and so on. The next frame may not be the cause; a video decoder may need others around it.
FILM_AFTER, STILLS_AFTER = (0, 2, 3, 33, 93), (0, 2, 3, 4, 5)
_TICK, _HELD_UP = 0.1, 0.5
_MAIN = "from vision.process.child import main; main()"
_LOG = logging.getLogger(__name__)


class Supervisor:
    """Watches one source until it ends.

    Frame numbers and seconds only ever grow, across restarts too.

    Args:
        take: Processes a reading.
        answer: Says how to continue; `answered` is filled in here.
        restarted: Called after a restart: the watcher remembers nothing.
        silent: Called in its own thread if no reading has come for a while.

    `take`, `answer` and `restarted` run in the thread that calls `run`. If one of them raises, both sides restart.
    """

    def __init__(
        self,
        order: Order,
        *,
        take: Callable[[SeenFrame], None],
        answer: Callable[[], Go],
        restarted: Callable[[], None],
        silent: Callable[[], None] = lambda: None,
    ) -> None:
        self._order, self._take, self._answer = order, take, answer
        self._restarted, self._silent = restarted, silent
        self._life: _Life | None = None
        self._closed = threading.Event()
        self._live = False
        self._after = FILM_AFTER
        self._last = -1  # number of the last frame
        # Failures in a row: since the last healthy watching, since the last frame, since enough frames were read.
        self._ends = self._stuck = self._slow = 0
        self._pictures = 0  # frames read since the last restart
        self._patience = PATIENCE  # timeout of the last process that had read enough frames to know it

    def run(self) -> Over | None:
        """Watches until the source has ended (returns why), or until `close` (returns None)."""
        while not self._closed.is_set():
            began = time.monotonic()
            over = self._live_once()
            if over is not None or self._closed.is_set():
                return over
            if time.monotonic() - began > HEALTHY_SECONDS:
                self._ends = 0
            self._ends, self._stuck = self._ends + 1, self._stuck + 1
            self._slow = self._slow + 1 if self._pictures < FAST_PICTURES else 0
            self._restarted()
            if not self._live and self._stuck > len(self._after):
                return Over(f"reading failed {self._stuck} times after picture {max(self._last, 0)}")
            self._closed.wait(min(FIRST_PAUSE * 2 ** (self._ends - 2), LONGEST_PAUSE) if self._ends > 1 else 0.0)
        return None

    def feed(self, jpeg: bytes) -> None:
        """Passes on a JPEG from a phone."""
        life = self._life
        if life is not None:
            life.feed(jpeg)

    @property
    def process(self) -> int | None:
        """The process id of the current watcher."""
        life = self._life
        return None if life is None else life.process.pid

    def close(self) -> None:
        """Stops watching; the source is released when this returns."""
        self._closed.set()
        if self._life is not None:
            self._life.end()

    def _live_once(self) -> Over | None:
        """Runs one watcher process to its end. Returns its `Over` message; None if it ended without one."""
        first = self._last + 1 if self._live else 0
        begin = 0 if self._live or not self._stuck else max(self._last + self._after[self._stuck - 1], 0)
        patience, most = (min(one * 2**self._slow, MOST_PATIENCE) for one in (self._patience, PATIENCE))
        self._pictures = 0
        try:
            life = self._life = _Life(replace(self._order, begin=begin), patience, most, self._silent)
        except OSError:
            _LOG.exception("the process that watches could not be started")
            return None
        over: Over | None = None
        try:
            if self._closed.is_set():
                return None
            for message in life.messages():
                if self._closed.is_set():
                    continue  # read the remaining messages
                match message:
                    case Ready(live, stills):
                        self._live, self._after = live, STILLS_AFTER if stills else FILM_AFTER
                    case SeenFrame():
                        self._see(message, first, life)
                    case Logged(name, level, text):
                        logging.getLogger(name).log(level, "%s", text)
                    case Pulse(patience=patience):
                        self._patience = patience if self._pictures >= FAST_PICTURES else self._patience
                    case Over():
                        over = message
                        break
        except Exception:  # from the callbacks, or from a garbled message
            _LOG.exception("a reading could not be taken")
            life.process.kill()
        finally:
            status = life.end()
            life.forget()
        if over is None and not self._closed.is_set():
            _LOG.error(
                "the process that watches ended (status %s) after picture %d; it begins again", status, self._last
            )
        return over

    def _see(self, seen: SeenFrame, first: int, life: _Life) -> None:
        reading = seen.reading
        if first:
            seen = replace(seen, reading=replace(reading, frame=reading.frame + first))
        if seen.size is not None:
            self._pictures += 1
            if seen.reading.frame > self._last:
                self._last, self._stuck = seen.reading.frame, 0
        self._take(seen)
        life.answer(self._answer())


class _Life:
    """A watcher process: receives its messages, sends it orders, and kills it when it hangs."""

    def __init__(self, order: Order, patience: float, most: float, silent: Callable[[], None]) -> None:
        """Starts the process.

        Raises:
            OSError: It cannot be started.
        """
        # The subprocess imports from the same places as this one.
        paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _MAIN, f"{patience}", f"{most}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": paths},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._order, self._silent = order, silent
        self._seen: float | None = None  # when the last reading came, or when none was due
        self._silence = max(BEGINNING_SECONDS, patience)
        self._ready = False  # its model is loaded
        # Time of the last sign of life; None while its message is being processed.
        self._since: float | None = time.monotonic()
        self._ending = threading.Event()
        self._outbox = threading.Condition()
        self._go: Go | None = None
        self._jpeg: bytes | None = None
        self._answered = 0
        for work in (self._speak, self._watch_over):
            threading.Thread(target=work, name=f"{work.__name__.strip('_')} {self.process.pid}", daemon=True).start()

    def messages(self) -> Iterator[object]:
        """Yields the messages of the process until it ends.

        Raises:
            Garbled: It sent something else.
        """
        assert self.process.stdout is not None
        while (message := receive(self.process.stdout)) is not None:
            self._since = None
            yield message
            if isinstance(message, Pulse) and self._ready:
                self._silence = message.patience + LATE_SECONDS
            self._ready = self._ready or isinstance(message, Ready)
            self._since = time.monotonic()
            waits = isinstance(message, Pulse) and message.idle and self._seen is not None
            if waits or isinstance(message, SeenFrame):
                self._seen = self._since

    def answer(self, go: Go) -> None:
        """Reports that a reading has been processed. Never blocks, and neither does `feed`: only the newest of each
        is sent."""
        with self._outbox:
            self._answered += 1
            self._go = replace(go, answered=self._answered)
            self._outbox.notify()

    def feed(self, jpeg: bytes) -> None:
        """Passes on a phone's JPEG."""
        with self._outbox:
            self._jpeg = jpeg
            self._outbox.notify()

    def end(self) -> int | None:
        """Ends the process, waits for it and returns its status."""
        self._ending.set()
        with self._outbox:
            self._outbox.notify()
        try:
            return self.process.wait(LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def forget(self) -> None:
        """Stops reading, for a caller that has read all messages."""
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _speak(self) -> None:
        assert self.process.stdin is not None
        try:
            with self.process.stdin as out:
                send(out, self._order)
                while not self._ending.is_set():
                    with self._outbox:
                        self._outbox.wait_for(lambda: self._go or self._jpeg or self._ending.is_set())
                        go, jpeg, self._go, self._jpeg = self._go, self._jpeg, None, None
                    if jpeg is not None:
                        send(out, Upload(jpeg))
                    if go is not None:
                        send(out, go)
        except OSError:  # it has ended; the reader of its messages notices
            pass

    def _watch_over(self) -> None:
        now = awake = time.monotonic()
        while not self._ending.wait(_TICK) and self.process.poll() is None:
            before, now = now, time.monotonic()
            if now - before > _HELD_UP:
                awake = now  # the computer was asleep or busy with other work, and so was the process
            since, seen = self._since, self._seen
            if since is not None and seen is not None and now - seen > SILENT_SECONDS:
                self._seen = None
                self._silent()
            if since is not None and now - max(since, awake) > self._silence:
                _LOG.error("the process that watches has given no sign of life for %.1f s", self._silence)
                self.process.kill()
                return


__all__ = ["Garbled", "Supervisor"]
