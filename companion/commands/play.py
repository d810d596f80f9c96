"""`courtside play`: opens the page for a real table."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType
from typing import Any

import click

from companion.cli_text import names_in
from companion.commands.options import DECK, GAME, MODEL, RULESET, UPSIDE_DOWN
from engine.registry import LANGUAGES

# Python's default switch interval of 5 ms lets threads that render pages block the camera's thread, which needs the
# interpreter some thirty times per frame. Beside three busy threads it read 1.0 frames a second, with 1 ms 3.0.
SWITCH_SECONDS = 0.001


@click.command()
@click.option(
    "--source",
    metavar="SRC",
    default="0",
    show_default=True,
    help="Camera number or name, video, stream URL, folder of pictures, `phone`, `none` (dice by hand) or `demo`.",
)
@click.option("--cards-source", metavar="SRC", help="A second camera, or `phone`, for the cards only.")
@UPSIDE_DOWN
@GAME
@RULESET
@DECK
@click.option("--players", metavar="NAMES", help="Player names in seating order: Anna,Bert. Starts a game at once.")
@click.option(
    "--resume",
    metavar="[ID]",
    is_flag=False,
    flag_value="",
    help="Continue the last unfinished game, or the game with this ID.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 allows the local network."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 chooses a free port.")
@click.option("--https", "secure", is_flag=True, help="Use HTTPS. Phone cameras need it.")
@click.option("--public-url", metavar="URL", help="Public address behind a reverse proxy: https://example.org/dice.")
@click.option(
    "--trusted-proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="Address or network of a proxy whose forwarded headers are trusted. Can be given several times.",
)
@click.option("--archive", "archive_url", metavar="URL", help="Where to save games. Default: the data folder.")
@click.option(
    "--table", "table_name", metavar="NAME", help="What a club calls this table. Default: the computer's name."
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of the page. Default: the browser's.",
)
@MODEL
@click.option("--verbose", is_flag=True, help="Log to the terminal as well as to the file.")
def command(players: str | None, public_url: str | None, proxies: tuple[str, ...], **options: Any) -> None:
    """Open the game page for a real table.

    Prints the address of the page. Stop with Ctrl+C.
    """
    # Imported late, so that `courtside --help` does not wait for Flask and OpenCV.
    from companion.memory import limit_memory
    from companion.server.bootstrap import PlayOptions, RunningApp, open_app
    from companion.server.public_address import PublicAddress, TrustedProxies

    if proxies and public_url is None:
        raise click.UsageError("--trusted-proxy needs --public-url, the address of the page behind the proxy")
    try:
        public = None if public_url is None else PublicAddress.parsed(public_url)
        trusted = TrustedProxies(proxies)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    limit_memory()
    play_options = PlayOptions(**options, players=names_in(players), public=public, proxies=trusted)
    running_app: RunningApp = open_app(play_options, lambda sentence: click.echo(sentence, err=True))
    for line in running_app.greeting():
        click.echo(line)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl+C ends it at once
        # Stopping waits for the serving thread, which is the one that runs this handler.
        threading.Thread(target=running_app.stop, daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    sys.setswitchinterval(SWITCH_SECONDS)
    running_app.serve()
