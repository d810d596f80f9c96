"""A problem report in one file: images, readings, versions and settings; easy to check before it is sent.

It is a zip with a plain README, `pictures/*.jpg`, `report.json` and `what_lies_there.txt`, in which the user enters the
real values. It contains no names, addresses or passwords, and images are encoded again without a phone's metadata on
time and place.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from vision.types import Reading

REPORT_FORMAT = 1
# Limits for images and for the bytes of one unpacked file; anything larger was not packed here.
MOST_PICTURES, LARGEST = 1000, 40 << 20
TRUTH = "what_lies_there.txt"
_PICTURE = re.compile(r"pictures/(\d{1,9})\.jpg")
_README = """A problem report of Courtside, which reads dice with a camera.

pictures/             what the camera saw; check them before you share this file
report.json           the readings of each picture, program versions and camera settings
what_lies_there.txt   the real dice, if they were entered: one line per picture, such as
                      00000042.jpg 3 5 5

Nothing else is included: no names, addresses or passwords, and no photo metadata about time and place.
To read the pictures again: python scripts/evaluate.py --reports THIS_FILE
"""


@dataclass(frozen=True, slots=True)
class Report:
    """A problem report.

    Attributes:
        pictures: JPEG by number.
        readings: What was read in each, by number.
        truth: Sorted values entered by the user, by number.
        about: Versions and settings.
    """

    pictures: Mapping[int, bytes]
    readings: Mapping[int, Mapping[str, object]]
    truth: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    about: Mapping[str, object] = field(default_factory=dict)


def packed(
    pictures: Sequence[tuple[bytes, Mapping[str, object]]],
    settings: Mapping[str, object],
    model: Path,
    truth: Mapping[int, Sequence[int]] | None = None,
) -> bytes:
    """Packs a report.

    Args:
        pictures: JPEGs and readings, with the image's number as `frame`.
        truth: Real values by that number.
    """
    about = {"format": REPORT_FORMAT, "packed": f"{date.today():%Y-%m-%d}", **_versions(), "models": _models(model)}
    report = {**about, "settings": dict(settings), "readings": [dict(read) for _, read in pictures]}
    lines = "".join(f"{frame:08}.jpg {' '.join(map(str, faces))}\n" for frame, faces in (truth or {}).items())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("README.txt", _README)
        archive.writestr("report.json", json.dumps(report, indent=1, ensure_ascii=False))
        archive.writestr(TRUTH, lines)
        for jpeg, read in pictures:
            archive.writestr(f"pictures/{read['frame']:08}.jpg", jpeg)
    return out.getvalue()


def read_report(path: Path) -> Report:
    """Reads a packed report.

    Raises:
        ValueError: It is not a report; one sentence.
        OSError: It cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PICTURES + 3 or any(part.file_size > LARGEST for part in parts):
                raise ValueError(f"{path} is too large for a report")
            names = {int(found[1]): part for part in parts if (found := _PICTURE.fullmatch(part.filename))}
            pictures = {number: archive.read(part) for number, part in sorted(names.items())}
            about = json.loads(archive.read("report.json"))
            lines = archive.read(TRUTH).decode("utf-8").splitlines() if TRUTH in archive.namelist() else []
        readings = {int(read["frame"]): read for read in about.pop("readings")}
        truth = {int(name.partition(".")[0]): faces_of(words) for name, _, words in (ln.partition(" ") for ln in lines)}
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a Courtside report, or it is damaged") from error
    return Report(pictures, readings, truth, about)


def faces_of(words: str) -> tuple[int, ...]:
    """`3 5 5` → (3, 5, 5), sorted.

    Raises:
        ValueError: They are not dice; one sentence.
    """
    found = words.replace(",", " ").split()
    if any(word not in ("1", "2", "3", "4", "5", "6") for word in found):
        raise ValueError(f"“{words.strip()[:40]}” are not dice values, such as 3 5 5")
    return tuple(sorted(map(int, found)))


def as_read(reading: Reading) -> dict[str, object]:
    """The reading of one frame as the report stores it."""
    dice = [
        {
            "value": die.value,
            "confidence": round(float(die.confidence), 3),
            "box": [round(float(side), 1) for side in die.xyxy],
            "kept": die.kept,
        }
        for die in reading.dice
    ]
    return {
        "frame": reading.frame,
        "seconds": round(float(reading.seconds), 3),
        "throws": reading.throws,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "dice": dice,
    }


def _versions() -> dict[str, object]:
    libraries = {}
    for name in ("courtside", "numpy", "opencv-python-headless", "onnxruntime"):
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            libraries[name] = "unknown"
    return {"versions": libraries, "python": platform.python_version(), "system": platform.system()}


def _models(model: Path) -> dict[str, str]:
    """The networks: file name → first 16 digits of its SHA-256."""
    files = sorted(model.glob("*.onnx")) if model.is_dir() else [model]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files if file.is_file()}
