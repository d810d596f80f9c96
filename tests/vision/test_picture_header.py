"""No picture is decoded if its header is unfit, and none ends the camera's thread."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.phone import PhoneGate, RejectedUpload
from companion.camera.worker import CameraState, Watcher
from tests.kit.mjpeg_server import MjpegCamera, numbered_jpeg
from tests.kit.served_app import until
from tests.kit.sources import hostile, misdeed
from tests.vision.picture_files import encoded, png_announcing, progressive
from vision import messages
from vision.sources.camera import Unusable, frames
from vision.sources.header import MOST_SCANS, Header, objection, read_header
from vision.sources.jpeg import decode
from vision.table.layout import DrawnAreas, WholePicture
from vision.table.printed_mat import PrintedMat
from vision.types import Motion, Reading

pytestmark = pytest.mark.slow

MODELS = Path(__file__).parents[2] / "models"
KINDS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(64, 64), (257, 66), (100, 400)])
def test_the_header_of_every_format_gives_the_size_that_is_decoded(kind: str, size: tuple[int, int]) -> None:
    data = encoded(kind, size)
    header = read_header(data)
    assert header is not None
    assert (header.width, header.height) == size
    assert decode(data).shape == (size[1], size[0], 3)


def test_webp_headers_with_and_without_loss_and_with_an_extension_are_read() -> None:
    for options in ({"lossless": True}, {"quality": 50}, {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0"}):
        assert read_header(encoded("WEBP", (300, 200), **options)) == Header("WebP", 300, 200)


@pytest.mark.parametrize("size", [(1, 9000), (9000, 1), (63, 200), (8193, 3000), (64, 257), (8000, 1999)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP"])
def test_a_picture_of_1_by_9000_pixels_is_refused_before_it_is_decoded(
    kind: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 2.9 kB kept the watcher busy for minutes and took 16 GB."""
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(Unusable, match=f"{size[0]}×{size[1]} pixels") as caught:
        decode(encoded(kind, size), "small.jpg")
    assert "\n" not in str(caught.value)


def test_a_picture_of_more_than_40_megapixels_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(Unusable, match="has 49 megapixels; at most 40"):
        decode(png_announcing(7000, 7000))


def test_a_progressive_jpeg_of_many_passes_is_refused_before_it_is_decoded() -> None:
    """A file of 60 kB took 3.5 s to decode."""
    usual = read_header(progressive(0))
    assert usual == Header("JPEG", 640, 480, 10)
    assert objection(usual) is None
    with pytest.raises(Unusable, match=rf"progressive JPEG of 1010 passes; at most {MOST_SCANS}"):
        decode(progressive(1000))


def test_passes_of_a_jpeg_are_counted_only_up_to_its_end() -> None:
    """Phones append videos or second pictures to photos; video data may contain any bytes."""
    header = read_header(progressive(0) + b"\xff\xda\x00\x03\x00" * 50)
    assert header is not None
    assert header.scans == 10


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8",
        b"GIF89a" + bytes(40),
        b"\xff\xd8\xff\xe0\xff",
        b"\xff\xd8\xff\xe0\x00\x10",
        b"BM",
        b"RIFF\x00\x00\x00\x00WEBPVP8 ",
        b"II*\0\xff\xff\xff\xff",
        b"II*\0\x08\x00\x00\x00\xff\xff" + bytes(12),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    ],
)
def test_a_damaged_header_announces_nothing(data: bytes) -> None:
    assert read_header(data) is None or objection(read_header(data) or Header("", 0, 0))


def test_a_jpeg_with_two_sizes_is_damaged() -> None:
    """Which of them is decoded depends on the decoder."""
    data = encoded("JPEG", (640, 480))
    start = data.index(b"\xff\xc0")
    second = bytearray(data[start : start + 19])
    second[5:9] = struct.pack(">HH", 9000, 9000)
    assert read_header(data[:start] + second + data[start:]) is None


@pytest.mark.parametrize("size", [(1, 9000), (9000, 1), (2000, 64), (3100, 3100)])
def test_a_phone_cannot_upload_a_picture_that_is_unfit_to_be_watched(size: tuple[int, int]) -> None:
    handed_on: list[bytes] = []
    with pytest.raises(RejectedUpload, match="picture"):
        PhoneGate(handed_on.append).accept(encoded("JPEG", size))
    with pytest.raises(RejectedUpload, match="not a JPEG"):
        PhoneGate(handed_on.append).accept(encoded("PNG", (640, 480)))
    assert not handed_on


def test_a_film_of_misshapen_frames_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "narrow.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (1600, 32))
    for _ in range(3):
        writer.write(np.zeros((32, 1600, 3), np.uint8))
    writer.release()
    with pytest.raises(Unusable, match=r"narrow\.avi is 1600×32 pixels"):
        list(frames(str(path)))


@pytest.mark.parametrize("shape", [(1, 9000), (9000, 1), (1, 1), (3, 1281), (33, 5000), (64, 64)])
def test_the_layout_works_with_frames_of_any_shape(shape: tuple[int, int]) -> None:
    """Bug: a frame of 9000×1 ended the camera's thread, because its small copy had no rows (cv2.error)."""
    area = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9))
    for layout in (PrintedMat(), WholePicture(), DrawnAreas(area, area)):
        assert layout.update(np.full((*shape, 3), 128, np.uint8)) is None


class Watched:
    """A watcher of a network camera, with all its messages."""

    def __init__(self, url: str) -> None:
        self.readings: list[Reading] = []
        self.ended = False
        self.watcher = Watcher(
            "network", path=url, model=MODELS, see=self.readings.append, ended=self._end, announce=lambda _: None
        )

    def _end(self) -> None:
        self.ended = True

    def until_looking(self, seconds: float = 60.0) -> None:
        before = len(self.readings)
        until(lambda: any(reading.motion is not Motion.LOST for reading in self.readings[before:]), seconds)


def test_a_camera_that_sends_a_picture_of_9000_by_1_is_watched_again_when_it_sends_good_ones() -> None:
    send = [numbered_jpeg]
    camera = MjpegCamera(lambda n: send[0](n))
    watched = Watched(camera.url)
    watched.watcher.start()
    try:
        watched.until_looking()
        send[0] = lambda n: encoded("JPEG", (9000, 1))
        until(lambda: watched.watcher.state.word == "lost", 30)
        send[0] = numbered_jpeg
        watched.until_looking()
        assert not watched.ended
    finally:
        watched.watcher.close()
        camera.stop()


def test_an_unexpected_error_does_not_end_the_cameras_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", hostile)
    send = [lambda n: misdeed(numbered_jpeg(n), "returns an unexpected shape")]
    camera = MjpegCamera(lambda n: send[0](n))
    watched = Watched(camera.url)
    watched.watcher.start()
    try:
        until(lambda: watched.watcher.state.word == "lost", 30)
        assert watched.watcher.state == CameraState("lost", messages.RESTARTED)
        send[0] = numbered_jpeg
        watched.until_looking()
    finally:
        watched.watcher.close()
        camera.stop()
