"""Reads a problem report (`companion.camera.failure_report`), to read its pictures again."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.camera.failure_report import TRUTH, parse_faces

# Limits for images and for the bytes of one unpacked file; anything larger is no report.
MAX_PICTURES, LARGEST = 1000, 40 << 20
_PICTURE = re.compile(r"pictures/(\d{1,9})\.jpg")


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


def read_report(path: Path) -> Report:
    """Reads a packed report.

    Raises:
        ValueError: It is not a report; one sentence.
        OSError: It cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if len(parts) > MAX_PICTURES + 3 or any(part.file_size > LARGEST for part in parts):
                raise ValueError(f"{path} is too large for a report")
            names = {int(found[1]): part for part in parts if (found := _PICTURE.fullmatch(part.filename))}
            pictures = {number: archive.read(part) for number, part in sorted(names.items())}
            about = json.loads(archive.read("report.json"))
            lines = archive.read(TRUTH).decode("utf-8").splitlines() if TRUTH in archive.namelist() else []
        readings = {int(read["frame"]): read for read in about.pop("readings")}
        truth = {
            int(name.partition(".")[0]): parse_faces(words) for name, _, words in (ln.partition(" ") for ln in lines)
        }
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a Courtside report, or it is damaged") from error
    return Report(pictures, readings, truth, about)
