"""The program's log: a rotating file beside the archive, and the terminal where it is asked for.

No picture and no secret is logged: modules log what happened and where, never a request's address, form or cookie, and
a camera's address only without its user and password. Web servers' own access lines are not kept.
"""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

BYTES, FILES = 500_000, 3  # a file's size at most, and how many older ones are kept
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
NAMES = ("companion", "vision", "engine")


def start_logging(folder: Path, verbose: bool = False) -> Path | None:
    """Log to `folder`/courtside.log from now on, and to standard error too if verbose. Returns the file's path, None
    where the folder cannot be written: a log is no reason not to play."""
    handlers: list[logging.Handler] = [logging.StreamHandler()] if verbose else []
    path: Path | None = folder / "courtside.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(RotatingFileHandler(folder / "courtside.log", "a", BYTES, FILES, "utf-8", delay=False))
    except OSError:
        path = None
    for name in NAMES:
        logger = logging.getLogger(name)
        for old in [one for one in logger.handlers if getattr(one, "_courtside", False)]:
            logger.removeHandler(old)
            old.close()
        logger.setLevel(logging.DEBUG if verbose else logging.INFO)
        for handler in handlers:
            handler.setFormatter(logging.Formatter(FORMAT))
            handler._courtside = True  # type: ignore[attr-defined]  # ours, to be replaced by the next call
            logger.addHandler(handler)
    return path
