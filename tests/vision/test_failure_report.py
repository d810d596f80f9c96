"""A problem report: what is in it, what is not, and that it can be read again."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.camera.failure_report import pack_report
from companion.cli import courtside
from companion.resources import resource
from tests.kit.problem_report import read_report
from tests.vision.drawn import laid_dice
from tests.vision.picture_files import with_orientation

pytestmark = pytest.mark.slow


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    image, _ = laid_dice()
    path = tmp_path / "at Anna's.jpg"
    path.write_bytes(with_orientation(cv2.imencode(".jpg", image)[1].tobytes(), 1))
    return path


def test_a_photo_is_packed_with_its_reading_versions_and_a_readme(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    said = CliRunner().invoke(courtside, ["report", str(photo), "--out", str(out), "--says", "6 5 4 3 2 1"])
    assert said.exit_code == 0, said.output
    report = read_report(out)
    assert list(report.pictures) == [0]
    assert report.truth == {0: (1, 2, 3, 4, 5, 6)}
    assert sorted(die["value"] for die in report.readings[0]["dice"]) == [1, 2, 3, 4, 5, 6]
    assert set(report.about["models"]) >= {"finder.onnx", "close_reader.onnx"}
    assert report.about["versions"]["onnxruntime"] != "unknown"
    with zipfile.ZipFile(out) as archive:
        assert "check them before you share" in archive.read("README.txt").decode()


def test_nothing_of_the_player_is_packed_but_the_picture(photo: Path, tmp_path: Path) -> None:
    """Phones write time and place into photos, and a path may contain a name."""
    out = tmp_path / "report.zip"
    CliRunner().invoke(courtside, ["report", str(photo), "--out", str(out)])
    with zipfile.ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert b"Exif" in photo.read_bytes()
    assert not any(b"Exif" in part or b"Anna" in part for part in parts.values())


def test_a_film_gives_its_last_ten_seconds(tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    film = cv2.VideoWriter(str(tmp_path / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 8.0, (160, 120))
    for number in range(96):
        film.write(np.full((120, 160, 3), 90 + number % 3, np.uint8))
    film.release()
    said = CliRunner().invoke(courtside, ["report", str(tmp_path / "film.mp4"), "--out", str(out)])
    assert said.exit_code == 0, said.output
    report = read_report(out)
    seconds = [read["seconds"] for read in report.readings.values()]
    assert 9 < seconds[-1] - seconds[0] <= 10
    assert set(report.pictures) == set(report.readings)


def zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"no zip", "not a Courtside report"),
        (zipped({"README.txt": b""}), "not a Courtside report"),
        (zipped({"report.json": b"{"}), "not a Courtside report"),
        (zipped({"report.json": json.dumps({"readings": [{}]}).encode()}), "not a Courtside report"),
        (zipped({"report.json": b" " * (41 << 20)}), "too large for a report"),
        (zipped({"report.json": b'{"readings": []}', "what_lies_there.txt": b"00000001.jpg 3 7"}), "dice values"),
    ],
)
def test_a_damaged_report_is_refused_in_one_sentence(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=why):
        read_report(path)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["missing.jpg"], "missing.jpg"),
        (["PHOTO", "--says", "3 7"], "dice values"),
        (["0"], "photo or a video"),
        (["PHOTO", "--out", "/nowhere/report.zip"], "/nowhere/report.zip"),
    ],
)
def test_what_cannot_be_packed_is_reported_in_one_sentence(photo: Path, words: list[str], why: str) -> None:
    said = CliRunner().invoke(courtside, ["report", *(str(photo) if word == "PHOTO" else word for word in words)])
    assert said.exit_code == 2
    assert why in said.output
    assert "Traceback" not in said.output


def test_a_packed_report_is_read_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    pictures = [(b"\xff\xd8one", {"frame": 7, "dice": []}), (b"\xff\xd8two", {"frame": 9, "dice": [{"value": 3}]})]
    path.write_bytes(pack_report(pictures, {"source": "phone"}, resource("models"), {9: [5, 3]}))
    report = read_report(path)
    assert dict(report.pictures) == {7: b"\xff\xd8one", 9: b"\xff\xd8two"}
    assert report.truth == {9: (3, 5)}
    assert report.about["settings"] == {"source": "phone"}
