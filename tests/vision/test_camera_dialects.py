"""Network cameras differ in protocol and speed: all are read, and a slow one is not reported as lost."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import pytest

from tests.kit.lateness import lateness
from tests.kit.mjpeg_server import numbered_jpeg
from vision.sources import live
from vision.sources.camera import open_live
from vision.sources.jpeg import decode
from vision.types import Frame, Lost

Answer = Callable[[BaseHTTPRequestHandler, int], None]  # how to answer the question of this number


@contextmanager
def camera(answer: Answer) -> Iterator[str]:
    """The address of a camera that answers like this."""
    numbers = itertools.count()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(OSError):  # the other side has hung up
                answer(self, next(numbers))

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/picture"
    finally:
        server.shutdown()
        server.server_close()


def begin(handler: BaseHTTPRequestHandler, kind: str | None, length: int | None = None) -> None:
    handler.send_response(200)
    if kind is not None:
        handler.send_header("Content-Type", kind)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.end_headers()


def seen(url: str, count: int, seconds: float = 30.0) -> list[Frame | Lost]:
    """The first items of a source, at most this many and within this many seconds."""
    source = open_live(url)
    until, items = time.monotonic() + seconds, []
    try:
        for item in source:
            items.append(item)
            if len(items) == count or time.monotonic() > until:
                return items
    finally:
        source.close()
    return items


def number_of(frame: Frame | Lost) -> int:
    """The number of the picture, encoded in its brightness (`numbered_jpeg`)."""
    assert isinstance(frame, Frame), frame
    return round(float(frame.image.mean()) - 69.5)


MIXED = "multipart/x-mixed-replace; boundary=announced"
TYPED = "Content-Type: image/jpeg"
DIALECTS = {  # the announced type, and what stands before a picture of this length
    "as the standard says": (MIXED, lambda n: f"--announced\r\n{TYPED}\r\nContent-Length: {n}\r\n\r\n"),
    "lines end in LF": (MIXED, lambda n: f"--announced\n{TYPED}\nContent-Length: {n}\n\n"),
    "another boundary than announced": (MIXED, lambda n: f"--other\r\n{TYPED}\r\n\r\n"),
    "a wrong length": (MIXED, lambda n: f"--announced\r\n{TYPED}\r\nContent-Length: 7\r\n\r\n"),
    "no boundary at all": (MIXED, lambda n: f"{TYPED}\r\n\r\n"),
    "bare pictures": ("image/jpeg", lambda n: ""),
    "bare pictures of an unknown type": ("application/octet-stream", lambda n: ""),
    "bare pictures of no type": (None, lambda n: ""),
    "parts called a film": ("video/x-motion-jpeg", lambda n: f"--b\r\nContent-Length: {n}\r\n\r\n"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_of_a_stream_of_jpegs_is_read(dialect: str) -> None:
    """Bug: no picture came if line ends, boundary or content type differed from the standard."""
    kind, before = DIALECTS[dialect]

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        begin(handler, kind)
        for number in range(400):
            jpeg = numbered_jpeg(number)
            handler.wfile.write(before(len(jpeg)).encode() + jpeg + b"\r\n")
            time.sleep(0.02)

    with camera(answer) as url:
        numbers = [number_of(item) for item in seen(url, 4)]
    assert numbers == sorted(set(numbers))


def one_picture(handler: BaseHTTPRequestHandler, number: int) -> None:
    jpeg = numbered_jpeg(number)
    begin(handler, "image/jpeg", len(jpeg))
    handler.wfile.write(jpeg)


def test_an_address_that_gives_one_picture_a_question_is_asked_again() -> None:
    """Bug: the end of each response counted as the end of the camera."""
    with camera(one_picture) as url:
        began = time.monotonic()
        numbers = [number_of(item) for item in seen(url, 8)]
    assert numbers == list(range(8))
    assert time.monotonic() - began > 0.4  # ten questions a second, not as many as the computer can ask


def test_an_answer_without_a_picture_now_and_then_is_no_lost_camera() -> None:
    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        if number % 3 == 1:
            handler.send_error(404)
        else:
            one_picture(handler, number)

    with camera(answer) as url:
        numbers = [number_of(item) for item in seen(url, 4)]
    assert len(numbers) == 4
    assert all(number % 3 != 1 for number in numbers)


def test_a_picture_that_is_no_jpeg_is_left_to_ffmpeg() -> None:
    png = cv2.imencode(".png", decode(numbered_jpeg(5)))[1].tobytes()

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        begin(handler, "image/png", len(png))
        handler.wfile.write(png)

    with camera(answer) as url:
        assert number_of(seen(url, 1)[0]) == 5


def slow(seconds: float, pictures: int) -> Answer:
    """Sends pictures at this interval in seconds, then none."""

    def answer(handler: BaseHTTPRequestHandler, question: int) -> None:
        if question:
            return
        begin(handler, "multipart/x-mixed-replace; boundary=b")
        for number in range(pictures):
            handler.wfile.write(b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + numbered_jpeg(number) + b"\r\n")
            time.sleep(seconds)
        time.sleep(1.5)

    return answer


def test_a_camera_of_half_a_picture_a_second_is_slow_and_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: “Camera lost” appeared between any two of its pictures. Everything is five times as fast here."""
    monkeypatch.setattr(live, "LOST_SECONDS", 0.2)
    monkeypatch.setattr(live, "FIRST_FRAME_SECONDS", 0.6)
    monkeypatch.setattr(live, "OFTEN_SECONDS", 0.05)
    with camera(slow(0.4, 5)) as url, lateness() as late:
        items = seen(url, 6)
    if late.seconds > 0.1:  # half of what would be called lost
        pytest.skip(f"pictures may be {late.seconds:.1f} s late: the machine is too busy")
    assert [isinstance(item, Frame) for item in items] == [True] * 5 + [False]  # its end is said all the same
    assert 0.8 < items[5].seconds - items[4].seconds < 1.6


def test_a_fast_camera_that_stops_sending_is_lost_after_a_second() -> None:
    with camera(slow(0.03, 20)) as url, lateness() as late:
        source, items = open_live(url), []
        for item in source:
            items.append(item)
            if isinstance(item, Lost):
                break
        source.close()
    assert live.LOST_SECONDS <= items[-1].seconds - items[-2].seconds < live.LOST_SECONDS + 0.5 + late.seconds
