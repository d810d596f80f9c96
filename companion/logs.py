"""The program's log: a rotating file beside the archive, and the terminal where it is asked for.

No picture and no secret is logged: modules log what happened and where, never a request's address, form or cookie, and
a camera's address only without its user and password. Web servers' own access lines are not kept.
"""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

BYTES, FILES = 500_000, 3  # a file's size at most, and how many older ones are kept
_CONTROL = {code: rf"\x{code:02x}" for code in (*range(32), *range(0x7F, 0xA0))} | {
    code: rf"\u{code:04x}" for code in (0x2028, 0x2029)
}
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
NAMES = ("companion", "vision", "engine")


class _OneLine(logging.Formatter):
    """A message is one line whatever is quoted in it, and a traceback looks like nothing else: nobody writes lines of
    his own into the log, or tells the terminal what to do."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The line."""
        return super().formatMessage(record).translate(_CONTROL)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """The traceback, moved in."""
        lines = super().formatException(ei).splitlines()
        return "\n".join("  | " + line.translate(_CONTROL) for line in lines)


def start_logging(folder: Path, verbose: bool = False) -> Path | None:
    """Log to `folder`/courtside.log from now on, and to standard error too if verbose. Returns the file's path, None
    where the folder cannot be written: a log is no reason not to play."""
    handlers: list[logging.Handler] = [logging.StreamHandler()] if verbose else []
    path: Path | None = folder / "courtside.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(
            RotatingFileHandler(folder / "courtside.log", "a", BYTES, FILES, "utf-8", errors="backslashreplace")
        )
    except OSError:
        path = None
    for name in NAMES:
        logger = logging.getLogger(name)
        for old in [one for one in logger.handlers if getattr(one, "_courtside", False)]:
            logger.removeHandler(old)
            old.close()
        logger.setLevel(logging.DEBUG if verbose else logging.INFO)
        for handler in handlers:
            handler.setFormatter(_OneLine(FORMAT))
            handler._courtside = True  # type: ignore[attr-defined]  # ours, to be replaced by the next call
            logger.addHandler(handler)
    return path
