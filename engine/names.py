"""Names of the cards and boxes of all games; each game has its own in its module `names`."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import import_module

from engine.registry import GAME_IDS


@cache
def called(id: str, language: str = "en") -> str | None:
    """The name of a card or box in this language; None if no game has this id."""
    for game_id in GAME_IDS:
        name: str | None = import_module(f"engine.{game_id}.names").called(id, language)
        if name is not None:
            return name
    return None


def folded(text: str) -> str:
    """The text without case, accents, hyphens and spaces: users type "Jager" for "Jäger", and keyboards encode ä in
    two ways."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).replace("-", " ").split())
