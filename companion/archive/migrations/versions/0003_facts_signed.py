"""A checksum for summaries, which pages trust before the game has been read again, and an index of games by date."""

import sqlalchemy as sa
from alembic import op

from companion.archive.checksum import facts_checksum

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("facts", sa.Column("checksum", sa.String(16), nullable=False, server_default=""))
    op.create_index("ix_games_serial", "games", ["serial"])
    connection = op.get_bind()
    write = sa.text("UPDATE facts SET checksum = :checksum WHERE game_id = :game_id")
    for row in connection.execute(sa.text("SELECT game_id, changes, told_by, body FROM facts")).fetchall():
        if all(isinstance(text, str) for text in (row.game_id, row.told_by, row.body)):
            connection.execute(write, {"checksum": facts_checksum(*row), "game_id": row.game_id})
