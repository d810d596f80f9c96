"""A third of every training set put aside, used neither for training nor for tuning.

The photos that `dev` holds have been looked at so often that thresholds fit them. Which pictures are put aside is
decided by their names alone: copies of one photo (some sets hold up to three, cropped and blurred) go together.
"""

from __future__ import annotations

import csv
import hashlib
import re
from pathlib import Path

LIST = Path("datasets", "second_dev.csv")
SETS = ("byler", "catan", "desk", "ivory", "laptop", "mixed", "piles", "pxl", "scope")
CROPS = "casino"  # single looks at dice in a folder of their own; of so few half are put aside
_ONE_IN = {CROPS: 2} | dict.fromkeys(SETS, 3)
_COPIES = {"catan", "desk", "pxl", "scope", CROPS}  # sets whose names end in what tells copies of one photo apart
_COPY = re.compile(r"_[0-9a-f]{4,6}$|_detection_\d+$")


def put_aside(name: str) -> bool:
    """Whether the picture of this name (without its suffix) belongs to the second development set."""
    source = name.split("__")[0]
    if source not in _ONE_IN:
        return False
    photo = _COPY.sub("", name) if source in _COPIES else name
    return hashlib.sha256(photo.encode()).digest()[0] % _ONE_IN[source] == 0


def listed(path: Path) -> dict[str, str]:
    """File names of the pictures put aside, and the first 16 digits of each one's SHA-256, as the list has them."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["file"]: row["sha256"] for row in csv.DictReader(lines)}
