"""Replays a record: the state after every event, and the first illegal entry.

State is always the replay of the record, so undo, corrections, resuming and browsing are one mechanism. Editors change
entries and replay them, reusing the states before the change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import Illegal, Unreadable
from engine.games import Game
from engine.record import UNFINISHED, Entry, Record
from engine.record_text import entry_text, merged_entries, read_record, write_record


@dataclass(frozen=True, slots=True)
class Broken:
    """The first illegal entry; it and all later ones are kept but not played."""

    index: int
    entry: Entry
    reason: Illegal


@dataclass(frozen=True, slots=True)
class Replay:
    """A record with its states: `states[i]` is the state before entry i, the last one is the current state."""

    record: Record
    states: tuple[Any, ...]
    broken: Broken | None = None

    @property
    def game(self) -> Game:
        """The rules of this game."""
        return self.record.game

    @property
    def state(self) -> Any:
        """The state after the last legal entry."""
        return self.states[-1]

    @property
    def result(self) -> tuple[str, ...]:
        """The winner's name, the names of all who tie, or `*` if the game is not over."""
        winners = () if self.broken else self.state.winners
        return tuple(map(self.record.name, winners)) or (UNFINISHED,)

    def text(self) -> str:
        """The canonical text of the game with its current result."""
        return write_record(self.record.with_tag("Result", *self.result))


def replay_record(record: Record, states: tuple[Any, ...] = ()) -> Replay:
    """Replays the record.

    Args:
        states: Known states to reuse: the first one and those after the first entries.
    """
    game = record.game
    reached = list(states) or [game.start(record.setup())]
    for index in range(len(reached) - 1, len(record.entries)):
        entry = record.entries[index]
        try:
            reached.append(game.play(reached[-1], entry.seat, entry.event))
        except Illegal as reason:
            return Replay(record, tuple(reached), Broken(index, entry, reason))
    return Replay(record, tuple(reached))


def read_game(text: str) -> Replay:
    """Parses a complete game that must be legal to its end and have the result it claims.

    Raises:
        Unreadable: With the line, for unreadable text or an illegal event.
    """
    replay = replay_record(read_record(text))
    if replay.broken:
        entry, reason = replay.broken.entry, replay.broken.reason
        values: dict[str, str] = {"event": entry_text(replay.game, entry), "reason": str(reason)}
        if reason.former:
            raise Unreadable(
                "{event}: {reason}; this record follows an earlier version of the rules", line=entry.line, **values
            )
        raise Unreadable("{event}: {reason}", line=entry.line, **values)
    claimed = replay.record.tag("Result")
    if claimed and claimed.values != replay.result:
        raise Unreadable(
            "the result “{claimed}” does not match the entries, which give “{result}”",
            line=claimed.line,
            claimed=", ".join(claimed.values),
            result=", ".join(replay.result),
        )
    return replay


def event_count(replay: Replay) -> int:
    """Number of events in the canonical text, where adjacent keeps are one."""
    return len(merged_entries(replay.record))


def rolled_faces(game: Game, entries: Sequence[Entry]) -> Iterator[tuple[str, int]]:
    """(seat, face) of every die rolled in these entries, without unread dice."""
    for entry in entries:
        yield from ((entry.seat, face) for face in game.rolled(entry.event) if face)
