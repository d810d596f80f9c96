"""The value function of Um Krone und Kragen, learned from self-play (models/worth.json)."""

from __future__ import annotations

import json
from functools import cache

from companion.advice.packed_numbers import unpacked
from companion.resources import resource
from engine.krone.advice.worth import Worth


@cache
def worth_table() -> Worth:
    """The value function, loaded once."""
    weights = json.loads(resource("models", "worth.json").read_text(encoding="utf-8"))["weights"]
    return Worth.of({name: unpacked(packed) for name, packed in weights.items()})
