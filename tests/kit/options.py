"""The command line of a script: the signature of its `main`, read by tyro."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tyro

_FOLDER = os.environ.get("COURTSIDE_PHOTOS")
PHOTOS: Any = Path(_FOLDER) if _FOLDER else tyro.MISSING  # default of `photos: Path`; required where it is not set


def run(main: Callable[..., int | None]) -> None:
    """Calls `main` with the given options and exits with its status."""
    sys.exit(tyro.cli(main, description=sys.modules[main.__module__].__doc__))
