"""A running companion for tests of pages: its own data folder, a free port, served from a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.game.table import Table
from companion.server.bootstrap import PlayOptions, RunningApp, open_app
from companion.server.public_address import PublicAddress, TrustedProxies

RESPONSE_SECONDS = 3.0  # seconds within which a page answers even if other tests keep the computer busy


@contextmanager
def served_app(
    folder: Path,
    *,
    source: str = "none",
    game: str = "krone",
    players: tuple[str, ...] = ("Anna", "Bert"),
    resume: str | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    secure: bool = False,
    language: str | None = None,
    model: Path | None = None,
    archive: str | None = None,
    table: str | None = None,
    output: list[str] | None = None,
    public: PublicAddress | None = None,
    proxies: TrustedProxies | None = None,
) -> Iterator[RunningApp]:
    """Runs a companion that stores everything in `folder`, and its games in `archive` if given.

    Args:
        output: Receives the text that the program would print.
    """
    url = archive or f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"
    options = PlayOptions(
        source,
        game,
        None,
        players,
        resume,
        host,
        port,
        secure,
        url,
        language,
        model,
        public=public,
        proxies=proxies,
        table_name=table,
    )
    running_app = open_app(options, (output if output is not None else []).append, folder)
    serving = threading.Thread(target=running_app.serve, daemon=True)
    serving.start()
    try:
        yield running_app
    finally:
        running_app.stop()
        serving.join(timeout=10)


def table_of(running_app: RunningApp) -> Table:
    """The table of the current game."""
    assert running_app.app_state.session.running is not None
    return running_app.app_state.session.running.table


def enter(running_app: RunningApp, *lines: str) -> None:
    """Enters lines as a person."""
    for line in lines:
        table_of(running_app).enter(line)


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Waits for a condition that another thread makes true.

    Raises:
        AssertionError: It does not become true in time.
    """
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
