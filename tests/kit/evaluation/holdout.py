"""The holdout: a third of every training set, used neither for training nor for tuning.

Thresholds fit the photos of `dev`, because these have been inspected so often. Membership depends only on a photo's
name, so copies of one photo (some sets have up to three, cropped and blurred) stay together.
"""

from __future__ import annotations

import csv
import hashlib
import re
from pathlib import Path

LIST = Path("datasets", "second_dev.csv")
SETS = ("byler", "catan", "desk", "ivory", "laptop", "mixed", "piles", "pxl", "scope")
CROPS = "casino"  # crops of single dice in a folder of their own; half of these few are reserved
_ONE_IN = {CROPS: 2} | dict.fromkeys(SETS, 3)
_COPIES = {"catan", "desk", "pxl", "scope", CROPS}  # sets whose file names end in the number of a photo's copy
_COPY = re.compile(r"_[0-9a-f]{4,6}$|_detection_\d+$")


def in_holdout(name: str) -> bool:
    """Whether the photo with this name (without suffix) belongs to the holdout."""
    source = name.split("__")[0]
    if source not in _ONE_IN:
        return False
    photo = _COPY.sub("", name) if source in _COPIES else name
    return hashlib.sha256(photo.encode()).digest()[0] % _ONE_IN[source] == 0


def read_list(path: Path) -> dict[str, str]:
    """File names of the holdout photos with the first 16 digits of their SHA-256, as listed in the file."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["file"]: row["sha256"] for row in csv.DictReader(lines)}
