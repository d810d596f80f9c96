"""Moves: events of a game with their seats, as values. Only the journal writes them as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.game.changes import Line
from companion.game.timeline import Timeline
from engine.dice import Faces
from engine.errors import CourtsideError
from engine.games import Event, Game


class Move(NamedTuple):
    """One event of one seat."""

    seat: str
    event: Event

    @property
    def verb(self) -> str:
        """The first word of the event's text."""
        verb: str = self.event.verb
        return verb

    @property
    def shows(self) -> Faces:
        """The dice of the event, as they are after it: rolled, set aside, or changed by a card."""
        faces: Faces = getattr(self.event, "dice", getattr(self.event, "after", ()))
        return faces


Moves = tuple[Move, ...]


def read_moves(game: Game, texts: Iterable[str]) -> Moves:
    """Parses lines of a record into moves.

    Raises:
        Unreadable: A line is no event of this game.
    """
    return tuple(Move(text[0], game.read_event(text[2:])) for text in texts)


def moves_of(game: Game, lines: Iterable[Line]) -> Moves:
    """The moves of these lines."""
    return read_moves(game, (line.event for line in lines))


def move_text(game: Game, move: Move) -> str:
    """The move as a line of a record: the seat and the event."""
    return f"{move.seat} {game.event_text(move.event)}"


def move_texts(game: Game, moves: Iterable[Move]) -> tuple[str, ...]:
    """Each move as a line of a record."""
    return tuple(move_text(game, move) for move in moves)


def moves_from(timeline: Timeline, begin: int, end: int | None = None) -> Moves:
    """The recorded moves at these indices."""
    return tuple(Move(entry.seat, entry.event) for entry in timeline.replay.record.entries[begin:end])


def played(game: Game, state: Any, moves: Iterable[Move]) -> Any:
    """The state after these moves; None if one of them is illegal."""
    try:
        for seat, event in moves:
            state = game.play(state, seat, event)
    except CourtsideError:
        return None
    return state


def joined(game: Game, one: Move, other: Move) -> Move | None:
    """The single move that the record writes for two adjacent ones; None if they stay two."""
    event = game.merged(one.event, other.event) if one.seat == other.seat else None
    return None if event is None else Move(one.seat, event)


def as_lines(game: Game, moves: Iterable[Move]) -> Moves:
    """Moves as the record writes them: adjacent moves that set dice aside become one."""
    found: list[Move] = []
    for move in moves:
        one = joined(game, found[-1], move) if found else None
        if one is None:
            found.append(move)
        else:
            found[-1] = one
    return tuple(found)


def without_keeps(moves: Iterable[Move]) -> Moves:
    """These moves without those that set dice aside."""
    return tuple(move for move in moves if move.event.verb != "keep")
