"""The season that a club plays: one row, the same for all its tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    season = op.create_table(
        "season",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("begins", sa.Date),
        sa.Column("ends", sa.Date),
    )
    op.bulk_insert(season, [{"id": 1}])
