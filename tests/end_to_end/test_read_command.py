"""`courtside read`: its output, its pictures, and one sentence for every file that is no picture."""

from __future__ import annotations

import json
import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import courtside
from companion.resources import resource
from tests.kit.evaluation.photos import labelled, measure, table, truth_of
from tests.kit.evaluation.scoring import Tally, compare
from tests.vision.drawn import laid_dice, read_off
from tests.vision.picture_files import png_announcing, with_orientation
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.sources.jpeg import decode

pytestmark = pytest.mark.slow

PHOTOS = os.environ.get("COURTSIDE_PHOTOS")


def run(*words: object) -> Result:
    return CliRunner().invoke(courtside, ["read", *map(str, words)])


def picture(folder: Path, name: str = "dice.png") -> Path:
    image, _ = laid_dice()
    path = folder / name
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())
    return path


@pytest.mark.parametrize("name", ["dice.jpg", "dice.png", "dice.webp"])
def test_one_json_object_a_line_with_value_confidence_box_and_time(tmp_path: Path, name: str) -> None:
    path = picture(tmp_path, name)
    result = run(path, path, "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["image"] for line in lines] == [str(path)] * 2
    assert set(lines[0]) == {"image", "dice", "milliseconds"}
    assert lines[0]["milliseconds"] > 0
    assert sorted(die["value"] for die in lines[0]["dice"]) == [1, 2, 3, 4, 5, 6]
    for die in lines[0]["dice"]:
        left, top, right, bottom = die["box"]
        assert 0 <= left < right <= 960
        assert 0 <= top < bottom <= 720
        assert 0.5 < die["confidence"] <= 1


def test_without_json_the_values_stand_beside_the_name(tmp_path: Path) -> None:
    path = picture(tmp_path)
    result = run(path)
    assert result.exit_code == 0
    name, values = result.stdout.strip().rsplit(": ", 1)
    assert name == str(path)
    assert sorted(values.split()) == ["1", "2", "3", "4", "5", "6"]


def test_a_photo_lying_on_its_side_is_turned_first_and_boxes_are_of_the_turned_picture(tmp_path: Path) -> None:
    image, dice = laid_dice()
    lying = cv2.imencode(".jpg", np.rot90(image))[1].tobytes()  # orientation 6: turn it clockwise to see it upright
    path = tmp_path / "phone.jpg"
    path.write_bytes(with_orientation(lying, 6))
    line = json.loads(run(path, "--json").stdout)
    found = {
        (x, y): die["value"]
        for die in line["dice"]
        for x, y in dice
        if die["box"][0] < x < die["box"][2] and die["box"][1] < y < die["box"][3]
    }
    assert found == dice


def test_bad_files_get_one_sentence_each_and_the_others_are_still_read(tmp_path: Path) -> None:
    good = picture(tmp_path)
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.png").write_text("these are no pixels")
    whole = cv2.imencode(".jpg", laid_dice()[0])[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    bad = [tmp_path / "missing.jpg", tmp_path / "empty.jpg", tmp_path / "text.png", tmp_path / "cut.jpg", tmp_path]
    result = run(*bad[:3], good, *bad[3:], "--json")
    assert result.exit_code == 2
    assert [json.loads(line)["image"] for line in result.stdout.splitlines()] == [str(good)]
    complaints = result.stderr.splitlines()
    assert len(complaints) == len(bad)
    for path, complaint in zip(bad, complaints, strict=True):
        assert str(path) in complaint
    assert "Traceback" not in result.output


def test_a_picture_that_would_unpack_to_a_gigapixel_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 40000, 40000, 8, 2, 0, 0, 0)
    path = tmp_path / "bomb.png"
    pixels = zlib.compress(bytes(1000))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    result = run(path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert "megapixels" in result.stderr


def test_save_writes_the_picture_with_the_dice_drawn_in(tmp_path: Path) -> None:
    path = picture(tmp_path, "dice.jpg")
    assert run(path, "--save", tmp_path / "seen").exit_code == 0
    drawn = decode((tmp_path / "seen" / "dice.png").read_bytes())
    assert drawn.shape == (720, 960, 3)
    assert not np.array_equal(drawn, decode(path.read_bytes()))


def test_a_file_that_is_no_model_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "mine.onnx").write_text("no")
    result = run(picture(tmp_path), "--model", tmp_path / "mine.onnx")
    assert result.exit_code == 2
    assert "mine.onnx" in result.stderr
    assert "Traceback" not in result.output


def labelled_folder(folder: Path) -> Path:
    """Writes one picture of six dice in Ultralytics' layout, with one wrong label."""
    image, dice = laid_dice()
    for name in ("images", "labels"):
        (folder / "dev" / name).mkdir(parents=True)
    (folder / "dev" / "images" / "plush__a.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    rows = [f"{face - 1} {x / 960} {y / 720} {70 / 960} {70 / 720}" for (x, y), face in dice.items()]
    rows[0] = "1" + rows[0][1:]
    (folder / "dev" / "labels" / "plush__a.txt").write_text("\n".join(rows))
    return folder


def test_a_wrong_label_counts_as_an_undetected_mistake(tmp_path: Path) -> None:
    detector = Detector(resource("models"))
    measured = measure(labelled_folder(tmp_path) / "dev", lambda image: detector.detect(image, thorough=True))
    row = next(line for line in table(measured).splitlines() if line.startswith("| plush"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:3] == ["1", "6"]
    assert cells[3].startswith("83.3 %")
    assert cells[4:7] == ["0", "1", "0"]


def test_a_folder_without_labelled_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="images/ and labels/"):
        measure(tmp_path, lambda image: Detections.none())


def test_a_damaged_label_file_is_named(tmp_path: Path) -> None:
    folder = labelled_folder(tmp_path) / "dev"
    (folder / "labels" / "plush__a.txt").write_text("1 0.5")
    with pytest.raises(ValueError, match=r"plush__a\.txt"):
        measure(folder, lambda image: Detections.none())


@pytest.mark.skipif(not PHOTOS, reason="COURTSIDE_PHOTOS does not name the labelled photos")
@pytest.mark.parametrize("stride", [pytest.param(3, marks=pytest.mark.stress), 12])
def test_photos_of_sources_never_trained_on_are_read(stride: int) -> None:
    """A lower bound below the measured figure (models/README.md), so that a worse export is noticed."""
    detector = Detector(resource("models"))
    folder = Path(str(PHOTOS)) / "dev"
    outcomes = []
    for path in [p for p in labelled(folder) if p.name.startswith(("plush", "closeup", "empty"))][::stride]:
        image = decode(path.read_bytes())
        outcomes.append(compare(detector.detect(image, thorough=True), truth_of(path, image)))
    tally = Tally.of(outcomes)
    assert tally.right >= 0.93 * tally.dice


@pytest.mark.skipif(not PHOTOS, reason="COURTSIDE_PHOTOS does not name the labelled photos")
def test_six_pips_on_the_side_of_a_die_that_shows_two_are_not_read_with_certainty() -> None:
    """Bug: it was read as a certain 4, as long as all crops of a refined pass had the same width."""
    path = Path(str(PHOTOS)) / "dev" / "images" / "desk__dice_436_jpg.jpg"
    image = decode(path.read_bytes())
    outcome = compare(Detector(resource("models")).detect(image, thorough=True), truth_of(path, image))
    assert outcome.undetected == 0


def test_reading_off_places_needs_the_box_around_them() -> None:
    """The helper `read_off` of other tests ignores boxes elsewhere."""
    seen = Detections(np.array([[0, 0, 10, 10]], np.float32), np.eye(6, dtype=np.float32)[[3]], np.ones(1, np.float32))
    assert read_off(seen, {(5, 5): 4, (50, 50): 1}) == {(5, 5): 4}


def test_a_photo_of_48_megapixels_is_read_and_its_boxes_are_in_its_own_pixels(tmp_path: Path) -> None:
    """Bug: photos of today's phones were refused as too large."""
    image, laid = laid_dice()
    photo = np.full((6048, 8064, 3), 90, np.uint8)
    photo[1000:3160, 2000:4880] = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    lying = cv2.imencode(".jpg", np.rot90(photo))[1].tobytes()  # stored lying on its side
    path = tmp_path / "phone.jpg"
    path.write_bytes(with_orientation(lying, 6))
    result = run(path, "--json")
    assert result.exit_code == 0, result.output
    dice = json.loads(result.stdout)["dice"]
    found = {die["value"]: ((die["box"][0] + die["box"][2]) / 2, (die["box"][1] + die["box"][3]) / 2) for die in dice}
    assert sorted(found) == sorted(laid.values()) == sorted(die["value"] for die in dice)
    for (x, y), value in laid.items():
        assert found[value] == pytest.approx((2000 + 3 * x, 1000 + 3 * y), abs=40)  # of a die 240 pixels wide


def test_a_picture_of_more_than_200_megapixels_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(png_announcing(20000, 15000))
    result = run(path)
    assert result.exit_code == 2
    assert "has 300 megapixels; at most 200 are read" in result.output
