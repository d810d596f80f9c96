"""Unusable model files give one sentence and leave nothing behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from companion.resources import resource
from tests.vision.drawn import table
from vision.dice.detector import Detector
from vision.dice.networks import DamagedModel


def with_classes(source: Path, target: Path, names: str) -> None:
    model = onnx.load(source)
    for entry in model.metadata_props:
        if entry.key == "names":
            entry.value = names
    onnx.save(model, target)


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x08\x07" * 500])
def test_a_damaged_model_is_named_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(content)
    with pytest.raises(DamagedModel, match=r"broken\.onnx.*expected") as caught:
        Detector(path)
    assert "\n" not in str(caught.value)


def test_a_truncated_model_is_named(tmp_path: Path) -> None:
    whole = resource("models", "finder.onnx").read_bytes()
    (tmp_path / "finder.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedModel, match=r"finder\.onnx"):
        Detector(tmp_path)


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedModel, match="does not exist"):
        Detector(tmp_path / "nowhere.onnx")


def test_a_model_of_another_number_of_classes_is_refused(tmp_path: Path) -> None:
    with_classes(resource("models", "finder.onnx"), tmp_path / "eighty.onnx", str({i: str(i) for i in range(80)}))
    with pytest.raises(DamagedModel, match=r"eighty.onnx is not a finder: expected one class"):
        Detector(tmp_path / "eighty.onnx")


def test_a_reader_of_another_number_of_classes_is_refused(tmp_path: Path) -> None:
    shutil.copy(resource("models", "finder.onnx"), tmp_path)
    with_classes(resource("models", "reader.onnx"), tmp_path / "reader.onnx", "{0: 'a', 1: 'b'}")
    with pytest.raises(DamagedModel, match="2 classes"):
        Detector(tmp_path)


def test_a_glance_of_another_number_of_classes_is_refused(tmp_path: Path) -> None:
    for name in ("finder.onnx", "reader.onnx"):
        shutil.copy(resource("models", name), tmp_path)
    six = str({i: str(i + 1) for i in range(6)})
    with_classes(resource("models", "glance.onnx"), tmp_path / "glance.onnx", six)
    with pytest.raises(DamagedModel, match=r"glance.onnx has 6 classes, expected as many as .*finder.onnx: 1"):
        Detector(tmp_path)


def test_a_larger_reader_with_another_number_of_classes_is_refused(tmp_path: Path) -> None:
    for name in ("finder.onnx", "reader.onnx"):
        shutil.copy(resource("models", name), tmp_path)
    with_classes(resource("models", "reader.onnx"), tmp_path / "close_reader.onnx", "{0: 'a', 1: 'b'}")
    with pytest.raises(DamagedModel, match=r"close_reader.onnx has 2 classes, expected as many as .*reader.onnx: 7"):
        Detector(tmp_path)


def test_a_file_that_is_no_print_classifier_is_refused(tmp_path: Path) -> None:
    for name in ("finder.onnx", "reader.onnx"):
        shutil.copy(resource("models", name), tmp_path)
    shutil.copy(resource("models", "reader.onnx"), tmp_path / "print.onnx")
    with pytest.raises(DamagedModel, match=r"print.onnx does not have two classes"):
        Detector(tmp_path)


def test_without_a_larger_reader_the_fast_one_reads_refined_passes(tmp_path: Path) -> None:
    for name in ("finder.onnx", "reader.onnx"):
        shutil.copy(resource("models", name), tmp_path)
    image, box = table(640, 480), np.array([[280, 200, 340, 260]], np.float32)
    alone = Detector(tmp_path).read(image, box, thorough=True)
    shutil.copy(resource("models", "reader.onnx"), tmp_path / "close_reader.onnx")
    np.testing.assert_array_equal(alone.scores, Detector(tmp_path).read(image, box, thorough=True).scores)


def test_reading_dice_leaves_no_trace_of_the_user_outside_courtside(tmp_path: Path) -> None:
    """The runtime would store an identifier in the user's folder, for usage reports to its maker."""
    code = (
        "import numpy; from companion.resources import resource; from vision.dice.detector import Detector;"
        "Detector(resource('models')).detect(numpy.zeros((64, 64, 3), numpy.uint8))"
    )
    kept = ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY")
    environment = {key: value for key, value in os.environ.items() if key not in kept} | {"HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
