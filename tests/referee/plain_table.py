"""What the plain second implementations of the games share: a refusal, and trying a line on a copy of the table."""

from __future__ import annotations

import copy
from typing import Protocol, TypeVar


class No(Exception):
    """The rules forbid it."""


def need(condition: object) -> None:
    """Raises No unless the condition holds."""
    if not condition:
        raise No


class PlainTable(Protocol):
    """A table that takes the lines of a record."""

    def line(self, text: str) -> None:
        """Raises No where the rules forbid it."""


T = TypeVar("T", bound=PlainTable)


def tried(table: T, text: str) -> T | None:
    """A copy of the table after this line; None where the rules forbid it."""
    copied = copy.deepcopy(table)
    try:
        copied.line(text)
    except No:
        return None
    return copied
