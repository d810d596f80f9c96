"""What was learned from self-play, read from the models folder: the worth of tableaux, and of the cards of Knatsch."""

from __future__ import annotations

import json
from functools import cache

from companion.resources import resource
from engine.advice.knatsch_worth import KnatschWorth
from engine.advice.worth import WorthTable


@cache
def worth_table() -> WorthTable:
    """The table of Um Krone und Kragen."""
    return WorthTable(_weights("worth.json"))


@cache
def knatsch_worth() -> KnatschWorth:
    """The table of Knatsch."""
    return KnatschWorth(_weights("knatsch-worth.json"))


def _weights(name: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(resource("models", name).read_text(encoding="utf-8"))["weights"]
    return found
