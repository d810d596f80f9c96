"""Pictures as they come in files and over the network: checked before they are decoded."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.sources.busy import working
from vision.sources.header import objection, read_header


class Unusable(ValueError):
    """A picture or a source of pictures that cannot be used; the message is one sentence for the players."""


def decode(data: bytes, name: str = "the picture") -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR of an encoded picture (JPEG, PNG, WebP …), turned upright as its EXIF says.

    Raises Unusable when it is empty, cut off, no picture at all, or one whose header announces more than is decoded.
    """
    if not data:
        raise Unusable(f"{name} is empty")
    if data[:2] == b"\xff\xd8" and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        # Decoders fill the missing part of a cut JPEG with grey and say nothing. Inside compressed data FF DA
        # (start of a scan) and FF D9 (end) cannot occur, so an end mark before the last scan belongs to the
        # thumbnail.
        raise Unusable(f"{name} is cut off: the end of the JPEG is missing")
    no_picture = Unusable(f"{name} is not a picture this program can read (expected JPEG, PNG or WebP)")
    header = read_header(data)
    if header is None:
        raise no_picture
    if why := objection(header):
        raise Unusable(f"{name} {why}")
    try:
        with working("decoding a picture"):
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        raise no_picture from None
    if picture is None:
        raise no_picture
    return np.asarray(picture, dtype=np.uint8)
