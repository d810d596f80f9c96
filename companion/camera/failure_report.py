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
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from vision.types import Reading

REPORT_FORMAT = 1
TRUTH = "what_lies_there.txt"
_README = """A problem report of Courtside, which reads dice with a camera.

pictures/             what the camera saw; check them before you share this file
report.json           the readings of each picture, program versions and camera settings
what_lies_there.txt   the real dice, if they were entered: one line per picture, such as
                      00000042.jpg 3 5 5

Nothing else is included: no names, addresses or passwords, and no photo metadata about time and place.
To read the pictures again: python -m scripts.evaluate --reports THIS_FILE
"""


def pack_report(
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


def parse_faces(words: str) -> tuple[int, ...]:
    """`3 5 5` → (3, 5, 5), sorted.

    Raises:
        ValueError: They are not dice; one sentence.
    """
    found = words.replace(",", " ").split()
    if any(word not in ("1", "2", "3", "4", "5", "6") for word in found):
        raise ValueError(f"“{words.strip()[:40]}” are not dice values, such as 3 5 5")
    return tuple(sorted(map(int, found)))


def reading_fields(reading: Reading) -> dict[str, object]:
    """The reading of one frame as the report stores it."""
    dice = [die_fields(die.value, die.confidence, die.xyxy) | {"kept": die.kept} for die in reading.dice]
    return {
        "frame": reading.frame,
        "seconds": round(float(reading.seconds), 3),
        "throws": reading.rolls,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "dice": dice,
    }


def die_fields(value: int, confidence: float, box: Iterable[float]) -> dict[str, object]:
    """One die of a reading as the report stores it."""
    sides = [round(float(side), 1) for side in box]
    return {"value": int(value), "confidence": round(float(confidence), 3), "box": sides}


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
