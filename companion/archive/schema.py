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
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # 1, 2, 3 … without gaps. Two programs recording one game collide here, and the second is told.
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

pictures = sa.Table(
    "pictures",
    metadata,
    sa.Column("game_id", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["game_id", "number"], ["changes.game_id", "changes.number"], ondelete="CASCADE"),
)
