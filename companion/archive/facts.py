"""A summary of each game, stored beside it, so that lists need no replay.

The rows of the table `facts` may be deleted at any time. A row is valid only for the length of the game it was computed
from. Other versions of the program may have computed something else from the same record; such a row is shown until
this version has read the game again.
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
from companion.archive.store import Archive, compact_json
from engine.registry import SEATS
from engine.replay import Replay, event_count, rolled_faces


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's share of a game.

    Attributes:
        thrown: How often each face came up.
        cards: Ids of the player's cards at the end.
        luck, cost: Win probability gained by luck, and lost by decisions; None before the game is reviewed.
    """

    thrown: tuple[int, ...]
    cards: tuple[str, ...]
    luck: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """The summary of a game.

    Attributes:
        winners: Names; several after a tie, () while the game is running.
        to_move: Name.
        identity: Equal for two games with equal records.
        seats: In seat order.
        end: The last state of a finished game in one line, "" for the others.
    """

    ruleset: str
    players: tuple[str, ...]
    events: int
    winners: tuple[str, ...]
    round: int
    to_move: str
    identity: str
    seats: tuple[Seat, ...] = ()
    end: str = ""

    @property
    def is_reviewed(self) -> bool:
        """Whether luck and decisions are known."""
        return bool(self.seats) and all(seat.luck is not None for seat in self.seats)

    @classmethod
    def of(cls, replay: Replay) -> Facts:
        """The summary of a replayed game."""
        record, state = replay.record, replay.state
        winners = () if replay.broken else tuple(map(record.name, state.winners))
        return cls(
            record.ruleset, record.players, event_count(replay), winners,
            state.round, record.name(state.seat), identity(replay), _seats(replay),
            replay.game.position_text(state) if winners else "",
        )  # fmt: skip

    @classmethod
    def read(cls, body: str) -> Facts:
        """Parses the JSON text of a summary.

        Raises:
            KeyError, TypeError, ValueError: The text is no valid summary.
        """
        data = json.loads(body)
        seats = tuple(
            Seat(tuple(seat["thrown"]), tuple(seat["cards"]), seat["luck"], seat["cost"]) for seat in data["seats"]
        )
        names = {"players": tuple(data["players"]), "winners": tuple(data["winners"])}
        return cls(**{**data, **names, "seats": seats})

    def with_review(self, balances: Sequence[tuple[float, float]]) -> Facts:
        """The summary with the result of the review: for each seat, win probability gained by luck and lost by
        decisions."""
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
    """A hash of the record's content, equal for equal records however they were typed."""
    return hashlib.blake2b(replay.text().encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """A stored summary. `current` says whether this version of the program computed it."""

    facts: Facts
    current: bool


def load(archive: Archive, ids: Sequence[str] | None = None) -> dict[tuple[str, int], StoredFacts]:
    """The stored summaries of these games, or of all: (game id, number of changes) → summary.

    Raises:
        ArchiveError: The archive cannot be read.
    """
    query = sa.select(facts.c.game_id, facts.c.changes, facts.c.told_by, facts.c.body, facts.c.checksum)
    if ids is not None:
        query = query.where(facts.c.game_id.in_(ids))
    found = {}
    with archive.transaction() as connection:
        for game_id, changes, told_by, body, checksum in connection.execute(query):
            with suppress(KeyError, TypeError, ValueError, AttributeError):  # damaged: it will be computed again
                if facts_checksum(game_id, changes, told_by, body) == checksum:
                    found[game_id, changes] = StoredFacts(Facts.read(body), told_by == _program_version())
    return found


def save(archive: Archive, found: Mapping[tuple[str, int], Facts]) -> None:
    """Stores summaries. A failure is harmless: they are computed again."""
    if not found:
        return
    rows = []
    for (game_id, changes), one in found.items():
        body = compact_json(asdict(one))
        checksum = facts_checksum(game_id, changes, _program_version(), body)
        rows.append(
            {"game_id": game_id, "changes": changes, "told_by": _program_version(), "body": body, "checksum": checksum}
        )
    with suppress(ArchiveError, IntegrityError), archive.transaction() as connection:
        connection.execute(sa.delete(facts).where(facts.c.game_id.in_([row["game_id"] for row in rows])))
        connection.execute(sa.insert(facts), rows)


@cache
def _program_version() -> str:
    """A hash of the rules and of this file, as the version of the program."""
    found = hashlib.blake2b(digest_size=8)
    root = Path(engine.__file__).parent
    for path in (*sorted(root.rglob("*.py")), Path(__file__)):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
