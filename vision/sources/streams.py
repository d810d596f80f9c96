"""Pictures over the network: MJPEG over HTTP read by ourselves, everything else by FFmpeg, and a phone's
uploads."""

from __future__ import annotations

import http.client
import os
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.sources.jpeg import Unusable, decode
from vision.sources.latest_value import LatestValue
from vision.sources.live import Grabber
from vision.types import Image

TIMEOUT_SECONDS = 3.0
MOST_BYTES = 16 * 1024 * 1024  # of one JPEG in a stream
MOST_DAMAGED = 30  # damaged pictures in a row before the connection is made anew

# RTSP over TCP: over UDP a lost packet smears grey blocks over the dice.
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")


def open_stream(url: str) -> Grabber:
    """Open a stream by its address: MJPEG when the HTTP server says so, else whatever FFmpeg makes of it."""
    if urlsplit(url).scheme in ("http", "https"):
        response = _request(url)
        if response.headers.get_content_type() == "multipart/x-mixed-replace":
            return MjpegStream(response, shown(url))
        response.close()
    return FfmpegStream(url)


def shown(url: str) -> str:
    """The address without user name and password, fit for a message."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"


def _request(url: str) -> http.client.HTTPResponse:
    try:
        response = urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise Unusable(f"{shown(url)} does not answer ({reason}); is the camera on and the address right?") from None
    assert isinstance(response, http.client.HTTPResponse)
    return response


class MjpegStream:
    """JPEGs sent one after the other as parts of one endless HTTP answer (multipart/x-mixed-replace)."""

    def __init__(self, response: http.client.HTTPResponse, name: str) -> None:
        self._response = response
        self._name = name
        boundary = response.headers.get_param("boundary") or ""
        self._boundary = b"--" + str(boundary).strip('"').lstrip("-").encode("latin-1", "replace")
        self._received = bytearray()
        self._size = ""

    def grab(self) -> Image:
        """The next whole picture; damaged ones are skipped."""
        why = ""
        for _ in range(MOST_DAMAGED):
            part = self._next_part()
            try:
                image = decode(part)
            except Unusable as error:
                why = str(error)
                continue
            self._size = f"{image.shape[1]}×{image.shape[0]}"
            return image
        raise Unusable(f"{self._name} sends nothing but damaged pictures ({why})")

    def settings(self) -> dict[str, str]:
        """The size of the last picture."""
        return {"size": self._size} if self._size else {}

    def close(self) -> None:
        """Hang up."""
        self._response.close()

    def _next_part(self) -> bytes:
        """Bytes of the next picture. A server that announces the length spares us waiting for the next
        boundary."""
        while True:
            start = self._received.find(self._boundary)
            body = self._received.find(b"\r\n\r\n", start) + 4 if start >= 0 else 3
            if body >= 4:
                length = _announced(bytes(self._received[start:body]))
                end = self._received.find(self._boundary, body) if length is None else body + length
                if body <= end <= len(self._received):
                    part = bytes(self._received[body:end])
                    del self._received[:end]
                    return part
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._response.read1(1 << 16)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unusable(f"{self._name} stopped sending pictures ({error})") from None
        if not data:
            raise Unusable(f"{self._name} ended the stream")
        self._received += data
        if len(self._received) > MOST_BYTES:
            raise Unusable(f"{self._name} sends something that is no picture")


def _announced(headers: bytes) -> int | None:
    """The Content-Length among a part's headers, None where there is none worth believing."""
    for line in headers.lower().split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name == b"content-length" and value.strip().isdigit():
            length = int(value)
            return length if 0 < length <= MOST_BYTES else None
    return None


class FfmpegStream:
    """RTSP and every other address FFmpeg understands."""

    def __init__(self, url: str) -> None:
        self._name = shown(url)
        milliseconds = int(TIMEOUT_SECONDS * 1000)
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, milliseconds, cv2.CAP_PROP_READ_TIMEOUT_MSEC, milliseconds]
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, options)
        if not self._capture.isOpened():
            raise Unusable(f"{self._name} sends no video; is the camera on and the address right?")

    def grab(self) -> Image:
        """The next picture."""
        more, image = self._capture.read()
        if not more:
            raise Unusable(f"{self._name} stopped sending pictures")
        return np.asarray(image, dtype=np.uint8)

    def settings(self) -> dict[str, str]:
        """Size and rate of the stream."""
        width, height, rate = (self._capture.get(p) for p in (3, 4, 5))
        return {"size": f"{width:.0f}×{height:.0f}", "rate": f"{rate:.0f} a second"}

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


class PhoneUploads:
    """JPEGs that a phone's page sends to the companion, which puts them into a slot."""

    def __init__(self, slot: LatestValue[bytes]) -> None:
        self._slot = slot
        self._taken = slot.count
        self._size = ""

    def grab(self) -> Image:
        """The newest picture sent; damaged ones are skipped."""
        why = ""
        for _ in range(MOST_DAMAGED):
            newest = self._slot.take(self._taken, timeout=1.0)
            if newest is None:
                raise Unusable("the phone sends no picture; open the camera page on it and keep the screen on")
            self._taken, data = newest
            try:
                image = decode(data)
            except Unusable as error:
                why = str(error)
                continue
            self._size = f"{image.shape[1]}×{image.shape[0]}"
            return image
        raise Unusable(f"the phone sends nothing but damaged pictures ({why})")

    def settings(self) -> dict[str, str]:
        """The size of the last picture."""
        return {"size": self._size} if self._size else {}

    def close(self) -> None:
        """The slot belongs to the companion and stays open."""
