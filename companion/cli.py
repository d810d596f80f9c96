"""The `courtside` command. Each subcommand is a module that is imported only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from companion.cli_errors import print_error
from companion.cli_text import check_text

# Order in the help. The module companion/commands/<name>.py holds one click command called `command`.
COMMANDS = ("play", "read", "watch", "report", "replay", "odds", "games", "cards", "mat", "cameras", "doctor")


class Commands(click.Group):
    """Imports a subcommand's module on first use, so that `courtside replay` does not load OpenCV or Flask."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the subcommands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, imported now; None for another name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"companion.commands.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return check_text(command)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="courtside")
def courtside() -> None:
    """Read the dice on a real table, follow the rules, show the odds and record the game."""


def main() -> None:
    """Entry point. Exit status: 0 fine, 2 wrong usage or unreadable input, 3 an illegal or damaged record."""
    # UTF-8 output on every system, whatever the console's code page, so that other programs can read it.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    try:
        sys.exit(courtside(standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.UsageError as error:  # one sentence, as for every other error, without usage lines
        print_error(" ".join(error.format_message().split()))
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(1)


if __name__ == "__main__":  # for python -m companion.cli, if the command is not installed
    main()
