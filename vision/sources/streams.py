"""Network streams: JPEGs over HTTP, everything else through FFmpeg, and uploads from a phone."""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from vision.messages import PHONE_SILENT, Doubt
from vision.sources.busy import working
from vision.sources.codecs import not_decoded
from vision.sources.jpeg import Unusable
from vision.sources.jpeg_stream import JpegGrabber, JpegStream
from vision.sources.latest_value import LatestValue
from vision.sources.live import Grabber, StartingUp
from vision.types import Image

# Seconds to connect and between two pieces of a response; cameras may send a frame every two seconds.
TIMEOUT_SECONDS = 5.0
STARTING = (429, 502, 503, 504)  # HTTP statuses that mean "try again later"

_EXAMPLE = "http://name:password@camera/video (@ as %40, : as %3A, / as %2F in the name and the password)"

# Over UDP a lost packet smears grey blocks over the dice, so RTSP uses TCP.
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")


def open_stream(url: str) -> Grabber:
    """Opens a stream by its address: as JPEGs if its first bytes hold one, else with FFmpeg."""
    if url.partition("://")[0].lower() in ("http", "https"):
        ask_directly(url)
        jpegs = JpegStream(lambda: _request(url), shown(url))
        try:
            if jpegs.begins():
                return jpegs
        except Unusable:
            jpegs.close()
            raise
        jpegs.close()
    return FfmpegStream(url)


def shown(url: str) -> str:
    """The address without user name and password, even if they are not escaped."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split('[?#]', rest.rpartition('@')[2])[0]}"


def _request(url: str) -> http.client.HTTPResponse:
    """Requests the address; sends its user name and password only to a server of that name that asks for them."""
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
        failure = StartingUp if error.code in STARTING else Unusable
        raise failure(_silent(url, error.reason)) from None
    except (ValueError, http.client.InvalidURL):  # the exception's text may contain a piece of the password
        raise Unusable(f"{shown(url)} is not a usable stream address; it should look like {_EXAMPLE}") from None
    except (OSError, http.client.HTTPException) as error:
        raise Unusable(_silent(url, getattr(error, "reason", None) or error)) from None
    assert isinstance(response, http.client.HTTPResponse)
    return response


def _silent(url: str, why: object) -> str:
    return f"{shown(url)} does not answer ({why}). Is the camera on and the address correct?"


def _without_credentials(url: str) -> tuple[str, str, str]:
    """The address without credentials, the user name and the password.

    Raises:
        ValueError: The address is malformed.
    """
    parts = urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    name, _, password = credentials.partition(":")
    return urlunsplit(parts._replace(netloc=host)), unquote(name), unquote(password)


_HASHES = {"MD5": hashlib.md5, "SHA": hashlib.sha1, "SHA-256": hashlib.sha256}


class _Digest(urllib.request.HTTPDigestAuthHandler):
    """Digest authentication (RFC 7616), with SHA-256 too and with passwords in any script."""

    def get_algorithm_impls(self, algorithm: str) -> tuple[Callable[[str], str], Callable[[str, str], str]]:
        """The hash function, and the keyed one.

        Raises:
            ValueError: Unknown hash.
        """
        known = _HASHES.get(algorithm.upper())
        if known is None:
            raise ValueError(f"digest authentication with {algorithm}")

        def digest(text: str) -> str:
            return known(text.encode()).hexdigest()

        return digest, lambda secret, data: digest(f"{secret}:{data}")


class FfmpegStream:
    """RTSP and every other address that FFmpeg understands."""

    def __init__(self, url: str) -> None:
        self._url, self._name = url, shown(url)
        self._decoded = False  # whether a frame has been decoded
        milliseconds, began = int(TIMEOUT_SECONDS * 1000), time.monotonic()
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, milliseconds, cv2.CAP_PROP_READ_TIMEOUT_MSEC, milliseconds]
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, options)
        if not self._capture.isOpened():
            answered = time.monotonic() - began < TIMEOUT_SECONDS
            codec = not_decoded(url, self._name, self._capture, options) if answered else None
            raise Unusable(codec or f"{self._name} sends no video; is the camera on and the address right?")

    def grab(self) -> Image:
        """The next frame."""
        with working("reading a stream", waits=2 * TIMEOUT_SECONDS):
            more, image = self._capture.read()
        if not more:
            codec = None if self._decoded else not_decoded(self._url, self._name, self._capture)
            raise Unusable(codec or f"{self._name} stopped sending pictures")
        self._decoded = True
        return np.asarray(image, dtype=np.uint8)

    def settings(self) -> dict[str, str]:
        """Size and rate of the stream."""
        width, height, rate = (self._capture.get(p) for p in (3, 4, 5))
        return {"size": f"{width:.0f}×{height:.0f}", "rate": f"{rate:.0f} a second"}

    def close(self) -> None:
        """Closes the connection."""
        self._capture.release()


class PhoneUploads(JpegGrabber):
    """JPEGs that a phone's page uploads, taken from a slot of the companion."""

    def __init__(self, slot: LatestValue[bytes]) -> None:
        super().__init__("the phone")
        self._slot = slot
        self._taken = slot.count

    def _next(self) -> bytes:
        newest = self._slot.take(self._taken, timeout=1.0)
        if newest is None:
            raise Unusable(Doubt(PHONE_SILENT))
        self._taken, data = newest
        return data

    def close(self) -> None:
        """Does nothing: the slot belongs to the companion and stays open."""


_VARIABLES = ("no_proxy", "NO_PROXY")


def ask_directly(url: str) -> None:
    """Adds a host in the local network to the proxy exceptions of urllib and FFmpeg."""
    host = urlsplit(url).hostname
    if host is None or not _is_local(host):
        return
    known = [name for variable in _VARIABLES for name in os.environ.get(variable, "").split(",") if name.strip()]
    host = f"[{host}]" if ":" in host else host
    if host not in known:
        for variable in _VARIABLES:
            os.environ[variable] = ",".join(dict.fromkeys([*known, host]))


def _is_local(host: str) -> bool:
    """Whether all addresses of a host are private, link-local or this computer's."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
        return bool(found) and not any(ip_address(one.partition("%")[0]).is_global for one in found)
    except (OSError, ValueError):  # unknown name; the proxy may know it
        return False
