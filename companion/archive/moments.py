"""Times in the archive: UTC, in SQLite as text without a zone."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(kept: object) -> datetime | None:
    """The time in a column; None if it holds none, because the row may be damaged."""
    if isinstance(kept, str):
        try:
            kept = datetime.fromisoformat(kept)
        except ValueError:
            return None
    if not isinstance(kept, datetime):
        return None
    return kept.replace(tzinfo=UTC) if kept.tzinfo is None else kept.astimezone(UTC)
