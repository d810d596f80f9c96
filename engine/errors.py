"""Two errors, split by who is wrong: the text or the move.

Every message is one sentence in the players' words. It is kept as a template with its values, so that the page can
say it in the players' language: `error.template` is the English sentence with `{names}`, `error.values` what goes in.
The value named `card` is a card id; everything else is text or a number.
"""

from __future__ import annotations

from engine.names import called


def card_called(card: str) -> str:
    """The English name of a card or box of any game; a word that names none, as it is."""
    return called(card) or card


class CourtsideError(ValueError):
    """Something a person can put right; `str(error)` is one English sentence."""

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
    """The text is not what was expected. `line` is the 1-based line of the file, None where there is no file.

    `tag` names the header tag at fault where the reader of a tag's value does not know its line.
    """

    def __init__(self, template: str, *, line: int | None = None, tag: str | None = None, **values: str | int) -> None:
        super().__init__(template, **values)
        self.line = line
        self.tag = tag

    def at(self, line: int) -> Unreadable:
        """This error, placed at a line unless it already knows its own."""
        if self.line is None:
            self.line = line
        return self


class Illegal(CourtsideError):
    """Understood, but not allowed here; the sentence names the rule.

    former: an earlier reading of the rules allowed it, so that records of that time may hold it.
    """

    former = False

    def once_allowed(self, really: bool = True) -> Illegal:
        """This refusal, marked as that of an earlier reading."""
        self.former = really
        return self
