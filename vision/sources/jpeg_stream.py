"""JPEGs from an HTTP address, however a camera sends them: as parts of an endless answer, bare, or one an answer."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable

from vision.sources.jpeg import Unusable, decode
from vision.sources.markers import JpegCutter
from vision.types import Image

MOST_BYTES = 16 * 1024 * 1024  # of one JPEG in a stream
MOST_DAMAGED = 30  # damaged pictures in a row before the connection is made again
FIRST_BYTES = 4096  # of an answer, in which a stream of JPEGs has begun its first one
ASK_SECONDS = 0.1  # between two questions to a camera that answers each with one picture
SAME_SECONDS = 1.0  # after which such a camera's picture counts as a new one although it is the same


class JpegStream:
    """Cuts JPEGs out of an answer by their own markers; boundaries, part headers and lengths are not needed.

    An answer that ends after a picture belongs to a camera that gives one picture for each question: it is asked again.

    Args:
        ask: asks for the address. Raises Unusable.
        name: the address, fit for a message.
    """

    def __init__(self, ask: Callable[[], http.client.HTTPResponse], name: str) -> None:
        self._ask = ask
        self._name = name
        self._asked = time.monotonic()
        self._response = ask()
        self._cutter = JpegCutter()
        self._pictures = 0  # of this answer
        self._continuous = True  # until an answer has ended
        self._last, self._taken = b"", float("-inf")  # the last picture handed on, and when
        self._size = ""

    def begins(self) -> bool:
        """Whether the first bytes of the answer hold the beginning of a JPEG. Raises Unusable."""
        while not self._cutter.begun and self._cutter.pending < FIRST_BYTES:
            if not self._receive():
                break
        return self._cutter.begun

    def grab(self) -> Image:
        """The next whole picture; damaged ones are skipped."""
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
        raise Unusable(f"{self._name} sends nothing but damaged pictures ({why})")

    def settings(self) -> dict[str, str]:
        """The size of the last picture."""
        return {"size": self._size} if self._size else {}

    def close(self) -> None:
        """Hang up."""
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
        """Wait for more of the answer; False when it has ended."""
        try:
            data = self._response.read1(1 << 16)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unusable(f"{self._name} stopped sending pictures ({error})") from None
        self._cutter.add(data)
        if self._cutter.pending > MOST_BYTES:
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
