"""Cameras in the local network are connected directly, past proxies, and waited for while they say that they start."""

from __future__ import annotations

import os
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.kit.mjpeg_server import MjpegCamera, numbered_jpeg
from vision.sources import live, starting
from vision.sources.camera import Unusable, frames
from vision.sources.starting import once_started
from vision.sources.streams import ask_directly
from vision.types import Frame, Lost


@pytest.fixture(autouse=True)
def nowhere_for_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "example.org")
    monkeypatch.delenv("no_proxy", raising=False)


def first(source: Iterator[Frame | Lost]) -> Frame | Lost:
    try:
        return next(source)
    finally:
        source.close()  # type: ignore[attr-defined]


def test_a_camera_on_this_computer_is_asked_past_the_proxy() -> None:
    camera = MjpegCamera()
    try:
        assert isinstance(first(frames(camera.url)), Frame)
    finally:
        camera.stop()


@pytest.mark.parametrize(
    ("host", "directly"),
    [
        ("127.0.0.1", True), ("10.1.2.3", True), ("172.20.0.4", True), ("192.168.178.22", True), ("169.254.7.7", True),
        ("localhost", True), ("[::1]", True), ("[fe80::1]", True), ("[fd00::7]", True),
        ("8.8.8.8", False), ("172.32.0.1", False), ("[2001:4860:4860::8888]", False), ("no.such.name.invalid", False),
    ],
)  # fmt: skip
def test_only_addresses_in_the_local_network_are_asked_past_the_proxy(
    host: str, directly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_directly(f"http://name:secret@{host}:8080/video")
    assert bool(urllib.request.proxy_bypass(f"{host}:8080")) is directly
    assert (host in os.environ.get("no_proxy", "").split(",")) is directly  # FFmpeg reads this one only
    assert bool(urllib.request.proxy_bypass("example.org"))


@pytest.fixture
def slow_camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a camera that is still starting for the first three requests."""
    asked: list[int] = []
    monkeypatch.setattr(live, "SHORTEST_PAUSE", 0.2)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(503 if len(asked) < 3 else 200)
            self.send_response(asked[-1])
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
            self.end_headers()
            if asked[-1] == 200:
                for number in range(3):
                    self.wfile.write(b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + numbered_jpeg(number) + b"\r\n")
                self.wfile.write(b"--b\r\n")

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_a_camera_that_is_still_starting_is_waited_for(slow_camera: str) -> None:
    said: list[str] = []
    given = once_started(source := frames(slow_camera), said.append)
    assert any(isinstance(item, Frame) for item in given)
    source.close()  # type: ignore[attr-defined]
    assert len(said) == 1
    assert "Trying again for" in said[0]


def test_a_camera_that_never_starts_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "STARTING_SECONDS", 5.0)
    given = [Lost(float(seconds), "busy", starting=True) for seconds in range(10)]
    waited: list[float] = []
    with pytest.raises(Unusable, match="busy"):
        waited.extend(item.seconds for item in once_started(given, lambda said: None))
    assert waited == [0, 1, 2, 3, 4, 5]


def test_a_camera_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(Unusable, match="not plugged in"):
        list(once_started([Lost(0.0, "not plugged in")], lambda said: None))
