"""Cameras with a user name and password: sent as their servers ask, and to no other server."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.kit.mjpeg_server import numbered_jpeg
from tests.kit.served_app import until
from tests.kit.sources import failing
from vision.sources.camera import open_live
from vision.sources.streams import shown
from vision.types import Frame, Lost

pytestmark = pytest.mark.slow

NAME, PASSWORD = "anna", "s@e:c/r ét"
WRITTEN = "anna:s%40e%3Ac%2Fr%20%C3%A9t"


class Camera:
    """An MJPEG camera that answers clients that send the password as `scheme` asks: basic, MD5 or SHA-256."""

    def __init__(self, scheme: str, elsewhere: str = "") -> None:
        camera, self.requests = self, []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                said = self.headers.get("Authorization", "")
                camera.requests.append((self.path, said))
                if elsewhere:
                    self.send_response(302)
                    self.send_header("Location", elsewhere)
                    self.end_headers()
                elif not camera.accepts(said):
                    self.send_response(401)
                    for wanted in camera.wants():
                        self.send_header("WWW-Authenticate", wanted)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    self.send_response(200)
                    self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                    self.end_headers()
                    for number in range(1000):
                        jpeg = numbered_jpeg(number)
                        head = f"--frame\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
                        try:
                            self.wfile.write(head + jpeg + b"\r\n")
                        except OSError:
                            return

            def log_message(self, *args: object) -> None:
                pass

        self._scheme = scheme
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def wants(self) -> list[str]:
        if self._scheme == "basic":
            return ['Basic realm="camera"']
        return [f'Digest realm="camera", nonce="n0nce", qop="auth", algorithm={self._scheme}', 'Basic realm="camera"']

    def accepts(self, said: str) -> bool:
        if self._scheme == "basic":
            return said == "Basic " + b64encode(f"{NAME}:{PASSWORD}".encode()).decode()
        named = dict(re.findall(r'(\w+)="?([^",]*)"?', said))
        if not said.startswith("Digest "):
            return False

        def digest(text: str) -> str:
            return hashlib.new(self._scheme.replace("-", ""), text.encode()).hexdigest()

        key, asked = digest(f"{NAME}:camera:{PASSWORD}"), digest(f"GET:{named['uri']}")
        return named["response"] == digest(f"{key}:n0nce:{named['nc']}:{named['cnonce']}:auth:{asked}")

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(params=["basic", "MD5", "SHA-256"])
def camera(request: pytest.FixtureRequest) -> Iterator[Camera]:
    camera = Camera(request.param)
    yield camera
    camera.close()


def first(url: str) -> Frame | Lost:
    live = open_live(url)
    try:
        return next(iter(live))
    finally:
        live.close()


def test_a_camera_with_user_name_and_password_in_its_address_gives_pictures(camera: Camera) -> None:
    assert isinstance(first(f"http://{WRITTEN}@{camera.host}/video?size=2"), Frame)
    assert all(path == "/video?size=2" for path, _ in camera.requests)


def test_a_wrong_password_is_reported_in_a_sentence_that_does_not_show_it(camera: Camera) -> None:
    lost = first(f"http://{WRITTEN}wrong@{camera.host}/video")
    assert isinstance(lost, Lost)
    assert "needs a valid user name and password" in lost.why
    assert "wrong" not in lost.why
    assert "anna" not in lost.why


def test_a_password_is_not_sent_to_where_a_camera_sends_us(camera: Camera) -> None:
    guide = Camera("basic", elsewhere=f"http://{camera.host}/video")
    try:
        assert isinstance(first(f"http://{WRITTEN}@{guide.host}/video"), Lost)
        assert {said for _, said in camera.requests} == {""}  # it may be asked more than once
    finally:
        guide.close()


ADDRESSES = (
    "http://anna:secret@127.0.0.1:9/video",
    "http://anna:sec/secret@127.0.0.1:9/video",
    "http://anna:sec?secret@127.0.0.1:9/video",
    "http://anna:sec#secret@127.0.0.1:9/video",
    "http://anna:sec@secret@127.0.0.1:9/video",
    "http://anna:secret@[127.0.0.1:9/video",
    "http://anna:secret@127.0.0.1:999999/video",
    "http://127.0.0.1:9/video?user=anna&pwd=secret",
    "rtsp://anna:secret@127.0.0.1:9/video",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_password_is_not_part_of_the_address_that_is_shown_nor_of_the_reason(address: str) -> None:
    assert shown(address).endswith("/video")
    assert shown(address).startswith(("http://127", "rtsp://127", "http://[127"))
    lost = first(address)
    assert isinstance(lost, Lost)
    assert "secret" not in lost.why
    assert "sec/" not in lost.why


@pytest.mark.parametrize("address", [ADDRESSES[1], ADDRESSES[7]])
def test_a_password_is_shown_on_no_page_and_in_no_log(
    address: str, tmp_path: Path, app_state: AppState, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", failing)
    with caplog.at_level(logging.ERROR):
        app_state.cameras.watch(address)
        assert app_state.cameras.watcher is not None
        until(lambda: app_state.cameras.watcher.state.word == "lost")
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    pages = [client.get(page).get_data(as_text=True) for page in ("/camera", "/new", "/", "/camera/state")]
    assert "an unexpected error" in caplog.text
    for visible in (*pages, caplog.text):
        assert "secret" not in visible
        assert "sec/" not in visible
