"""A real MJPEG camera on loopback that can be stopped, restarted on its port, and made to send garbage."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


def numbered_jpeg(number: int, width: int = 320, height: int = 240) -> bytes:
    """A noisy grey image whose brightness encodes its number, so that no two are alike."""
    noise = np.random.default_rng(number).integers(0, 20, (height, width, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise + np.uint8(60 + number % 100))[1].tobytes()


class MjpegCamera:
    """Serves images, 30 a second unless `pause` (seconds) is changed.

    Args:
        announce: Send Content-Length.
        pictures: Number of the image → bytes to send, b"" for nothing yet.
    """

    def __init__(self, pictures: Callable[[int], bytes] = numbered_jpeg, announce: bool = True, port: int = 0) -> None:
        camera = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                try:
                    while not camera.stopped.is_set():
                        jpeg = pictures(number)
                        number += 1
                        time.sleep(camera.pause)
                        if not jpeg:
                            continue
                        length = f"Content-Length: {len(jpeg)}\r\n" if announce else ""
                        head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode()
                        self.wfile.write(head + jpeg + b"\r\n")
                except OSError:
                    pass

            def log_message(self, *args: object) -> None:
                pass

        self.pause = 1 / 30
        self.stopped = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Answer)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/video"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Disconnects all clients and frees the port."""
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
