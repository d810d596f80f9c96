"""A video is damaged if its container is broken or frames cannot be decoded, not if a header counts more frames."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.sources.camera import Unusable, frames
from vision.sources.containers import announced
from vision.sources.files import SHOWN_SECONDS, STILL_RATE
from vision.types import Frame

pytestmark = pytest.mark.slow

FRAMES, RATE = 60, 30.0
CODECS = {"mp4": "mp4v", "mov": "MJPG", "mkv": "MJPG", "webm": "VP80", "avi": "MJPG"}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Two seconds of noise in each container."""
    folder = tmp_path_factory.mktemp("films")
    for kind, codec in CODECS.items():
        film = cv2.VideoWriter(str(folder / f"film.{kind}"), cv2.VideoWriter.fourcc(*codec), RATE, (160, 120))
        for number in range(FRAMES):
            film.write(np.random.default_rng(number).integers(60, 90, (120, 160, 3), dtype=np.uint8))
        film.release()
    return {kind: (folder / f"film.{kind}").read_bytes() for kind in CODECS}


def read(path: Path, data: bytes) -> tuple[list[Frame], str]:
    """All frames of a film, and the sentence at its end."""
    path.write_bytes(data)
    seen: list[Frame] = []
    try:
        seen.extend(frame for frame in frames(str(path)) if isinstance(frame, Frame))
    except Unusable as why:
        return seen, str(why)
    return seen, ""


def trimmed(film: bytes, start: float, length: float) -> bytes:
    """An MP4 whose edit list shows a part; start, length: fractions of the whole."""
    table = film.index(b"elst") + 4
    duration = struct.unpack_from(">I", film, table + 8)[0]
    media = int.from_bytes(film[film.index(b"mdhd") + 20 :][:4], "big")
    row = struct.pack(">Ii", int(length * duration), int(start * media))
    return film[: table + 8] + row + film[table + 16 :]


@pytest.mark.parametrize("kind", CODECS)
def test_a_whole_film_is_read_whole(kind: str, films: dict[str, bytes], tmp_path: Path) -> None:
    seen, why = read(tmp_path / f"film.{kind}", films[kind])
    assert (len(seen), why) == (FRAMES, "")


def test_a_film_of_one_picture_is_held_up_like_a_still(tmp_path: Path) -> None:
    """Bug: it ended before its dice counted as settled, so nothing was read or reported."""
    path = tmp_path / "one.mp4"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (160, 120))
    film.write(np.full((120, 160, 3), 90, np.uint8))
    film.release()
    seen, why = read(path, path.read_bytes())
    assert (len(seen), why) == (round(SHOWN_SECONDS * STILL_RATE), "")
    assert {frame.number for frame in seen} == {0}


@pytest.mark.parametrize(("start", "length"), [(0.0, 0.5), (0.5, 0.5), (0.25, 0.25), (0.0, 0.05)])
@pytest.mark.parametrize("kind", ["mp4", "mov"])
def test_a_trimmed_film_is_not_damaged(
    kind: str, start: float, length: float, films: dict[str, bytes], tmp_path: Path
) -> None:
    """Phones trim a video by its edit list; the header still counts the hidden frames."""
    path = tmp_path / f"film.{kind}"
    seen, why = read(path, trimmed(films[kind], start, length))
    assert why == ""
    assert 1 <= len(seen) <= FRAMES * length + 1
    assert announced(path, FRAMES)[1] == pytest.approx(len(seen), abs=1)


@pytest.mark.parametrize("kind", ["mkv", "webm"])
def test_a_film_whose_header_estimates_too_many_frames_is_not_damaged(
    kind: str, films: dict[str, bytes], tmp_path: Path
) -> None:
    film = films[kind]
    duration = film.index(b"\x44\x89\x88") + 3  # Duration, eight bytes
    (length,) = struct.unpack_from(">d", film, duration)
    film = film[:duration] + struct.pack(">d", 2 * length) + film[duration + 8 :]
    path = tmp_path / f"film.{kind}"
    assert read(path, film)[1] == ""
    assert cv2.VideoCapture(str(path), cv2.CAP_FFMPEG).get(cv2.CAP_PROP_FRAME_COUNT) == 2 * FRAMES


@pytest.mark.parametrize("kind", CODECS)
@pytest.mark.parametrize("part", [0.4, 0.8])
def test_a_film_that_is_cut_off_is_reported_after_the_frames_that_could_be_read(
    kind: str, part: float, films: dict[str, bytes], tmp_path: Path
) -> None:
    film = index_first(films[kind]) if kind in ("mp4", "mov") else films[kind]
    seen, why = read(tmp_path / f"film.{kind}", film[: int(part * len(film))])
    assert FRAMES * part / 2 < len(seen) < FRAMES
    assert f"ends after frame {len(seen)}" in why
    assert "cut off or damaged" in why


@pytest.mark.parametrize("kind", CODECS)
def test_a_film_that_was_never_filled_to_its_end_is_damaged(kind: str, films: dict[str, bytes], tmp_path: Path) -> None:
    """The file has zeros from the point at which its download stopped."""
    film = index_first(films[kind]) if kind in ("mp4", "mov") else films[kind]
    half = len(film) // 2
    seen, why = read(tmp_path / f"film.{kind}", film[:half] + bytes(len(film) - half))
    assert len(seen) < FRAMES
    assert "damaged" in why


def test_a_film_is_read_on_after_pictures_that_cannot_be_decoded(films: dict[str, bytes], tmp_path: Path) -> None:
    film = bytearray(films["mov"])
    starts = [at for at in range(len(film) - 2) if film[at : at + 3] == b"\xff\xd8\xff"]
    film[starts[20] : starts[21]] = bytes(starts[21] - starts[20])
    seen, why = read(tmp_path / "film.mov", bytes(film))
    assert len(seen) == FRAMES - 1
    assert why == ""  # one picture in sixty may be missing
    film[starts[20] : starts[40]] = bytes(starts[40] - starts[20])
    seen, why = read(tmp_path / "film.mov", bytes(film))
    assert len(seen) == FRAMES - 20
    assert "damaged" in why


@pytest.mark.parametrize("length", range(0, 120, 7))
@pytest.mark.parametrize("head", [b"\0\0\0\x18ftypisom", b"\x1aE\xdf\xa3", b"RIFF"])
def test_no_damaged_container_crashes_its_reader(head: bytes, length: int, tmp_path: Path) -> None:
    path = tmp_path / "film"
    path.write_bytes(head + np.random.default_rng(length).bytes(length))
    assert announced(path, 9)[0] in (True, False)


@pytest.mark.parametrize(
    ("kind", "before", "code", "name"),
    [
        ("avi", b"MJPG", b"R3D ", "R3D"),
        ("mov", b"jpeg", b"R3D ", "R3D"),
        ("webm", b"V_VP8", b"V_AV2", "V_AV2"),
        ("avi", b"MJPG", b"XYZ1", "XYZ1"),
    ],
)
def test_a_codec_that_no_decoder_knows_is_named(
    kind: str, before: bytes, code: bytes, name: str, films: dict[str, bytes], tmp_path: Path
) -> None:
    seen, why = read(tmp_path / f"film.{kind}", films[kind].replace(before, code))
    assert not seen
    assert why == (f"film.{kind} is a video coded as {name}, which this computer cannot decode; convert it to H.264.")


def test_an_intact_film_coded_as_av1_is_not_called_damaged(tmp_path: Path) -> None:
    """FFmpeg's own AV1 decoder opens, but decodes nothing without a graphics card."""
    pictures = [Image.new("RGB", (160, 120), (shade, 90, 90)) for shade in (10, 120, 240)]
    out = BytesIO()
    pictures[0].save(out, "AVIF", save_all=True, append_images=pictures[1:])  # a film, by another name
    head = int.from_bytes(out.getvalue()[:4], "big")
    film = out.getvalue()[:8] + b"isom" * (head // 4 - 2) + out.getvalue()[head:]
    _, why = read(tmp_path / "film.mp4", film)
    assert why == "film.mp4 is a video coded as AV1, which this computer cannot decode; convert it to H.264."


def test_a_film_of_a_known_codec_without_any_picture_left_is_damaged(films: dict[str, bytes], tmp_path: Path) -> None:
    film = films["mov"]
    start, end = film.index(b"mdat") + 4, film.index(b"moov") - 4
    _, why = read(tmp_path / "film.mov", film[:start] + bytes(end - start) + film[end:])
    assert why == "film.mov has no readable frames; the video is damaged"


def index_first(film: bytes) -> bytes:
    """The MP4 with its index before the frames, as written for the web: it can be read up to a cut."""
    boxes, place = {}, 0
    while place < len(film):
        size, kind = struct.unpack_from(">I4s", film, place)
        boxes[kind] = film[place : place + size]
        place += size
    index = bytearray(boxes[b"moov"])
    place = index.index(b"stco") + 4
    for row in range(struct.unpack_from(">I", index, place + 4)[0]):
        at = place + 8 + 4 * row
        struct.pack_into(">I", index, at, struct.unpack_from(">I", index, at)[0] + len(index))
    rest = b"".join(box for kind, box in boxes.items() if kind not in (b"ftyp", b"moov"))
    return boxes[b"ftyp"] + index + rest
