"""Reads the header of an encoded image without decoding it, and decides whether it is safe to decode."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from vision.sources.heif import heif_kind, heif_size, is_sequence
from vision.sources.markers import END_OF_IMAGE, START_OF_IMAGE, START_OF_SCAN, next_marker

SHORTEST_SIDE, LONGEST_SIDE = 64, 8192  # pixels
MOST_PIXELS = 40_000_000
MOST_ASPECT = 4  # longer side to shorter side
# Each pass of a progressive JPEG covers the whole image, however few bytes it has, so many passes would be a
# decompression bomb. libjpeg's encoder writes ten for colour and eighteen for four components.
MOST_SCANS = 20

_STARTS = (
    ("PNG", b"\x89PNG\r\n\x1a\n"),
    ("TIFF", b"II*\0"),
    ("TIFF", b"MM\0*"),
    ("GIF", b"GIF87a"),
    ("GIF", b"GIF89a"),
)
_BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)  # Bytes of the second header. “BM” alone begins many texts.
_FRAMES = range(0xC0, 0xD0)  # SOF0 … SOF15, without DHT, JPG and DAC, which share the range
_NO_FRAMES = frozenset({0xC4, 0xC8, 0xCC})
_SUBFILE, _WIDTH, _HEIGHT = 254, 256, 257  # tags of a TIFF; bit 0 of the first marks a smaller copy of another image
_DECODED_FRAMES = frozenset({0xC0, 0xC1, 0xC2})  # baseline, extended and progressive; no lossless or arithmetic ones


@dataclass(frozen=True, slots=True)
class Header:
    """The header of an encoded image.

    Attributes:
        kind: `JPEG`, `PNG`, `WebP`, `BMP`, `TIFF`, `GIF`, `AVIF` or `HEIC`.
        width, height: Pixels, as stored.
        scans: Passes of a progressive JPEG.
        animated: Whether it holds several images in time.
    """

    kind: str
    width: int
    height: int
    scans: int = 1
    animated: bool = False

    def reduced(self, by: int) -> Header:
        """The header after dividing each side by this number."""
        return replace(self, width=-(-self.width // by), height=-(-self.height // by))


def picture_kind(head: bytes) -> str | None:
    """The image format by the first 160 bytes of a file; None for anything else."""
    if head[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WebP"
    if head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "BMP"
    return next((kind for kind, start in _STARTS if head.startswith(start)), None) or heif_kind(head)


def read_header(data: bytes) -> Header | None:
    """The header of an image; None if the format is unknown or the header damaged."""
    kind = picture_kind(data)
    try:
        if kind in ("AVIF", "HEIC"):
            return Header(kind, *heif_size(data), animated=is_sequence(data))
        return None if kind is None else _READERS[kind](data)
    except struct.error:  # the header is cut off
        return None


def objection(header: Header, shortest: int = SHORTEST_SIDE) -> str | None:
    """The reason why an image with this header is not decoded, as a phrase that follows “the picture”; None if it is
    fine.

    Args:
        shortest: Minimum pixels of each side.
    """
    if header.scans > MOST_SCANS:
        return f"is a progressive JPEG of {header.scans} passes; at most {MOST_SCANS} are read"
    return misshapen(header.width, header.height, shortest)


def misshapen(width: int, height: int, shortest: int = SHORTEST_SIDE) -> str | None:
    """The reason why an image of this size (pixels) cannot be watched, as a phrase that follows “the picture”; None if
    it can."""
    short, long = sorted((width, height))
    if width * height > MOST_PIXELS:
        return f"has {width * height / 1e6:.0f} megapixels; at most {MOST_PIXELS // 1_000_000} are read"
    if short < shortest or long > LONGEST_SIDE:
        return f"is {width}×{height} pixels; each side must have {shortest} to {LONGEST_SIDE}"
    if long > MOST_ASPECT * short:
        return f"is {width}×{height} pixels; no side may be more than {MOST_ASPECT} times as long as the other"
    return None


def _jpeg(data: bytes) -> Header | None:
    """The header of a JPEG up to its own end; a video or second image appended to it does not count."""
    size: tuple[int, int] | None = None
    scans, place = 0, 2
    while found := next_marker(data, place):
        marker, content, place = found
        if marker in (START_OF_IMAGE, END_OF_IMAGE):
            break
        if marker in _FRAMES and marker not in _NO_FRAMES:
            precision, height, width = struct.unpack_from(">BHH", data, content + 2)
            if marker not in _DECODED_FRAMES or precision != 8 or size is not None:
                return None
            size = width, height
        scans += marker == START_OF_SCAN
    return None if size is None else Header("JPEG", *size, max(1, scans))


def _png(data: bytes) -> Header | None:
    if data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return Header("PNG", width, height, animated=data.find(b"acTL", 0, max(0, data.find(b"IDAT"))) > 0)


def _gif(data: bytes) -> Header:
    """The header of a GIF (GIF89a, 1990), walking its blocks up to a second image."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    place, pictures = 13 + _colour_table(flags), 0
    while place < len(data) and pictures < 2 and data[place] in (0x21, 0x2C):  # an extension or an image
        if data[place] == 0x2C:
            pictures += 1
            place += 11 + _colour_table(data[place + 9] if place + 9 < len(data) else 0)
        else:
            place += 2
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place += 1
    return Header("GIF", width, height, animated=pictures > 1)


def _colour_table(flags: int) -> int:
    """Size in bytes of the colour table that these flags announce."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _webp(data: bytes) -> Header | None:
    kind = data[12:16]
    if kind == b"VP8X":
        (flags,) = struct.unpack_from("B", data, 20)
        width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
        return Header("WebP", width, height, animated=bool(flags & 2))
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
    return Header("BMP", width, abs(height))  # a negative height means rows from the top


def _tiff(data: bytes) -> Header | None:
    """The header of a TIFF's first directory, the one that is decoded; None if that is the preview of a raw photo."""
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(f"{order}I", data, 4)
    (entries,) = struct.unpack_from(f"{order}H", data, place)
    values: dict[int, int] = {}
    for at in range(place + 2, place + 2 + 12 * entries, 12):
        tag, kind = struct.unpack_from(f"{order}HH", data, at)
        if tag in (_SUBFILE, _WIDTH, _HEIGHT) and kind in (3, 4):  # 16 or 32 bits
            (values[tag],) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", data, at + 8)
    if values.get(_SUBFILE, 0) & 1 or _WIDTH not in values or _HEIGHT not in values:
        return None
    return Header("TIFF", values[_WIDTH], values[_HEIGHT])


_READERS = {"JPEG": _jpeg, "PNG": _png, "WebP": _webp, "BMP": _bmp, "TIFF": _tiff, "GIF": _gif}
