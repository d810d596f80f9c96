"""Every image format of phones and programs is read upright, or left out with a sentence that says why."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from vision.sources import jpeg
from vision.sources.camera import Unusable, are_stills, frames
from vision.sources.files import SHOWN_SECONDS, STILL_RATE
from vision.sources.header import picture_kind, read_header
from vision.sources.jpeg import decode, decode_reduced
from vision.types import Frame

pillow_heif.register_heif_opener()
SIZE = (160, 96)
ORIENTATION = 0x0112
HEIC_SENTENCE = "is a HEIC photo: install the package pillow-heif, or convert it to JPEG."


def scene(size: tuple[int, int] = SIZE) -> Image.Image:
    """Four corners of different colours, so that every rotation and mirroring is visible."""
    corners = Image.new("RGB", (2, 2))
    corners.putdata([(200, 40, 40), (40, 200, 40), (40, 40, 200), (200, 200, 40)])
    return corners.resize(size, Image.Resampling.BILINEAR)


def encoded(kind: str, image: Image.Image | None = None, **options: object) -> bytes:
    out = BytesIO()
    (image or scene()).save(out, kind, **options)
    return out.getvalue()


def as_rgb(data: bytes) -> np.ndarray:
    return decode(data)[..., ::-1].astype(int)


SINGLE = {
    "progressive JPEG": encoded("JPEG", progressive=True),
    "grey JPEG": encoded("JPEG", scene().convert("L")),
    "CMYK JPEG": encoded("JPEG", scene().convert("CMYK"), quality=95),
    "PNG with a palette": encoded("PNG", scene().quantize()),
    "PNG with transparency": encoded("PNG", scene().convert("RGBA")),
    "PNG of 16 bits": encoded("PNG", Image.fromarray(np.full(SIZE[::-1], 30000, np.uint16))),
    "lossless WebP": encoded("WEBP", lossless=True),
    "GIF": encoded("GIF"),
    "AVIF": encoded("AVIF"),
    "AVIF with transparency": encoded("AVIF", scene().convert("RGBA")),
    "HEIC": encoded("HEIF"),
    "HEIC with transparency": encoded("HEIF", scene().convert("RGBA")),
    "grey HEIC": encoded("HEIF", scene().convert("L")),
    "TIFF": encoded("TIFF", compression="tiff_lzw"),
}


@pytest.mark.parametrize("name", SINGLE)
def test_every_kind_of_picture_is_read_in_its_colours(name: str) -> None:
    data = SINGLE[name]
    header = read_header(data)
    assert header is not None
    assert (header.width, header.height, header.animated) == (*SIZE, False)
    wanted = scene()
    wanted = wanted.convert("L") if "grey" in name else wanted
    wanted = Image.new("L", SIZE, 117) if "16 bits" in name else wanted
    assert np.abs(as_rgb(data) - np.asarray(wanted.convert("RGB"), int)).mean() < 8


@pytest.mark.parametrize("name", SINGLE)
@given(part=st.floats(0.05, 0.9))
@settings(max_examples=5, deadline=None)
def test_no_picture_that_is_cut_off_is_read(name: str, part: float) -> None:
    with pytest.raises(Unusable) as caught:
        decode(SINGLE[name][: int(part * len(SINGLE[name]))])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_a_picture_is_turned_upright(kind: str, orientation: int) -> None:
    """An AVIF has its own orientation, which OpenCV ignores."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    upright = scene()
    upright.getexif()[ORIENTATION] = orientation
    upright = ImageOps.exif_transpose(upright)
    assert np.abs(as_rgb(encoded(kind, exif=exif)) - np.asarray(upright, int)).mean() < 8


def test_a_heic_photo_is_made_smaller_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.header.MOST_PIXELS", 20_000)
    image, by = decode_reduced(encoded("HEIF", scene((320, 192))), "large.heic")
    assert (image.shape, by) == ((96, 160, 3), 2)


def test_a_heic_photo_is_named_where_it_cannot_be_decoded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Bug: `watch IMG_0002.HEIC --readings` printed nothing and exited with success."""
    monkeypatch.setattr(jpeg, "can_decode_heic", lambda: False)
    path = tmp_path / "IMG_0002.HEIC"
    path.write_bytes(SINGLE["HEIC"])
    with pytest.raises(Unusable, match=f"^IMG_0002.HEIC {HEIC_SENTENCE}$"):
        list(frames(str(path)))


def test_nothing_in_a_folder_is_left_out_without_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jpeg, "can_decode_heic", lambda: False)
    content = {
        "1.JPG": SINGLE["grey JPEG"],
        "2.avif": SINGLE["AVIF"],
        "3": SINGLE["PNG with a palette"],  # without the end of its name
        "4.heic": SINGLE["HEIC"],
        "5.heic": SINGLE["HEIC"],
        "6.jpg": SINGLE["HEIC"],  # under a wrong name, as messengers pass it on
        "7.jp2": b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(500),
        "8.mov": b"\0\0\0\x14ftypqt  " + bytes(500),
        "9.gif": encoded("GIF", save_all=True, append_images=[scene().rotate(180)]),
        "notes.txt": b"BMW: no picture at all",
        ".hidden.jpg": b"a note of the system",
    }
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    seen = []
    with pytest.raises(Unusable) as caught:
        seen.extend(frame for frame in frames(str(tmp_path)) if isinstance(frame, Frame))
    assert len(seen) == 3 * round(SHOWN_SECONDS * STILL_RATE)
    reasons = str(caught.value).split("; ")
    assert reasons[0] == f"4.heic (like 2 more: 5.heic, 6.jpg) {HEIC_SENTENCE}"
    assert [reason.partition(" ")[0] for reason in reasons] == ["4.heic", "7.jp2", "8.mov", "9.gif"]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("kind", "name"), [("GIF", "a.gif"), ("PNG", "a.png"), ("WEBP", "a.webp"), ("AVIF", "a.avif")])
def test_no_picture_of_an_animation_is_lost_in_silence(kind: str, name: str, tmp_path: Path) -> None:
    """FFmpeg reads animated GIF and PNG as videos; of other animations OpenCV would return only the first picture."""
    data = encoded(kind, save_all=True, append_images=[scene().rotate(180), scene().rotate(90)], duration=400)
    with pytest.raises(Unusable, match="is animated, not a single picture: convert it to a video"):
        decode(data)
    path = tmp_path / name
    path.write_bytes(data)
    if kind in ("GIF", "PNG"):
        assert not are_stills(str(path))
        assert len(list(frames(str(path)))) == 3
    else:
        with pytest.raises(Unusable, match=f"^{name} is animated"):
            list(frames(str(path)))


def test_the_preview_of_a_raw_photo_is_not_read_as_the_photo() -> None:
    """DNG, NEF and ARW are TIFFs whose first picture is a small copy."""
    assert read_header(encoded("TIFF", tiffinfo={254: 1})) is None
    assert read_header(encoded("TIFF", tiffinfo={254: 0})) is not None


@pytest.mark.parametrize("brand", [b"isom", b"mp42", b"qt  ", b"crx ", b"M4V "])
def test_a_film_is_no_picture(brand: bytes) -> None:
    assert picture_kind(b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0isommp42") is None


@given(data=st.binary(max_size=300), kind=st.sampled_from(["AVIF", "HEIC", "GIF"]), at=st.integers(0, 300))
@settings(deadline=None)
def test_a_damaged_picture_is_refused_and_never_brings_its_reader_down(data: bytes, kind: str, at: int) -> None:
    whole = SINGLE[kind]
    for damaged in (whole[:at] + data, whole[:at] + data + whole[at + len(data) :]):
        with suppress(Unusable):
            decode(damaged)
