"""Names of the cards and boxes of all games. Each game defines its own in its module `names`."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from engine.registry import GAME_IDS, LANGUAGES


@cache
def called(id: str, language: str = "en") -> str | None:
    """The name of a card or box in this language; None if no game has this id."""
    for game_id in GAME_IDS:
        name: str | None = import_module(f"engine.{game_id}.names").called(id, language)
        if name is not None:
            return name
    return None


def folded(text: str) -> str:
    """The text without case, accents, hyphens and extra spaces, for comparison.

    Users type "Jager" for "Jäger", and keyboards encode ä in two ways.
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).replace("-", " ").split())


class Names:
    """The names of a game's cards or boxes: id → its name in each language, in the order of the registry."""

    def __init__(self, table: Mapping[str, tuple[str, str, str, str, str]]) -> None:
        self._table = table
        self._ids = {folded(word): id for id, words in table.items() for word in (id, *words)}

    def __contains__(self, id: str) -> bool:
        return id in self._table

    def called(self, id: str, language: str = "en") -> str | None:
        """The name in this language; None for an id of another game."""
        return self._table[id][LANGUAGES.index(language)] if id in self._table else None

    def id_of(self, text: str) -> str | None:
        """The id with this name in any language, or of this id itself; None if there is none."""
        return text if text in self._table else self._ids.get(folded(text))
