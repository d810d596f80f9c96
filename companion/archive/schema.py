"""The tables of the archive, as SQLAlchemy sees them; `migrations/` brings older archives to this shape."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(16), nullable=False),
    # The record's header as the first lines of its text: what the game was begun with.
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    # Which table of a club plays it; an archive at home has one table and leaves it empty.
    sa.Column("club_table", sa.String(80), nullable=False, server_default=""),
    # What lists need, so that they read no changes: how many there are, when the last one was made, and the order in
    # which games were last played by this archive's own count, whatever the clocks said. 0: never played here.
    sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
    sa.Column("touched", sa.DateTime(timezone=True)),
    sa.Column("serial", sa.Integer, nullable=False, server_default="0", index=True),
    sa.Column("checksum", sa.String(16), nullable=False, server_default=""),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # 1, 2, 3 … without gaps. Two programs recording one game collide here, and the second is told.
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

# What a replay of each game told, kept so that lists of two hundred evenings need not replay them. Nothing is lost
# with it: it is worked out anew where it is missing, damaged, of another length of the game, or of another program's
# rules.
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
