"""Checksums of the archive's rows: what tells a damaged row from a sound one.

A disk, a repair tool or a person with a database editor can change a row into something that still reads well, such as
another die. The checksum stands beside the row, is written with it, and covers everything in it that the game is made
of. It guards against accidents, not against somebody who means to forge: the method is known to everybody.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

BYTES = 8  # a damaged row passes for a sound one once in 2^64 times


def game_checksum(game_id: str, game: str, header: str, begun: datetime) -> str:
    """Of a row of `games`; its counters change with every move and are not covered."""
    return _checksum(game_id, game, header, _moment(begun))


def change_checksum(game_id: str, number: int, at: datetime, body: str) -> str:
    """Of a row of `changes`; body: its text, as it is stored."""
    return _checksum(game_id, str(number), _moment(at), body)


def picture_checksum(game_id: str, number: int, jpeg: bytes) -> str:
    """Of a row of `pictures`."""
    return _checksum(game_id, str(number), jpeg)


def facts_checksum(game_id: str, changes: int, told_by: str, body: str) -> str:
    """Of a row of `facts`."""
    return _checksum(game_id, str(changes), told_by, body)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _checksum(*parts: str | bytes) -> str:
    """Hexadecimal BLAKE2b of the parts, each with its length before it, so that no two lists of parts look alike."""
    found = hashlib.blake2b(digest_size=BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
