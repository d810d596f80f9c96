"""Finds the data files that are installed with the program, and writes files."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(*parts: str) -> Path:
    """The path of a file or folder under `models/` or `datasets/`, in the installed package or in the checkout.

    Raises:
        FileNotFoundError: It is in neither; the message names it.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation; install Courtside again")


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the content of a file.

    Raises:
        OSError: The folder is not writable, or the disk is full; the file is as before.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)
