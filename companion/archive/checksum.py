"""Checksums of the archive's rows, to detect damage.

A disk, a repair tool or a person with a database editor can change a row into another valid one, such as another die.
The checksum is written with the row and covers everything in it that the game depends on. It protects against
accidents, not against forgery, because the method is public.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

BYTES = 8  # a damaged row has the right checksum once in 2^64 times


def game_checksum(game_id: str, game: str, header: str, begun: datetime) -> str:
    """The checksum of a row of `games`. Its counters change with every move and are not covered."""
    return _checksum(game_id, game, header, _moment(begun))


def change_checksum(game_id: str, number: int, at: datetime, body: str) -> str:
    """The checksum of a row of `changes`. `body` is its text as stored."""
    return _checksum(game_id, str(number), _moment(at), body)


def picture_checksum(game_id: str, number: int, jpeg: bytes) -> str:
    """The checksum of a row of `pictures`."""
    return _checksum(game_id, str(number), jpeg)


def facts_checksum(game_id: str, changes: int, told_by: str, body: str) -> str:
    """The checksum of a row of `facts`."""
    return _checksum(game_id, str(changes), told_by, body)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _checksum(*parts: str | bytes) -> str:
    """Hexadecimal BLAKE2b of the parts, each preceded by its length, so that different lists never collide."""
    found = hashlib.blake2b(digest_size=BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
