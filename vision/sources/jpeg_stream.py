"""JPEGs from an HTTP address in any of the ways cameras send them: multipart, concatenated, or one for each request."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable

from vision.sources.jpeg import Unusable, decode
from vision.sources.markers import JpegCutter
from vision.types import Image

MAX_JPEG_BYTES = 16 * 1024 * 1024  # bytes of one JPEG in a stream
MOST_DAMAGED = 30  # damaged images in a row before reconnecting
FIRST_BYTES = 4096  # a stream of JPEGs has its first one within this many bytes
ASK_SECONDS = 0.1  # interval between requests to a camera that sends one image each
SAME_SECONDS = 1.0  # time after which an identical image from such a camera counts as new


class JpegGrabber:
    """Decodes the images of a source that sends JPEGs.

    Args:
        name: The source, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name, self._size = name, ""

    def grab(self) -> Image:
        """The next whole image; damaged ones are skipped."""
        why = ""
        for _ in range(MOST_DAMAGED):
            jpeg = self._next()
            try:
                image = decode(jpeg)
            except Unusable as error:
                why = str(error)
                continue
            self._size = f"{image.shape[1]}×{image.shape[0]}"
            return image
        raise Unusable(f"{self._name} sends only damaged pictures ({why})")

    def settings(self) -> dict[str, str]:
        """The size of the last image under the key "size"; empty before the first image."""
        return {"size": self._size} if self._size else {}

    def _next(self) -> bytes:
        """The next JPEG. Raises Unusable if there is none."""
        raise NotImplementedError


class JpegStream(JpegGrabber):
    """Cuts JPEGs out of a response by their own markers; boundaries, part headers and lengths are not needed.

    A response that ends after an image comes from a camera that sends one image for each request, so the request is
    repeated.

    Args:
        ask: Sends the request. Raises Unusable.
        name: The address, without credentials, for messages.
    """

    def __init__(self, ask: Callable[[], http.client.HTTPResponse], name: str) -> None:
        super().__init__(name)
        self._ask = ask
        self._asked = time.monotonic()
        self._response = ask()
        self._cutter = JpegCutter()
        self._pictures = 0  # images in this response
        self._continuous = True  # until a response has ended
        self._last, self._taken = b"", float("-inf")  # the last image handed on, and its time

    def begins(self) -> bool:
        """Whether the first bytes of the response hold the start of a JPEG.

        Raises:
            Unusable: The request fails.
        """
        while not self._cutter.begun and self._cutter.pending < FIRST_BYTES:
            if not self._receive():
                break
        return self._cutter.begun

    def close(self) -> None:
        """Closes the connection."""
        self._response.close()

    def _next(self) -> bytes:
        """The next JPEG."""
        while True:
            jpeg = self._cutter.cut()
            if jpeg is None and not self._receive():
                self._ask_again()
            elif jpeg is not None:
                self._pictures += 1
                now = time.monotonic()
                if self._continuous or jpeg != self._last or now - self._taken >= SAME_SECONDS:
                    self._last, self._taken = jpeg, now
                    return jpeg

    def _receive(self) -> bool:
        """Waits for more data; False at the end of the response."""
        try:
            data = self._response.read1(1 << 16)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unusable(f"{self._name} stopped sending pictures ({error})") from None
        self._cutter.add(data)
        if self._cutter.pending > MAX_JPEG_BYTES:
            raise Unusable(f"{self._name} sends something that is no picture")
        return bool(data)

    def _ask_again(self) -> None:
        if not self._pictures:
            raise Unusable(f"{self._name} ended the stream")
        self._response.close()
        time.sleep(max(0.0, self._asked + ASK_SECONDS - time.monotonic()))
        self._asked = time.monotonic()
        self._response = self._ask()
        self._cutter, self._pictures, self._continuous = JpegCutter(), 0, False
