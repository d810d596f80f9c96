"""The value function of Knatsch, learned from self-play (models/knatsch-worth.json)."""

from __future__ import annotations

import json
from functools import cache

from companion.resources import resource
from engine.knatsch.advice.worth import KnatschWorth


@cache
def knatsch_worth() -> KnatschWorth:
    """The value function, loaded once."""
    return KnatschWorth(json.loads(resource("models", "knatsch-worth.json").read_text(encoding="utf-8"))["weights"])
