"""A checksum for every row, columns for lists in every game, and a table for summaries."""

import json

import sqlalchemy as sa
from alembic import op

from companion.archive.checksum import change_checksum, game_checksum, picture_checksum
from companion.archive.schema import parse_time

revision = "0002"
down_revision = "0001"

_CHECKED = ("games", "changes", "pictures")


def upgrade() -> None:
    for table in _CHECKED:
        op.add_column(table, sa.Column("checksum", sa.String(16), nullable=False, server_default=""))
    op.add_column("games", sa.Column("changes", sa.Integer, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("touched", sa.DateTime(timezone=True)))
    op.add_column("games", sa.Column("serial", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "facts",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("told_by", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    _count()
    _sign()


def _count() -> None:
    """Fills in the length of each game, when it was last played, and the serial number that orders games by that."""
    op.execute(
        "UPDATE games SET changes = (SELECT count(*) FROM changes WHERE game_id = games.id), "
        "touched = (SELECT max(at) FROM changes WHERE game_id = games.id)"
    )
    op.execute(
        "UPDATE games SET serial = (SELECT count(*) FROM games AS other WHERE other.touched < games.touched "
        "OR (other.touched = games.touched AND other.id <= games.id)) WHERE touched IS NOT NULL"
    )


def _sign() -> None:
    """Writes the checksums of existing rows; an unreadable row stays without one and counts as damaged."""
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    final = "changes_are_final" if sqlite else "changes_are_final ON changes"
    op.execute(f"DROP TRIGGER {final}")
    for row in connection.execute(sa.text("SELECT id, game, header, begun FROM games")).fetchall():
        begun = parse_time(row.begun)
        if begun is not None and "\ufffd" not in row.header:
            _write("games", game_checksum(row.id, row.game, row.header, begun), id=row.id)
    for (game,) in connection.execute(sa.text("SELECT id FROM games")).fetchall():
        query = sa.text("SELECT number, at, body FROM changes WHERE game_id = :game")
        for row in connection.execute(query, {"game": game}).fetchall():
            at = parse_time(row.at)
            if at is not None and _sound(row.body):
                _write("changes", change_checksum(game, row.number, at, row.body), game_id=game, number=row.number)
        query = sa.text("SELECT number FROM pictures WHERE game_id = :game")
        for (number,) in connection.execute(query, {"game": game}).fetchall():
            query = sa.text("SELECT jpeg FROM pictures WHERE game_id = :game AND number = :number")
            jpeg = connection.execute(query, {"game": game, "number": number}).scalar()
            if isinstance(jpeg, bytes):
                _write("pictures", picture_checksum(game, number, jpeg), game_id=game, number=number)
    if sqlite:
        op.execute(
            "CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes "
            "BEGIN SELECT RAISE(ABORT, 'a recorded change is final'); END"
        )
    else:
        op.execute(
            "CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION refuse_update()"
        )


def _write(table: str, checksum: str, **key: object) -> None:
    where = " AND ".join(f"{name} = :{name}" for name in key)
    statement = sa.text(f"UPDATE {table} SET checksum = :checksum WHERE {where}")
    op.get_bind().execute(statement, {"checksum": checksum, **key})


def _sound(body: object) -> bool:
    try:
        return isinstance(body, str) and "\ufffd" not in body and isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False
