"""Text arguments from the shell: bytes that are not UTF-8 are rejected with a sentence."""

from __future__ import annotations

import os
import re
from typing import Any

import click

from engine.dice import Faces
from engine.errors import Unreadable


class Text(click.types.StringParamType):
    """A click type for text that can be stored and printed, or the name of an existing file in any encoding."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text.

        Raises:
            click.BadParameter: It is neither valid UTF-8 nor the name of a file.
        """
        text = super().convert(value, param, ctx)
        try:
            text.encode()
        except UnicodeEncodeError:
            if not os.access(text, os.F_OK):
                self.fail(f"“{text}” is no UTF-8 text; is the terminal set to another encoding?", param, ctx)
        return text


def check_text(command: click.Command) -> click.Command:
    """The command and all its subcommands, with every text argument checked."""
    for param in command.params:
        if param.type is click.STRING:
            param.type = Text()
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            check_text(subcommand)
    return command


def dice_option(text: str) -> Faces:
    """Dice as an option gives them, `5,3,3`.

    Raises:
        Unreadable: They are not dice.
    """
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    for word in words:
        if word not in {"1", "2", "3", "4", "5", "6"}:
            raise Unreadable("a die shows 1 to 6, not {value}", value=word)
    return tuple(sorted(int(word) for word in words))


def names_in(players: str | None) -> tuple[str, ...]:
    """Names as an option gives them, `Anna,Bert`."""
    return tuple(name for name in (part.strip() for part in (players or "").split(",")) if name)
