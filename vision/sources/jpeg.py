"""Pictures as they come in files and over the network: checked before they are decoded."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.messages import Doubt, as_doubt
from vision.sources.busy import working
from vision.sources.header import objection, read_header


class Unusable(ValueError):
    """A picture or a source of pictures that cannot be used; the message is one sentence for the players."""

    @property
    def sentence(self) -> Doubt:
        """The message, with its template where it can be translated."""
        return as_doubt(self.args[0] if self.args else "")


MOST_REDUCED_PIXELS = 200_000_000  # of a picture that is made smaller: 600 MB where its format decodes it whole first
_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def decode(data: bytes, name: str = "the picture") -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR of an encoded picture (JPEG, PNG, WebP …), turned upright as its EXIF says.

    Raises Unusable when it is empty, cut off, no picture at all, or one whose header announces more than is decoded.
    """
    return _decoded(data, name, most_reduced=1)[0]


def decode_reduced(data: bytes, name: str) -> tuple[npt.NDArray[np.uint8], int]:
    """The same for a picture of one's own, which may be larger: those of today's phones have 48 megapixels and more.

    Such a one is made smaller by 2, 4 or 8 while it is decoded; by how much is the second value, 1 for all others.
    """
    return _decoded(data, name, most_reduced=max(_FLAGS))


def _decoded(data: bytes, name: str, most_reduced: int) -> tuple[npt.NDArray[np.uint8], int]:
    if not data:
        raise Unusable(f"{name} is empty")
    if data[:2] == b"\xff\xd8" and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        # Decoders fill the missing part of a cut JPEG with grey and say nothing. Inside compressed data FF DA
        # (start of a scan) and FF D9 (end) cannot occur, so an end mark before the last scan belongs to the
        # thumbnail.
        raise Unusable(f"{name} is cut off: the end of the JPEG is missing")
    no_picture = Unusable(f"{name} is not a readable picture (expected JPEG, PNG or WebP)")
    header = read_header(data)
    if header is None:
        raise no_picture
    pixels = header.width * header.height
    if most_reduced > 1 and pixels > MOST_REDUCED_PIXELS:
        raise Unusable(f"{name} has {pixels / 1e6:.0f} megapixels; at most {MOST_REDUCED_PIXELS // 10**6} are read")
    by = next((by for by in _FLAGS if by <= most_reduced and objection(header.reduced(by)) is None), 1)
    if why := objection(header.reduced(by)):
        raise Unusable(f"{name} {why}")
    try:
        with working("decoding a picture"):
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[by])
    except cv2.error:
        raise no_picture from None
    if picture is None:
        raise no_picture
    return np.asarray(picture, dtype=np.uint8), by
