"""A record played through: the state after every event, and where it breaks.

State is the replay of the record, so undo, corrections, resuming and looking back are one mechanism: whoever edits
the entries plays them again, and hands over the states before the place of the edit.
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
    """The first entry that is not legal where it stands; it and all after it are kept, unplayed."""

    index: int
    entry: Entry
    reason: Illegal


@dataclass(frozen=True, slots=True)
class Replay:
    """A record with its states: `states[i]` is the position before entry i, the last one the position now."""

    record: Record
    states: tuple[Any, ...]
    broken: Broken | None = None

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def state(self) -> Any:
        """The position as far as the record is legal."""
        return self.states[-1]

    @property
    def result(self) -> str:
        """The winner's name, `*` while there is none."""
        winner = None if self.broken else self.state.winner
        return UNFINISHED if winner is None else self.record.name(winner)

    def text(self) -> str:
        """The canonical text of the game as it now stands."""
        return write_record(self.record.with_tag("Result", self.result))


def played(record: Record, states: tuple[Any, ...] = ()) -> Replay:
    """The record played through. `states` are those already known: the first, and those after the first entries."""
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
    """The game a text says, legal to its end and with the result it claims.

    Raises Unreadable with the line, for an illegal event as for a text that cannot be read.
    """
    replay = played(read_record(text))
    if replay.broken:
        entry, reason = replay.broken.entry, replay.broken.reason
        values: dict[str, str] = {"event": entry_text(replay.game, entry), "reason": str(reason)}
        if reason.former:
            raise Unreadable(
                "{event}: {reason}; this record follows an earlier version of the rules", line=entry.line, **values
            )
        raise Unreadable("{event}: {reason}", line=entry.line, **values)
    claimed = replay.record.tag("Result")
    if claimed and claimed.values[0] != replay.result:
        raise Unreadable(
            "the result “{claimed}” does not match the entries, which give “{result}”",
            line=claimed.line,
            claimed=claimed.values[0],
            result=replay.result,
        )
    return replay


def event_count(replay: Replay) -> int:
    """Number of events as the canonical text counts them, adjacent keeps as one."""
    return len(merged_entries(replay.record))


def rolled_faces(game: Game, entries: Sequence[Entry]) -> Iterator[tuple[str, int]]:
    """(seat, face) of every die rolled in these entries; unread dice are left out."""
    for entry in entries:
        yield from ((entry.seat, face) for face in game.rolled(entry.event) if face)
