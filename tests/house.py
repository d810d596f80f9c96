"""A companion that is really open: its own data folder, a free port, served from a thread. For tests of the pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.hosting import Hosting, Wish, open_house
from companion.table import Table


@contextmanager
def house(
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
) -> Iterator[Hosting]:
    """An open house; everything it keeps goes into `folder`, its games where `archive` says otherwise."""
    url = archive or f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"
    wish = Wish(source, game, None, players, resume, host, port, secure, url, language, model)
    said: list[str] = []
    hosting = open_house(wish, said.append, folder)
    serving = threading.Thread(target=hosting.serve, daemon=True)
    serving.start()
    try:
        yield hosting
    finally:
        hosting.stop()
        serving.join(timeout=10)


def table_of(hosting: Hosting) -> Table:
    """The table being played at."""
    assert hosting.room.sitting is not None
    return hosting.room.sitting.table


def enter(hosting: Hosting, *lines: str) -> None:
    """What somebody enters."""
    for line in lines:
        table_of(hosting).enter(line)
