"""The Chromium that drives pages in tests."""

from __future__ import annotations

import shutil

# Without a window to draw, pages take less than half of the processor time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of the first installed browser."""
    return next(filter(None, map(shutil.which, _NAMES)), None)
