"""A JPEG ends where its own markers end; bytes before, between or after pictures do not count."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.sources.jpeg import Unusable, decode
from vision.sources.markers import JpegCutter, end_of_jpeg


def photo(seed: int = 0, thumbnail: bool = False, **options: object) -> bytes:
    """A noisy JPEG of 80 × 64 pixels; optionally with a thumbnail, itself a JPEG, in its EXIF data."""
    pixels = np.random.default_rng(seed).integers(0, 256, (64, 80, 3), dtype=np.uint8)
    out = BytesIO()
    note = b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + photo(99) if thumbnail else b""
    Image.fromarray(pixels).save(out, "JPEG", quality=20, **({"exif": note} if thumbnail else {}), **options)
    return out.getvalue()


PHOTOS = {
    "baseline": photo(1),
    "progressive": photo(2, progressive=True),
    "with restart markers": photo(3, restart_marker_blocks=2),
    "with a thumbnail": photo(4, thumbnail=True),
}
FILM = b"\0\0\0\x18ftypmp42\0\0\0\0isommp42" + np.random.default_rng(5).bytes(3000) + b"\xff\xda" * 9
APPENDED = {
    "a film": FILM,
    "a film and the notes of the phone": FILM + b"\0\0\x30\x0aSEFHj\0\0\0\x01\0\0\0$\0\0\0SEFT",
    "a film that is cut off": FILM[:200],
    "another picture": photo(6),
    "another picture that is cut off": photo(6)[:-300],
    "zeros": bytes(4096),
    "the marker of a scan": b"\xff\xda\0\0" * 5,
}


@pytest.mark.parametrize("kind", PHOTOS)
@pytest.mark.parametrize("behind", APPENDED)
def test_what_is_appended_to_a_jpeg_is_no_part_of_it(kind: str, behind: str) -> None:
    """Bug: photos with an appended video, as Google's and Samsung's phones write them, were refused as truncated."""
    jpeg = PHOTOS[kind]
    assert end_of_jpeg(jpeg + APPENDED[behind]) == len(jpeg)
    assert np.array_equal(decode(jpeg + APPENDED[behind]), decode(jpeg))


@pytest.mark.parametrize("kind", PHOTOS)
@given(part=st.floats(0.0, 1.0, exclude_max=True), zeros=st.sampled_from([0, 5000]))
@settings(max_examples=25, deadline=None)
def test_a_jpeg_that_is_cut_off_anywhere_is_refused(kind: str, part: float, zeros: int) -> None:
    """Zeros, as in a file that got its size before its content."""
    jpeg = PHOTOS[kind]
    with pytest.raises(Unusable):
        decode(jpeg[: int(part * len(jpeg))] + bytes(zeros))


# What cameras send between two pictures.
BETWEEN = st.sampled_from(
    [
        b"",
        b"\r\n--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 1234\r\n\r\n",
        b"\n--other\nContent-Type: image/jpeg\n\n",
        b"\r\n----\xff\xff\xd8\r\n",
        bytes(7),
    ]
)


@given(
    pictures=st.lists(
        st.tuples(BETWEEN, st.sampled_from(list(PHOTOS)), st.sampled_from([None, 700])), min_size=1, max_size=6
    ),
    chunk=st.sampled_from([1, 2, 3, 100, 4097, 65536]),
)
@settings(max_examples=40, deadline=None)
def test_every_complete_picture_of_a_stream_is_extracted(
    pictures: list[tuple[bytes, str, int | None]], chunk: int
) -> None:
    """Pictures truncated after their tables, as over a weak radio link, do not affect others."""
    pictures = [(between, kind, None if kind == "with a thumbnail" else cut) for between, kind, cut in pictures]
    stream = b"".join(between + PHOTOS[kind][:cut] for between, kind, cut in pictures)
    cutter, found = JpegCutter(), []
    for start in range(0, len(stream), chunk):
        cutter.add(stream[start : start + chunk])
        while (jpeg := cutter.cut()) is not None:
            found.append(jpeg)
    assert found == [PHOTOS[kind] for _, kind, cut in pictures if cut is None]


def test_a_picture_cut_off_inside_its_tables_is_not_mixed_with_the_next_one() -> None:
    tables = PHOTOS["baseline"].index(b"\xff\xc4") + 10
    cutter = JpegCutter()
    cutter.add(PHOTOS["baseline"][:tables] + PHOTOS["progressive"] + PHOTOS["baseline"])
    assert [cutter.cut(), cutter.cut(), cutter.cut()] == [PHOTOS["progressive"], PHOTOS["baseline"], None]


def test_bytes_that_are_no_jpeg_are_not_buffered() -> None:
    cutter = JpegCutter()
    for _ in range(100):
        cutter.add(b"no picture\xff\xd8" * 100)
        assert cutter.cut() is None
    assert not cutter.begun
    assert len(cutter._data) < 4
