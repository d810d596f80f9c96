"""Arrays of numbers as a JSON file holds them: half precision, little-endian, row by row, in base 64."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """Numbers as JSON holds them."""
    halves = numbers.astype("<f2").tobytes()
    return {"shape": list(numbers.shape), "float16": base64.b64encode(halves).decode("ascii")}


def unpacked(held: Mapping[str, Any]) -> NDArray[np.float64]:
    """The numbers again."""
    found: NDArray[np.float64] = np.frombuffer(base64.b64decode(held["float16"]), "<f2").astype(float)
    return found.reshape(held["shape"])
