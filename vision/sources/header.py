"""What the header of an encoded picture announces, read without decoding it, and whether it is fit to be decoded."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace

SHORTEST_SIDE, LONGEST_SIDE = 64, 8192  # pixels
MOST_PIXELS = 40_000_000
MOST_ASPECT = 4  # the longer side to the shorter one
# Each pass of a progressive JPEG goes over the whole picture, however few bytes it takes. libjpeg's own encoder writes
# ten for colour and eighteen for four components.
MOST_SCANS = 20

_PNG = b"\x89PNG\r\n\x1a\n"
# A JPEG marker: FF and a byte that is neither 00 (an FF among the data) nor FF (padding); ITU T.81, B.1.1.2.
_MARKER = re.compile(rb"\xff+([^\x00\xff])")
_START_OF_IMAGE, _END_OF_IMAGE, _START_OF_SCAN = 0xD8, 0xD9, 0xDA
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length: TEM, RST0 … RST7
_FRAMES = range(0xC0, 0xD0)  # SOF0 … SOF15, but for DHT, JPG and DAC, which share the range
_NO_FRAMES = frozenset({0xC4, 0xC8, 0xCC})
_DECODED_FRAMES = frozenset({0xC0, 0xC1, 0xC2})  # baseline, extended, progressive; none lossless or arithmetic


@dataclass(frozen=True, slots=True)
class Header:
    """kind: `JPEG`, `PNG`, `WebP`, `BMP` or `TIFF`; width, height in pixels as stored; scans: passes of a JPEG."""

    kind: str
    width: int
    height: int
    scans: int = 1

    def reduced(self, by: int) -> Header:
        """As it is after each side has been divided."""
        return replace(self, width=-(-self.width // by), height=-(-self.height // by))


def read_header(data: bytes) -> Header | None:
    """What the picture announces, None when it is in none of the five formats or its header is damaged."""
    try:
        if data[:2] == b"\xff\xd8":
            return _jpeg(data)
        if data[:8] == _PNG and data[12:16] == b"IHDR":
            return Header("PNG", *struct.unpack_from(">II", data, 16))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
        if data[:2] == b"BM":
            return _bmp(data)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff(data)
    except struct.error:  # it ends too soon
        pass
    return None


def objection(header: Header, shortest: int = SHORTEST_SIDE) -> str | None:
    """Why a picture with this header is not decoded, to be read after “the picture”; None when it is fit. shortest:
    pixels that each side must have.
    """
    if header.scans > MOST_SCANS:
        return f"is a progressive JPEG of {header.scans} passes; at most {MOST_SCANS} are read"
    return misshapen(header.width, header.height, shortest)


def misshapen(width: int, height: int, shortest: int = SHORTEST_SIDE) -> str | None:
    """Why a picture of this size (pixels) cannot be watched, to be read after “the picture”; None when it can."""
    short, long = sorted((width, height))
    if width * height > MOST_PIXELS:
        return f"has {width * height / 1e6:.0f} megapixels; at most {MOST_PIXELS // 1_000_000} are read"
    if short < shortest or long > LONGEST_SIDE:
        return f"is {width}×{height} pixels; each side must have {shortest} to {LONGEST_SIDE}"
    if long > MOST_ASPECT * short:
        return f"is {width}×{height} pixels; no side may be more than {MOST_ASPECT} times as long as the other"
    return None


def _jpeg(data: bytes) -> Header | None:
    """Walks from marker to marker up to the end of the image; what follows it (a film, a second picture) is not its."""
    size: tuple[int, int] | None = None
    scans, place = 0, 2
    while found := _MARKER.search(data, place):
        marker, place = found[1][0], found.end()
        if marker in _ALONE:
            continue
        if marker in (_START_OF_IMAGE, _END_OF_IMAGE):
            break
        if marker in _FRAMES and marker not in _NO_FRAMES:
            precision, height, width = struct.unpack_from(">BHH", data, place + 2)
            if marker not in _DECODED_FRAMES or precision != 8 or size is not None:
                return None
            size = width, height
        scans += marker == _START_OF_SCAN
        if place + 2 > len(data):
            break
        place += struct.unpack_from(">H", data, place)[0]
    return None if size is None else Header("JPEG", *size, max(1, scans))


def _webp(data: bytes) -> Header | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return Header("WebP", 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if kind == b"VP8L" and data[20:21] == b"\x2f":
        (bits,) = struct.unpack_from("<I", data, 21)
        return Header("WebP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return Header("WebP", width & 0x3FFF, height & 0x3FFF)
    return None


def _bmp(data: bytes) -> Header:
    (header_bytes,) = struct.unpack_from("<I", data, 14)
    width, height = struct.unpack_from("<HH" if header_bytes == 12 else "<ii", data, 18)
    return Header("BMP", width, abs(height))  # a negative height: rows from the top


def _tiff(data: bytes) -> Header | None:
    """Of the first directory, the one that is decoded."""
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(f"{order}I", data, 4)
    (entries,) = struct.unpack_from(f"{order}H", data, place)
    sides: dict[int, int] = {}
    for at in range(place + 2, place + 2 + 12 * entries, 12):
        tag, kind = struct.unpack_from(f"{order}HH", data, at)
        if tag in (256, 257) and kind in (3, 4):  # width and height, as 16 or 32 bits
            (sides[tag],) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", data, at + 8)
    return Header("TIFF", sides[256], sides[257]) if len(sides) == 2 else None
