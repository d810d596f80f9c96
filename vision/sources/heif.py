"""Images in the HEIF container (ISO 23008-12): HEIC, as iPhones write it, and AVIF."""

from __future__ import annotations

import struct
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

_KINDS = {"AVIF": {b"avif", b"avis"}, "HEIC": {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}}
_SEQUENCES = {b"avis", b"hevc", b"hevx", b"msf1"}
_QUARTER_TURNS = (None, cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE)
_MOST_BRANDS = 32


def heif_kind(data: bytes) -> str | None:
    """`AVIF` or `HEIC` by the brands at the start of a file; None for everything else, including videos."""
    if data[4:8] != b"ftyp":
        return None
    brands = {data[at : at + 4] for at in (8, *range(16, min(_end(data, 0), 4 * _MOST_BRANDS), 4))}
    return next((kind for kind, its_brands in _KINDS.items() if brands & its_brands), None)


def is_sequence(data: bytes) -> bool:
    """Whether the file is primarily an animation."""
    return data[8:12] in _SEQUENCES


def heif_size(data: bytes) -> tuple[int, int]:
    """(width, height) of the largest image as stored, tiles combined.

    Raises:
        struct.error: There is none.
    """
    sizes = [struct.unpack_from(">II", data, at + 4) for at in _properties(data, b"ispe")]
    if not sizes:
        raise struct.error("no size")
    return max(sizes, key=lambda size: size[0] * size[1])


def turned(image: npt.NDArray[np.uint8], data: bytes) -> npt.NDArray[np.uint8]:
    """A decoded AVIF, rotated and mirrored as the file says, which OpenCV ignores."""
    for at in _properties(data, b"irot")[:1]:
        turn = _QUARTER_TURNS[data[at] & 3]
        image = image if turn is None else np.asarray(cv2.rotate(image, turn), np.uint8)
    for at in _properties(data, b"imir")[:1]:
        image = np.asarray(cv2.flip(image, data[at] & 1), np.uint8)
    return image


def can_decode_heic() -> bool:
    """Whether the package pillow-heif is installed (`pip install courtside[heic]`)."""
    return find_spec("pillow_heif") is not None


def decode_heic(data: bytes) -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR, rotated as the file says.

    Raises:
        ValueError: The file is damaged.
    """
    library: Any = import_module("pillow_heif")
    try:
        picture = np.asarray(library.open_heif(data, bgr_mode=True))
    except Exception as error:  # for damaged data the library raises many kinds of errors
        raise ValueError(str(error)) from error
    colours = picture if picture.ndim == 3 else np.repeat(picture[..., None], 3, axis=2)
    return np.ascontiguousarray(colours[..., :3], np.uint8)


def _end(data: bytes, place: int) -> int:
    """The end of the box at this offset."""
    return place + int.from_bytes(data[place : place + 4], "big")


def _properties(data: bytes, kind: bytes) -> list[int]:
    """The offsets at which the properties of this kind begin (meta → iprp → ipco)."""
    place, until, found = 0, len(data), []
    wanted = [b"meta", b"iprp", b"ipco"]
    while place + 8 <= until:
        box, end = data[place + 4 : place + 8], _end(data, place)
        if wanted and box == wanted[0]:
            until, place = min(until, end), place + (12 if box == b"meta" else 8)
            del wanted[0]
            continue
        if not wanted and box == kind and place + 8 < until:
            found.append(place + 8)
        if end < place + 8:
            break
        place = end
    return found
