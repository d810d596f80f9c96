"""An archive on a chosen day."""

from __future__ import annotations

import pytest


def at_day(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    from datetime import datetime

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.fromisoformat(moment)

    monkeypatch.setattr("companion.archive.store.datetime", Clock)
