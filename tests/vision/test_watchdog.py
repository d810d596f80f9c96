"""A hanging camera process is noticed soon on a fast computer, and not too soon on a slow one."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.faulty_camera import MODELS
from tests.kit.lateness import lateness
from vision.process import child, supervisor
from vision.process.protocol import Garbled, Go, Order, Over, Pulse, Ready, SeenFrame, receive, send
from vision.process.supervisor import FAST_PICTURES, PATIENCE, Supervisor
from vision.sources import busy
from vision.sources.busy import working
from vision.types import Lost, Motion, Reading

pytestmark = pytest.mark.slow

PROMISED = 2.0  # seconds until it has begun again


def _then(bad: object, ticks: int = 40) -> Iterator[Lost]:
    for n in range(ticks):
        time.sleep(0.02)
        yield Lost(float(n), "nothing to be seen")
    with working("decoding a picture"):
        bad()  # type: ignore[operator]


def hanging(source: str, **asked: object) -> Iterator[Lost]:
    yield from _then(threading.Event().wait)


def stopping(source: str, **asked: object) -> Iterator[Lost]:
    yield from _then(lambda: os.kill(os.getpid(), signal.SIGSTOP))


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process by a signal")
@pytest.mark.parametrize("frames", [hanging, stopping])
def test_a_camera_whose_decoder_hangs_is_begun_again_within_two_seconds(frames: object) -> None:
    """Bug: it took more than three seconds, the time that a picture may take on the slowest computer."""
    last, began, over = [0.0], [0.0], threading.Event()

    def take(seen: SeenFrame) -> None:
        last[0] = time.monotonic()

    def restarted() -> None:
        began[0] = time.monotonic()
        over.set()

    order = Order("phone", frames, MODELS)  # type: ignore[arg-type]
    watched = Supervisor(order, take=take, answer=lambda: Go(0), restarted=restarted)
    running = threading.Thread(target=watched.run, daemon=True)
    with lateness() as late:
        running.start()
        assert over.wait(30)
    watched.close()
    running.join(10)
    assert began[0] - last[0] < PROMISED + late.seconds


def waiting(source: str, **asked: object) -> Iterator[Lost]:
    yield Lost(0.0, "")
    time.sleep(1.7)
    yield Lost(1.7, "")


def toiling(source: str, **asked: object) -> Iterator[Lost]:
    yield Lost(0.0, "")
    with working("decoding a picture"):
        time.sleep(1.7)
    yield Lost(1.7, "")


@pytest.mark.parametrize(("frames", "said"), [(waiting, 0), (toiling, 1)])
def test_only_work_without_a_reading_is_called_slow(frames: object, said: int) -> None:
    """Bug: between two pictures of a slow camera, the page said that reading a picture took long."""
    silent: list[float] = []
    order = Order("slow.mp4", frames, None)  # type: ignore[arg-type]
    watched = Supervisor(
        order, take=lambda _: None, answer=lambda: Go(0), restarted=lambda: None, silent=lambda: silent.append(0.0)
    )
    assert watched.run() == Over()
    assert len(silent) == said


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(busy, "_longest", 0.0)
    monkeypatch.setattr(busy, "_ended", 0)


def test_how_long_work_lasts_is_known_after_some_of_it(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("vision.sources.busy.time.monotonic", lambda: now[0])
    for seconds in (0.4, *[0.1] * (busy.MIN_OPERATIONS - 2)):
        with working("reading a picture"):
            now[0] += seconds
        with working("reading a camera", waits=15.0):  # that of a driver says nothing
            now[0] += 14.0
    assert busy.usual() is None
    with working("reading a picture"):
        now[0] += 0.1
    assert busy.usual() == pytest.approx(0.4, rel=0.01)
    for _ in range(60_000):
        busy._remember(0.1)
    assert busy.usual() == pytest.approx(0.1, rel=0.01)  # the one long one is forgotten


class Lives:
    """Fake processes: each sends Ready, reads its number of pictures, sends its patience and ends."""

    def __init__(self, *pictures: int, patience: float = 1.2) -> None:
        self.pictures, self.patience = list(pictures), patience
        self.begun: list[tuple[float, float]] = []

    def __call__(self, order: Order, patience: float, most: float, silent: object) -> Lives:
        self.begun.append((patience, most))
        self.process = self
        return self

    def messages(self) -> Iterator[object]:
        yield Ready(live=True, stills=False)
        if not self.pictures:
            yield Over()
            return
        for n in range(self.pictures.pop(0)):
            yield SeenFrame(Reading((), True, 0, Motion.STABLE, n, float(n)), size=(640, 480))
        yield Pulse(self.patience)

    def answer(self, go: Go) -> None: ...
    def end(self) -> int:
        return 1

    def forget(self) -> None: ...


class Instead(threading.Event):
    """Does not wait, and records how long it would have."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout)
        return False


def _watched(lives: Lives, monkeypatch: pytest.MonkeyPatch) -> Instead:
    monkeypatch.setattr(supervisor, "_Life", lives)
    watched = Supervisor(
        Order("phone", hanging, Path()), take=lambda seen: None, answer=lambda: Go(0), restarted=lambda: None
    )
    watched._closed = Instead()
    assert watched.run() == Over()
    return watched._closed


def test_the_next_process_keeps_the_limits_learned_by_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: the next process forgot the speed of this computer, so a second hanging picture took six seconds."""
    lives = Lives(FAST_PICTURES, FAST_PICTURES)
    _watched(lives, monkeypatch)
    assert lives.begun == [(PATIENCE, PATIENCE), (1.2, PATIENCE), (1.2, PATIENCE)]


def test_a_process_that_reads_too_little_gets_twice_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lives = Lives(FAST_PICTURES, 2, 2)
    _watched(lives, monkeypatch)
    assert lives.begun[1:] == [(1.2, PATIENCE), (2.4, 2 * PATIENCE), (4.8, 4 * PATIENCE)]


def test_after_the_first_end_it_begins_again_at_once_and_later_ever_more_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bug: even the second restart waited for a whole second."""
    assert _watched(Lives(*[0] * 8), monkeypatch).pauses == [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0]


def test_a_file_is_given_as_long_for_each_picture_as_a_slow_computer_needs() -> None:
    """One picture of a folder may be a hundred times as large as all before it; the next ones are read at once."""
    watching = child.Watching(None, None, Order("film.mp4", hanging, Path()), 3.0, 3.0)  # type: ignore[arg-type]
    for live, patience in ((False, 3.0), (True, child.LEAST_PATIENCE)):
        watching._live = live
        assert watching._learned(known=0.01) == patience
    assert watching._learned(known=0.4) == 2.0
    assert watching._learned(known=2.0) == 3.0


def test_a_none_message_is_distinguished_from_the_end_of_the_stream() -> None:
    said = io.BytesIO()
    send(said, Go(3))
    whole = said.getvalue()
    assert receive(io.BytesIO(whole)) == Go(3)
    for length in range(len(whole)):  # the process ended in the middle of it
        assert receive(io.BytesIO(whole[:length])) is None
    for garbled in (b"\xff\xff\xff\xff", b"\0\0\0\3abc", b"\0\0\0\0"):
        with pytest.raises(Garbled):
            receive(Endless(garbled))  # type: ignore[arg-type]


class Endless(io.BytesIO):
    """Never ends after its first bytes; reading all of it would run out of memory."""

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size < 2**28
        return super().read(size)


class Failing(Lives):
    """Each process sends an invalid message."""

    def messages(self) -> Iterator[object]:
        if self.pictures:
            self.pictures.pop()
            yield Ready(live=True, stills=False)
            raise Garbled("at the third byte")
        yield Over()

    def kill(self) -> None:
        self.patience = 0.0


def test_a_process_that_talks_nonsense_is_ended_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lives = Failing(1, 1)
    _watched(lives, monkeypatch)
    assert (len(lives.begun), lives.patience) == (3, 0.0)


def test_picture_numbers_only_grow_and_the_referee_hears_of_each_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor, "_Life", Lives(3, 2))
    taken: list[int | str] = []
    watched = Supervisor(
        Order("phone", hanging, Path()),
        take=lambda seen: taken.append(seen.reading.frame),
        answer=lambda: Go(0),
        restarted=lambda: taken.append("restarted"),
    )
    watched._closed = Instead()
    assert watched.run() == Over()
    assert taken == [0, 1, 2, "restarted", 3, 4, "restarted"]
