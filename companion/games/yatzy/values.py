"""The exact values of all scoresheets (models/yatzy.npz), made by scripts/yatzy_table.py."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.resources import resource
from engine.yatzy.advice.table import unpacked


@cache
def yatzy_values(ruleset: str) -> NDArray[np.float32]:
    """The table of a ruleset (`engine.yatzy.advice.table`)."""
    with np.load(resource("models", "yatzy.npz")) as tables:
        return unpacked(tables[ruleset])
