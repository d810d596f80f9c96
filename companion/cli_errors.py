"""Fatal errors of the command line: one sentence on standard error and an exit status."""

from __future__ import annotations

from typing import IO, Any

import click

UNREADABLE = 2  # exit status for wrong usage or unreadable input
ILLEGAL = 3  # exit status for an illegal or damaged record


class CliError(click.ClickException):
    """Ends the command with one sentence, without traceback and usage text."""

    def __init__(self, sentence: str, status: int = UNREADABLE) -> None:
        super().__init__(sentence)
        self.exit_code = status  # type: ignore[misc]  # click asks the instance, whatever its annotation says

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the sentence to standard error."""
        print_error(self.message, file)


def print_error(sentence: str, file: IO[Any] | None = None) -> None:
    """Prints one sentence, after the program's name, to standard error; the command continues."""
    click.echo(f"courtside: {sentence}", file=file, err=file is None)
