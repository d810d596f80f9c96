"""Stores arrays of numbers in files, with 16 bits for each number."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEPS = 128  # integer steps per unit


def packed(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """Numbers for JSON: half precision, little-endian, row by row, in base 64."""
    halves = numbers.astype("<f2").tobytes()
    return {"shape": list(numbers.shape), "float16": base64.b64encode(halves).decode("ascii")}


def unpacked(data: Mapping[str, Any]) -> NDArray[np.float64]:
    """The numbers of `packed`."""
    found: NDArray[np.float64] = np.frombuffer(base64.b64decode(data["float16"]), "<f2").astype(float)
    return found.reshape(data["shape"])


def in_steps(numbers: NDArray[np.floating[Any]]) -> NDArray[np.uint16]:
    """Numbers from 0 to 511 as integers, accurate to 1/256; half precision is accurate to 1/16 at 200."""
    return np.round(numbers * STEPS).astype(np.uint16)


def from_steps(steps: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The numbers of `in_steps`."""
    return steps.astype(np.float32) / np.float32(STEPS)
