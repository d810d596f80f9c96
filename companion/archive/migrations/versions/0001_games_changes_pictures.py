"""Games, their append-only changes, and small images that settle disputes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(16), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
        sa.Column("club_table", sa.String(80), nullable=False, server_default=""),
    )
    op.create_table(
        "changes",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "pictures",
        sa.Column("game_id", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game_id", "number"], ["changes.game_id", "changes.number"], ondelete="CASCADE"),
    )
    # Append-only is enforced by the database: a change cannot be rewritten.
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes "
            "BEGIN SELECT RAISE(ABORT, 'a recorded change is final'); END"
        )
    else:
        op.execute(
            "CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'a recorded change is final'; END $$"
        )
        op.execute(
            "CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION refuse_update()"
        )
