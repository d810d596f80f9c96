"""The program's log: a rotating file beside the archive, and the terminal with `--verbose`.

No images or secrets are logged: modules log events, never a request's address, form or cookie, and a camera's address
only without its credentials. The web servers' own access logs are off.
"""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

BYTES, FILES = 500_000, 3  # maximum size of a file, and number of older ones kept
_CONTROL = {code: rf"\x{code:02x}" for code in (*range(32), *range(0x7F, 0xA0))} | {
    code: rf"\u{code:04x}" for code in (0x2028, 0x2029)
}
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
NAMES = ("companion", "vision", "engine")


class _OneLine(logging.Formatter):
    """Formats each message as one line and indents tracebacks, so that quoted text cannot forge log lines or send
    control codes to the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The message as one line."""
        return super().formatMessage(record).translate(_CONTROL)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """The traceback, indented."""
        lines = super().formatException(ei).splitlines()
        return "\n".join("  | " + line.translate(_CONTROL) for line in lines)


def start_logging(folder: Path, verbose: bool = False) -> Path | None:
    """Starts logging to `folder`/courtside.log, and to standard error too if verbose. Returns the file's path; None
    if the folder is not writable, which does not stop the game."""
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
            handler.setFormatter(_OneLine(LOG_FORMAT))
            handler._courtside = True  # type: ignore[attr-defined]  # marks it as ours: the next call replaces it
            logger.addHandler(handler)
    return path
