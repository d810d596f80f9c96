"""The learned worth of tableaux, read from models/worth.json."""

from __future__ import annotations

import json
from functools import cache

from companion.resources import resource
from engine.advice.worth import WorthTable


@cache
def worth_table() -> WorthTable:
    """The table that comes with the program."""
    text = resource("models", "worth.json").read_text(encoding="utf-8")
    return WorthTable(json.loads(text)["weights"])
