"""How a command ends when it cannot go on: one sentence on standard error and the agreed exit status."""

from __future__ import annotations

from typing import IO, Any

import click

UNREADABLE = 2  # wrong usage or unreadable input


class CliError(click.ClickException):
    """One sentence, no traceback, no usage text."""

    def __init__(self, sentence: str, status: int = UNREADABLE) -> None:
        super().__init__(sentence)
        self.exit_code = status  # type: ignore[misc]  # click asks the instance, whatever its annotation says

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence to standard error."""
        complain(self.message, file)


def complain(sentence: str, file: IO[Any] | None = None) -> None:
    """One sentence on standard error, with the program's name before it; the command goes on."""
    click.echo(f"courtside: {sentence}", file=file, err=file is None)
