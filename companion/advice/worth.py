"""Loads the learned value functions and tables from the models folder."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.resources import resource
from engine.knatsch.advice.worth import KnatschWorth
from engine.krone.advice.worth import Worth
from engine.yatzy.advice.table import unpacked as unpacked_values


@cache
def worth_table() -> Worth:
    """The value function of Um Krone und Kragen."""
    weights = json.loads(resource("models", "worth.json").read_text(encoding="utf-8"))["weights"]
    return Worth.of({name: unpacked(packed) for name, packed in weights.items()})


@cache
def knatsch_worth() -> KnatschWorth:
    """The value function of Knatsch."""
    found = json.loads(resource("models", "knatsch-worth.json").read_text(encoding="utf-8"))["weights"]
    return KnatschWorth(found)


def packed(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """Numbers for JSON: half precision, little-endian, row by row, in base 64."""
    halves = numbers.astype("<f2").tobytes()
    return {"shape": list(numbers.shape), "float16": base64.b64encode(halves).decode("ascii")}


def unpacked(held: Mapping[str, Any]) -> NDArray[np.float64]:
    """The numbers of `packed`."""
    found: NDArray[np.float64] = np.frombuffer(base64.b64decode(held["float16"]), "<f2").astype(float)
    return found.reshape(held["shape"])


@cache
def yatzy_values(ruleset: str) -> NDArray[np.float32]:
    """The table of Yatzy for one player (`engine.yatzy.advice.table`), made by scripts/yatzy_table.py."""
    with np.load(resource("models", "yatzy.npz")) as tables:
        return unpacked_values(tables[ruleset])
