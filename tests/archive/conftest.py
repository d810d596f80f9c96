"""A separate archive for each test: its file, and the open archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive.store import Archive


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "archive.sqlite3"


@pytest.fixture
def archive(file: Path) -> Iterator[Archive]:
    archive = Archive(f"sqlite:///{file.as_posix()}")
    yield archive
    archive.close()
