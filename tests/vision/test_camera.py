"""Files give every frame, cameras the newest one; without frames there is one sentence why."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.kit.lateness import lateness
from tests.kit.mjpeg_server import MjpegCamera, numbered_jpeg
from tests.kit.served_app import until
from vision.sources.camera import Unusable, frames, is_live, open_live
from vision.sources.header import MOST_PIXELS
from vision.sources.jpeg import decode
from vision.sources.latest_value import LatestValue
from vision.types import Frame, Lost

pytestmark = pytest.mark.slow


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Writes a video of sixty noisy frames at 50 a second."""
    path = tmp_path / "video.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (160, 120))
    for number in range(60):
        writer.write(decode(numbered_jpeg(number, 160, 120)))
    writer.release()
    return path


def test_a_video_gives_every_frame_in_media_time_the_same_each_time(video: Path) -> None:
    first, second = list(frames(str(video))), list(frames(str(video)))
    assert [frame.number for frame in first] == list(range(60))
    assert [frame.seconds for frame in first] == pytest.approx([number / 50 for number in range(60)], abs=1e-3)
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, second, strict=True))


def test_a_video_at_its_own_pace_is_not_faster_than_it_was_taken(video: Path) -> None:
    start = time.monotonic()
    assert len(list(frames(str(video), own_pace=True))) == 60
    assert time.monotonic() - start >= 59 / 50


def test_a_truncated_video_is_reported_after_its_readable_frames(video: Path) -> None:
    data = video.read_bytes()
    video.write_bytes(data[: len(data) // 2])
    seen: list[Frame] = []
    with pytest.raises(Unusable, match=r"video\.avi ends after frame \d+ of 60") as caught:
        seen.extend(frames(str(video)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("missing.mp4", None, "missing.mp4 does not exist"),
        ("empty.mp4", b"", "empty.mp4 is empty"),
        ("text.mp4", b"once upon a time " * 500, "text.mp4 is not a readable video"),
        ("noise.webm", np.random.default_rng(1).bytes(5000), "noise.webm is not a readable video"),
        ("text.jpg", b"once upon a time " * 500, "text.jpg is not a readable picture"),
        ("cut.jpg", numbered_jpeg(1)[:-800], "cut.jpg is cut off"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(Unusable, match=sentence) as caught:
        list(frames(str(tmp_path / name)))
    assert "\n" not in str(caught.value)


def test_a_name_that_is_neither_file_nor_camera_is_refused() -> None:
    with pytest.raises(Unusable, match="no file, folder or camera called “nosuchthing”"):
        list(frames("nosuchthing"))


def test_stills_come_in_natural_order_and_a_damaged_one_does_not_stop_the_others(tmp_path: Path) -> None:
    for number in (1, 2, 10):
        (tmp_path / f"shot {number}.jpg").write_bytes(numbered_jpeg(number))
    (tmp_path / "shot 3.jpg").write_bytes(numbered_jpeg(3)[:-500])
    seen: list[Frame] = []
    with pytest.raises(Unusable, match=r"shot 3\.jpg is cut off"):
        seen.extend(frames(str(tmp_path)))
    brightness = {frame.number: round(float(frame.image.mean())) for frame in seen}
    assert sorted(brightness) == [0, 1, 3]
    assert brightness[0] < brightness[1] < brightness[3]
    assert all(later.seconds > earlier.seconds for earlier, later in itertools.pairwise(seen))


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="contains no pictures"):
        list(frames(str(tmp_path)))


def test_an_upright_photo_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held a quarter turn clockwise
    Image.new("RGB", (128, 64), (200, 0, 0)).save(tmp_path / "turned.jpg", exif=exif)
    (frame, *_) = frames(str(tmp_path / "turned.jpg"))
    assert isinstance(frame, Frame)
    assert frame.image.shape == (128, 64, 3)


def test_a_picture_that_unpacks_to_too_many_pixels_is_refused() -> None:
    side = int(MOST_PIXELS**0.5) + 500
    bomb = cv2.imencode(".png", np.zeros((side, side), np.uint8))[1].tobytes()
    assert len(bomb) < 1_000_000
    with pytest.raises(Unusable, match="megapixels"):
        decode(bomb)


def test_the_newest_frame_wins_and_dropped_ones_are_counted() -> None:
    camera = MjpegCamera()
    live = open_live(camera.url)
    try:
        numbers = []
        for item in live:
            if isinstance(item, Frame):  # a busy machine may leave the camera waiting for a second
                numbers.append(item.number)
            time.sleep(0.15)  # a slow reader
            if len(numbers) == 6:
                break
        assert numbers == sorted(numbers)
        assert numbers[-1] - numbers[0] > 6
        assert live.dropped > 0
    finally:
        live.close()
        camera.stop()


@pytest.mark.parametrize("announce", [True, False])
def test_a_stream_server_that_stops_is_lost_within_two_seconds_and_found_again_without_a_restart(
    announce: bool,
) -> None:
    camera = MjpegCamera(announce=announce)
    live = open_live(camera.url)
    try:
        items = iter(live)
        assert isinstance(next(items), Frame)
        camera.stop()
        stopped = time.monotonic()
        with lateness() as late:
            lost = next(item for item in items if isinstance(item, Lost))
        assert lost.seconds - stopped < 2.0 + late.seconds
        assert "\n" not in lost.why
        assert all(isinstance(item, Lost) for item in (next(items), next(items)))  # nothing is invented
        camera = MjpegCamera(announce=announce, port=camera.port)
        assert isinstance(next(item for item in items if isinstance(item, Frame)), Frame)
    finally:
        live.close()
        camera.stop()


def test_damaged_jpegs_in_a_stream_are_skipped() -> None:
    def every_third_whole(number: int) -> bytes:
        jpeg = numbered_jpeg(number)
        return (jpeg, jpeg[: len(jpeg) // 3], b"rubbish" * 99)[number % 3]

    camera = MjpegCamera(every_third_whole)
    live = open_live(camera.url)
    try:
        items = iter(live)
        for _ in range(4):
            frame = next(items)
            assert isinstance(frame, Frame)
            assert round(float(frame.image.mean()) - 69.5) % 3 == 0  # numbers 0, 3, 6 … are whole
    finally:
        live.close()
        camera.stop()


def test_a_stream_of_nothing_but_rubbish_is_lost_not_invented() -> None:
    camera = MjpegCamera(lambda number: b"\xff\xd8 no picture \xff\xd9")
    live = open_live(camera.url)
    try:
        first = next(iter(live))
        assert isinstance(first, Lost)
    finally:
        live.close()
        camera.stop()


def test_a_camera_that_does_not_open_says_so_at_once() -> None:
    live = open_live("97")
    try:
        first = next(iter(live))
        assert isinstance(first, Lost)
        assert "Camera 97 cannot be opened" in first.why
    finally:
        live.close()


def test_no_password_of_a_stream_is_shown() -> None:
    live = open_live("http://me:secret@127.0.0.1:9/video")
    try:
        first = next(iter(live))
        assert isinstance(first, Lost)
        assert "secret" not in first.why
    finally:
        live.close()


def test_a_phone_gives_the_pictures_put_into_its_slot_and_is_lost_when_they_stop() -> None:
    slot: LatestValue[bytes] = LatestValue()
    live = open_live("phone", phone=slot)
    try:
        items = iter(live)
        sender = threading.Thread(target=lambda: [(slot.put(numbered_jpeg(n)), time.sleep(0.05)) for n in range(10)])
        sender.start()
        slot.put(b"not a picture")
        assert isinstance(next(item for item in items if isinstance(item, Frame)), Frame)
        sender.join()
        ended = time.monotonic()
        with lateness() as late:
            lost = next(item for item in items if isinstance(item, Lost))
        assert lost.seconds - ended < 2.0 + late.seconds
    finally:
        live.close()


def test_a_camera_that_comes_back_with_more_pixels_shows_the_table_where_it_was() -> None:
    slot: LatestValue[bytes] = LatestValue()
    live = open_live("phone", phone=slot)
    try:
        items = (item for item in live if isinstance(item, Frame))
        sizes = []
        for width, height in ((96, 72), (384, 288), (72, 96)):
            slot.put(cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes())
            frame = next(items)
            sizes.append((frame.image.shape[1::-1], frame.sent))
        assert sizes == [((96, 72), None), ((96, 72), (384, 288)), ((72, 96), None)]  # the last one was turned
    finally:
        live.close()


def test_a_frame_older_than_half_a_second_is_no_evidence() -> None:
    camera = MjpegCamera()
    live = open_live(camera.url)
    try:
        items = iter(live)
        next(items)
        camera.stop()  # the slot now keeps the last frame, which grows old
        time.sleep(0.7)
        assert isinstance(next(items), Lost)
    finally:
        live.close()


def test_reading_a_camera_again_and_again_leaks_no_threads() -> None:
    camera = MjpegCamera()
    for _ in range(5):
        live = open_live(camera.url)
        next(iter(live))
        live.close()
    until(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("camera")])
    camera.stop()


def test_files_and_stills_are_not_live(video: Path) -> None:
    assert not is_live(str(video))
    assert not is_live(str(video.parent))
    assert is_live("0")
    assert is_live("rtsp://127.0.0.1/table")
    assert is_live("phone")
