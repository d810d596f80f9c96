"""States in one line: fields separated by `;`, as several games write them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Unreadable

NOTHING = "-"


def split_fields(text: str) -> Iterator[tuple[str, list[str]]]:
    """The fields of a line: the first word of each (a seat in upper, a word in lower case), and the words after it."""
    for first, *rest in filter(None, (part.split() for part in text.split(";"))):
        yield first.upper() if len(first) == 1 else first.lower(), rest


def unknown_field(key: str, words: list[str]) -> Unreadable:
    """The refusal of a field."""
    return Unreadable("the position cannot be read at “{field}”", field=" ".join([key, *words]))


def number(word: str) -> int:
    """A number below 1000. Raises Unreadable."""
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise Unreadable("“{word}” is not a number", word=word)
    return int(word)
