"""What a replay of a game tells of it, small enough to be kept beside the game: lists read this and replay nothing.

The rows of the table `facts` can be thrown away at any time. One counts only for the length of the game it was worked
out from. Another program's rules may have told something else of the same record: such a row is shown until this
program has read the game again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

import engine
from companion.archive.checksum import facts_checksum
from companion.archive.database import ArchiveError
from companion.archive.schema import facts
from companion.archive.store import Archive
from engine.registry import SEATS
from engine.replay import Replay, event_count, rolled_faces


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's share of a game.

    thrown: how often each face came up; cards: ids in front of her at the end. luck, cost: win chance that her throws
    gained in all, and that her decisions gave away; None until somebody has looked back on the game.
    """

    thrown: tuple[int, ...]
    cards: tuple[str, ...]
    luck: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """A game in short.

    winner: name, None while there is none; to_move: name; identity: the same for two games whose records say the same;
    seats: in seat order; end: the last position of a finished game in one line, "" for the others.
    """

    ruleset: str
    players: tuple[str, ...]
    events: int
    winner: str | None
    round: int
    to_move: str
    identity: str
    seats: tuple[Seat, ...] = ()
    end: str = ""

    @property
    def weighed_already(self) -> bool:
        """Whether it is known what luck and decisions did."""
        return bool(self.seats) and all(seat.luck is not None for seat in self.seats)

    @classmethod
    def of(cls, replay: Replay) -> Facts:
        """What this game tells."""
        record, state = replay.record, replay.state
        winner = state.winner if replay.broken is None else None
        return cls(
            record.ruleset, record.players, event_count(replay), None if winner is None else record.name(winner),
            state.round, record.name(state.seat), identity(replay), _seats(replay),
            "" if winner is None else replay.game.position_text(state),
        )  # fmt: skip

    @classmethod
    def read(cls, body: str) -> Facts:
        """The facts that JSON text holds. Raises KeyError, TypeError or ValueError when it holds none."""
        kept = json.loads(body)
        seats = tuple(
            Seat(tuple(seat["thrown"]), tuple(seat["cards"]), seat["luck"], seat["cost"]) for seat in kept["seats"]
        )
        return cls(**{**kept, "players": tuple(kept["players"]), "seats": seats})

    def weighed(self, balances: Sequence[tuple[float, float]]) -> Facts:
        """With what looking back on the game told of each seat: what the dice gave, what decisions cost."""
        seats = tuple(
            replace(seat, luck=luck, cost=cost) for seat, (luck, cost) in zip(self.seats, balances, strict=True)
        )
        return replace(self, seats=seats)


def _seats(replay: Replay) -> tuple[Seat, ...]:
    counted = Counter(rolled_faces(replay.game, replay.record.entries[: len(replay.states) - 1]))
    return tuple(
        Seat(tuple(counted[seat, face] for face in range(1, 7)), tuple(cards))
        for seat, cards in zip(SEATS, replay.game.tableaux(replay.state), strict=False)
    )


def identity(replay: Replay) -> str:
    """Names what a record says: equal for equal records, however they were typed."""
    return hashlib.blake2b(replay.text().encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Stored:
    """Facts as they were kept. current: whether by this very program."""

    facts: Facts
    current: bool


def stored(archive: Archive, ids: Sequence[str] | None = None) -> dict[tuple[str, int], Stored]:
    """What is kept of these games, or of all: (game's id, how many changes it had) → facts. Raises ArchiveError."""
    query = sa.select(facts.c.game_id, facts.c.changes, facts.c.told_by, facts.c.body, facts.c.checksum)
    if ids is not None:
        query = query.where(facts.c.game_id.in_(ids))
    found = {}
    with archive.transaction() as connection:
        for game_id, changes, told_by, body, checksum in connection.execute(query):
            with suppress(KeyError, TypeError, ValueError, AttributeError):  # damaged: it will be worked out anew
                if facts_checksum(game_id, changes, told_by, body) == checksum:
                    found[game_id, changes] = Stored(Facts.read(body), told_by == _this_program())
    return found


def store(archive: Archive, found: Mapping[tuple[str, int], Facts]) -> None:
    """Keep facts for the next time. Where that does not succeed, nothing is lost but the time to find them again."""
    if not found:
        return
    rows = []
    for (game_id, changes), one in found.items():
        body = _json(one)
        checksum = facts_checksum(game_id, changes, _this_program(), body)
        rows.append(
            {"game_id": game_id, "changes": changes, "told_by": _this_program(), "body": body, "checksum": checksum}
        )
    with suppress(ArchiveError, IntegrityError), archive.transaction() as connection:
        connection.execute(sa.delete(facts).where(facts.c.game_id.in_([row["game_id"] for row in rows])))
        connection.execute(sa.insert(facts), rows)


def _json(one: Facts) -> str:
    return json.dumps(asdict(one), ensure_ascii=False, separators=(",", ":"))


@cache
def _this_program() -> str:
    """Names the rules and this file, by their very text."""
    found = hashlib.blake2b(digest_size=8)
    root = Path(engine.__file__).parent
    for path in (*sorted(root.rglob("*.py")), Path(__file__)):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
