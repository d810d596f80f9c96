"""Helpers for states written in one line, with fields separated by `;`."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Unreadable

NOTHING = "-"


def split_fields(text: str) -> Iterator[tuple[str, list[str]]]:
    """Splits a line into fields. Each has a key (seats in upper case, other words in lower case) and more words."""
    for first, *rest in filter(None, (part.split() for part in text.split(";"))):
        yield first.upper() if len(first) == 1 else first.lower(), rest


def unknown_field(key: str, words: list[str]) -> Unreadable:
    """The error for a field that cannot be parsed."""
    return Unreadable("the position cannot be read at “{field}”", field=" ".join([key, *words]))


def number(word: str) -> int:
    """A number below 1000. Raises Unreadable."""
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise Unreadable("“{word}” is not a number", word=word)
    return int(word)
