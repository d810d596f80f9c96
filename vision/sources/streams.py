"""Pictures over the network: MJPEG over HTTP read by ourselves, everything else by FFmpeg, and a phone's
uploads."""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from vision.messages import PHONE_SILENT, Doubt
from vision.sources.busy import working
from vision.sources.jpeg import Unusable, decode
from vision.sources.latest_value import LatestValue
from vision.sources.live import Grabber
from vision.types import Image

TIMEOUT_SECONDS = 3.0
MOST_BYTES = 16 * 1024 * 1024  # of one JPEG in a stream
MOST_DAMAGED = 30  # damaged pictures in a row before the connection is made anew

_EXAMPLE = "http://name:password@camera/video (@ as %40, : as %3A, / as %2F in the name and the password)"

# RTSP over TCP: over UDP a lost packet smears grey blocks over the dice.
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")


def open_stream(url: str) -> Grabber:
    """Open a stream by its address: MJPEG when the HTTP server says so, else whatever FFmpeg makes of it."""
    if url.partition("://")[0].lower() in ("http", "https"):
        response = _request(url)
        if response.headers.get_content_type() == "multipart/x-mixed-replace":
            return MjpegStream(response, shown(url))
        response.close()
    return FfmpegStream(url)


def shown(url: str) -> str:
    """The address without user name and password, fit for a message, however badly they were written into it."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split('[?#]', rest.rpartition('@')[2])[0]}"


def _request(url: str) -> http.client.HTTPResponse:
    """Ask for the address, showing its user name and password to a server of this name that wants them."""
    try:
        plain, name, password = _without_credentials(url)
        wallet = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        wallet.add_password(None, plain, name, password)
        digest, basic = _Digest(wallet), urllib.request.HTTPBasicAuthHandler(wallet)
        opener = urllib.request.build_opener(*((digest, basic) if name else ()))
        response = opener.open(plain, timeout=TIMEOUT_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 401:
            raise Unusable(f"{shown(url)} needs a valid user name and password: {_EXAMPLE}") from None
        raise Unusable(_silent(url, error.reason)) from None
    except (ValueError, http.client.InvalidURL):  # what it says may have a piece of the password in it
        raise Unusable(f"{shown(url)} is not a usable stream address; it should look like {_EXAMPLE}") from None
    except (OSError, http.client.HTTPException) as error:
        raise Unusable(_silent(url, getattr(error, "reason", None) or error)) from None
    assert isinstance(response, http.client.HTTPResponse)
    return response


def _silent(url: str, why: object) -> str:
    return f"{shown(url)} does not answer ({why}). Is the camera on and the address correct?"


def _without_credentials(url: str) -> tuple[str, str, str]:
    """The address as it is asked for, the user name and the password. Raises ValueError."""
    parts = urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    name, _, password = credentials.partition(":")
    return urlunsplit(parts._replace(netloc=host)), unquote(name), unquote(password)


_HASHES = {"MD5": hashlib.md5, "SHA": hashlib.sha1, "SHA-256": hashlib.sha256}


class _Digest(urllib.request.HTTPDigestAuthHandler):
    """Digest authentication (RFC 7616): with SHA-256 as well, and with passwords in any script."""

    def get_algorithm_impls(self, algorithm: str) -> tuple[Callable[[str], str], Callable[[str, str], str]]:
        """The hash function, and the one of a secret and data. Raises ValueError for a hash that is not known."""
        known = _HASHES.get(algorithm.upper())
        if known is None:
            raise ValueError(f"digest authentication with {algorithm}")

        def digest(text: str) -> str:
            return known(text.encode()).hexdigest()

        return digest, lambda secret, data: digest(f"{secret}:{data}")


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
        raise Unusable(f"{self._name} sends only damaged pictures ({why})")

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
            raise Unusable(f"{self._name} sends something that is not a picture")


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
            raise Unusable(f"{self._name} sends no video. Is the camera on and the address correct?")

    def grab(self) -> Image:
        """The next picture."""
        with working("reading a stream", waits=2 * TIMEOUT_SECONDS):
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
                raise Unusable(Doubt(PHONE_SILENT))
            self._taken, data = newest
            try:
                image = decode(data)
            except Unusable as error:
                why = str(error)
                continue
            self._size = f"{image.shape[1]}×{image.shape[0]}"
            return image
        raise Unusable(f"the phone sends only damaged pictures ({why})")

    def settings(self) -> dict[str, str]:
        """The size of the last picture."""
        return {"size": self._size} if self._size else {}

    def close(self) -> None:
        """The slot belongs to the companion and stays open."""
