"""The tables of the archive in SQLAlchemy; `migrations/` upgrades older archives.

Times are UTC, in SQLite as text without a zone.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa

metadata = sa.MetaData()

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(16), nullable=False),
    # The record's header as text: the settings of the game.
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    # The table of a club; empty in an archive at home, which has only one.
    sa.Column("club_table", sa.String(80), nullable=False, server_default=""),
    # For lists without reading changes: number of changes, time of the last one, and a serial number that orders games
    # by when they were last played, whatever the clocks said. 0 means never played here.
    sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
    sa.Column("touched", sa.DateTime(timezone=True)),
    sa.Column("serial", sa.Integer, nullable=False, server_default="0", index=True),
    sa.Column("checksum", sa.String(16), nullable=False, server_default=""),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # 1, 2, 3 … without gaps. If two programs record one game, they collide here and the second gets an error.
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("checksum", sa.String(16), nullable=False, server_default=""),
)

pictures = sa.Table(
    "pictures",
    metadata,
    sa.Column("game_id", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
    sa.Column("checksum", sa.String(16), nullable=False, server_default=""),
    sa.ForeignKeyConstraint(["game_id", "number"], ["changes.game_id", "changes.number"], ondelete="CASCADE"),
)

# A summary of each game's replay, so that lists of two hundred evenings need no replay. It is a cache: recomputed if
# missing, damaged, of another length of the game, or of another version of the program.
facts = sa.Table(
    "facts",
    metadata,
    sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("changes", sa.Integer, nullable=False),
    sa.Column("told_by", sa.String(16), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("checksum", sa.String(16), nullable=False, server_default=""),
)

# The first and last day of the season that a club plays, NULL where it has no bound. One row, which the migration made.
season = sa.Table(
    "season",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("begins", sa.Date),
    sa.Column("ends", sa.Date),
)


def parse_time(value: object) -> datetime | None:
    """The time in a column; None if it holds none, because the row may be damaged."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
