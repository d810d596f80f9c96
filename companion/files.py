"""Writes files so that readers always find them complete."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the content of a file.

    Raises:
        OSError: The folder is not writable, or the disk is full; the file is as before.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(path)
