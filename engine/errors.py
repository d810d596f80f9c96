"""Errors of two kinds: unreadable text, and illegal moves.

Every message is one sentence for the players. It is kept as a template with its values, so that the page can show it in
the players' language: `error.template` is the English sentence with `{names}`, `error.values` holds their values. The
value named `card` is a card id; all others are text or numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.names import called


def card_called(card: str) -> str:
    """The English name of a card or box of any game; any other word unchanged."""
    return called(card) or card


class CourtsideError(ValueError):
    """An error that the user can fix; `str(error)` is one English sentence."""

    def __init__(self, template: str, **values: str | int) -> None:
        super().__init__(template)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        shown = {
            name: card_called(v) if name == "card" and isinstance(v, str) else v for name, v in self.values.items()
        }
        return self.template.format(**shown)


class Unreadable(CourtsideError):
    """The text is not what was expected.

    Attributes:
        line: The 1-based line of the file; None without a file.
        tag: The header tag at fault, for readers that know a tag's value but not its line.
    """

    def __init__(self, template: str, *, line: int | None = None, tag: str | None = None, **values: str | int) -> None:
        super().__init__(template, **values)
        self.line = line
        self.tag = tag

    def at(self, line: int) -> Unreadable:
        """This error, placed at a line unless it already has one."""
        if self.line is None:
            self.line = line
        return self


@contextmanager
def reading_tag(tag: str) -> Iterator[None]:
    """A context that adds the header tag's name to every Unreadable raised while its value is parsed."""
    try:
        yield
    except Unreadable as error:
        error.tag = tag
        raise


class Illegal(CourtsideError):
    """The move is understood but not allowed here; the sentence names the rule.

    Attributes:
        former: An earlier version of the rules allowed it, so old records may contain it.
    """

    former = False

    def once_allowed(self, really: bool = True) -> Illegal:
        """This error, marked as allowed by an earlier version of the rules.

        Args:
            really: Whether to mark it.
        """
        self.former = really
        return self
