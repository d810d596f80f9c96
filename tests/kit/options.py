"""The command line of a script: the signature of its `main`, read by tyro."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tyro

PHOTO_FOLDER = Path(folder) if (folder := os.environ.get("COURTSIDE_PHOTOS")) else None
PHOTOS: Any = PHOTO_FOLDER or tyro.MISSING  # default of `photos: Path`; required where it is not set


def run(main: Callable[..., int | None]) -> None:
    """Calls `main` with the given options and exits with its status."""
    sys.exit(tyro.cli(main, description=sys.modules[main.__module__].__doc__))
