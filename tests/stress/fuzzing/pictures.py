"""Small valid images of every format that a phone or a person may send, as initial inputs."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

_SIZES = ((1, 1), (64, 80), (97, 66))
_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("JPEG", {"quality": 60}),
    ("JPEG", {"progressive": True, "quality": 30}),
    ("JPEG", {"subsampling": 2, "restart_marker_rows": 1, "comment": b"FF D9"}),
    ("PNG", {}),
    ("PNG", {"bits": 4}),
    ("WEBP", {"quality": 40}),
    ("WEBP", {"lossless": True}),
    ("GIF", {}),
    ("BMP", {}),
    ("TIFF", {"compression": "tiff_lzw"}),
)
_TURNED = 0x0112  # the EXIF tag of an image's orientation


def pictures() -> Iterator[bytes]:
    """Yields every format in several sizes, in colour and in grey, and JPEGs with every EXIF orientation."""
    for size in _SIZES:
        for kind, options in _KINDS:
            for mode in ("RGB", "L"):
                yield _encoded(_drawn(size).convert(mode), kind, **options)
    for turned in range(9):
        exif = Image.Exif()
        exif[_TURNED] = turned
        yield _encoded(_drawn((97, 66)), "JPEG", exif=exif)
    yield _encoded(_drawn((64, 64)).convert("CMYK"), "JPEG")
    yield b"\xff\xd8" + b"\xff\xe1\x00\x04ab" * 3 + _encoded(_drawn((97, 66)), "JPEG")[2:]  # segments before the frame


def _drawn(size: tuple[int, int]) -> Image.Image:
    """A light die on a dark table."""
    image = Image.new("RGB", size, (30, 60, 40))
    ImageDraw.Draw(image).ellipse((size[0] // 4, size[1] // 4, size[0] // 2, size[1] // 2), fill=(240, 235, 220))
    return image


def _encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
