"""Pictures as they come in files and over the network: checked before they are decoded."""

from __future__ import annotations

from io import BytesIO

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

MOST_PIXELS = 60_000_000  # a picture that unpacks to more is refused before memory is taken for it


class Unusable(ValueError):
    """A picture or a source of pictures that cannot be used; the message is one sentence for the players."""


def decode(data: bytes, name: str = "the picture") -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR of an encoded picture (JPEG, PNG, WebP …), turned upright as its EXIF says.

    Raises Unusable when it is empty, cut off, too large or no picture at all.
    """
    if not data:
        raise Unusable(f"{name} is empty")
    if data[:2] == b"\xff\xd8" and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        # Decoders fill the missing part of a cut JPEG with grey and say nothing. Inside compressed data FF DA
        # (start of a scan) and FF D9 (end) cannot occur, so an end mark before the last scan belongs to the
        # thumbnail.
        raise Unusable(f"{name} is cut off: the end of the JPEG is missing")
    no_picture = Unusable(f"{name} is not a picture this program can read (expected JPEG, PNG or WebP)")
    pixels = _pixels(data)
    if pixels is None:
        raise no_picture
    if pixels > MOST_PIXELS:
        raise Unusable(f"{name} is larger than {MOST_PIXELS // 1_000_000} megapixels")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        raise no_picture from None
    if picture is None:
        raise no_picture
    return np.asarray(picture, dtype=np.uint8)


def _pixels(data: bytes) -> int | None:
    """How many pixels the header announces, None when it announces no picture. Nothing is decoded."""
    try:
        with Image.open(BytesIO(data)) as header:
            return header.width * header.height
    except Image.DecompressionBombError:
        return MOST_PIXELS + 1
    except (OSError, ValueError, SyntaxError):  # the reader's several words for "not this format"
        return None
