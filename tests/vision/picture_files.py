"""Image files whose headers promise something other than their content."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from PIL import Image


def encoded(kind: str, size: tuple[int, int], **options: object) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(out, kind, **options)
    return out.getvalue()


def progressive(extra: int, size: tuple[int, int] = (640, 480)) -> bytes:
    """A progressive JPEG that repeats its last pass many times: few bytes, but each pass covers all blocks."""
    data = encoded("JPEG", size, progressive=True)
    last, end = data.rfind(b"\xff\xda"), data.rfind(b"\xff\xd9")
    return data[:end] + data[last:end] * extra + b"\xff\xd9"


def png_announcing(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF orientation."""
    tiff = b"II*\x00\x08\x00\x00\x00" + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]
