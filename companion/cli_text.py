"""Text arguments as the shell hands them over: bytes that are no UTF-8 are refused with a sentence."""

from __future__ import annotations

import os
from typing import Any

import click


class Text(click.types.StringParamType):
    """Text that can be stored and printed, or the name of a file that exists, whatever its bytes are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text. Raises click.BadParameter."""
        text = super().convert(value, param, ctx)
        try:
            text.encode()
        except UnicodeEncodeError:
            if not os.access(text, os.F_OK):
                self.fail(f"“{text}” is no UTF-8 text; is the terminal set to another encoding?", param, ctx)
        return text


def check_text(command: click.Command) -> click.Command:
    """The command, and all below it, with every text argument checked."""
    for param in command.params:
        if param.type is click.STRING:
            param.type = Text()
    if isinstance(command, click.Group):
        for below in command.commands.values():
            check_text(below)
    return command
