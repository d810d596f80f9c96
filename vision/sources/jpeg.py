"""Decodes images from files and the network after checking that they are safe to decode; encodes JPEGs."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.messages import HEIC_PHOTO, Doubt, as_doubt
from vision.sources.busy import working
from vision.sources.header import SHORTEST_SIDE, misshapen, objection, read_header
from vision.sources.heif import can_decode_heic, decode_heic, turned
from vision.sources.markers import end_of_jpeg


class Unusable(ValueError):
    """An image or a source that cannot be used; the message is one sentence for the players."""

    @property
    def sentence(self) -> Doubt:
        """The message, with its template if it can be translated."""
        return as_doubt(self.args[0] if self.args else "")


FORMATS = "JPEG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP"
# Pixels of an image that is reduced; some formats decode it in full first, which takes 600 MB.
MOST_REDUCED_PIXELS = 200_000_000
_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def encoded(image: npt.NDArray[np.uint8], quality: int) -> bytes:
    """The image as JPEG."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def decode(data: bytes, name: str = "the picture", shortest: int = SHORTEST_SIDE) -> npt.NDArray[np.uint8]:
    """Decodes an image (JPEG, PNG, HEIC and others) and rotates it upright by its EXIF orientation: (H, W, 3) uint8
    BGR.

    Args:
        shortest: Minimum pixels of each side.

    Raises:
        Unusable: The data are empty, cut off or no image, or the header announces more than is safe to decode.
    """
    return _decoded(data, name, most_reduced=1, shortest=shortest)[0]


def decode_reduced(data: bytes, name: str) -> tuple[npt.NDArray[np.uint8], int]:
    """Like `decode` for the player's own photo, which may be larger: phones take 48 megapixels and more.

    Returns:
        The image, and the factor (1, 2, 4 or 8) by which it was reduced while decoding.
    """
    return _decoded(data, name, most_reduced=max(_FLAGS))


def _decoded(
    data: bytes, name: str, most_reduced: int, shortest: int = SHORTEST_SIDE
) -> tuple[npt.NDArray[np.uint8], int]:
    if not data:
        raise Unusable(f"{name} is empty")
    if data[:2] == b"\xff\xd8" and end_of_jpeg(data) is None:
        # Some decoders fill the missing part of a truncated JPEG with grey and report nothing.
        raise Unusable(f"{name} is cut off: the end of the JPEG is missing")
    header = read_header(data)
    if header is None:
        raise Unusable(f"{name} is not a readable picture (expected {FORMATS})")
    if header.animated:
        raise Unusable(f"{name} is animated, not a single picture: convert it to a video (MP4)")
    pixels = header.width * header.height
    if most_reduced > 1 and pixels > MOST_REDUCED_PIXELS:
        raise Unusable(f"{name} has {pixels / 1e6:.0f} megapixels; at most {MOST_REDUCED_PIXELS // 10**6} are read")
    by = next((by for by in _FLAGS if by <= most_reduced and objection(header.reduced(by), shortest) is None), 1)
    if why := objection(header.reduced(by), shortest):
        raise Unusable(f"{name} {why}")
    if header.kind == "HEIC" and not can_decode_heic():
        raise Unusable(Doubt(HEIC_PHOTO, name=name))
    try:
        with working("decoding a picture"):
            picture = _pixels(data, header.kind, by)
    except (cv2.error, ValueError):
        picture = None
    if picture is None or misshapen(picture.shape[1], picture.shape[0], shortest):
        raise Unusable(f"{name} is cut off or damaged: the {header.kind} cannot be decoded")
    return picture, by


def _pixels(data: bytes, kind: str, by: int) -> npt.NDArray[np.uint8] | None:
    """The image, each side divided by `by`. If it is damaged, raises cv2.error or ValueError, or returns None."""
    if kind == "HEIC":
        picture = decode_heic(data)
        size = -(-picture.shape[1] // by), -(-picture.shape[0] // by)
        return picture if by == 1 else np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    # An AVIF's own rotation counts, not that of EXIF.
    asked = _FLAGS[by] | (cv2.IMREAD_IGNORE_ORIENTATION if kind == "AVIF" else 0)
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), asked)
    if decoded is None:
        return None
    picture = np.asarray(decoded, np.uint8)
    return turned(picture, data) if kind == "AVIF" else picture
