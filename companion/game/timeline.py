"""The lines of a game, replayed by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.game.changes import Line
from engine.errors import Illegal, Unreadable
from engine.games import SEATS, Game
from engine.record import Entry, Record
from engine.replay import Replay, replay_record


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A past turn without a recorded purchase, which would be inserted at `index` of the record."""

    seat: str
    index: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lines, and a replay with one entry for each line."""

    lines: tuple[Line, ...]
    replay: Replay

    @classmethod
    def begin(cls, record: Record) -> Timeline:
        """A game from a header, or from a record so far."""
        return cls((), replay_record(replace(record, entries=())))

    @property
    def game(self) -> Game:
        """The rules of this game."""
        return self.replay.game

    @property
    def state(self) -> Any:
        """The state after the last legal line."""
        return self.replay.state

    def require_legal(self) -> None:
        """Raises Illegal if a line is illegal where it stands."""
        broken = self.replay.broken
        if broken is not None:
            raise Illegal(
                "fix “{entry}” (entry {place}) first: {why}",
                entry=self.lines[broken.index].event,
                place=broken.index + 1,
                why=str(broken.reason),
            )

    def spliced(self, index: int, removed: int, lines: Iterable[Line]) -> Timeline:
        """The timeline with `removed` lines at `index` replaced by `lines`; later lines are kept, legal or not."""
        new = (*self.lines[:index], *lines, *self.lines[index + removed :])
        old = self.replay.record.entries
        entries = old[:index] + tuple(self._entry(line) for line in new[index:])
        known = self.replay.states[: index + 1]
        return Timeline(new, replay_record(replace(self.replay.record, entries=entries), known))

    def index(self, number: int) -> int | None:
        """The index of the line with this number; None if it is gone."""
        return next((i for i, line in enumerate(self.lines) if line.number == number), None)

    def open_turns(self) -> Iterator[OpenTurn]:
        """Past turns with an open purchase, the oldest first.

        A turn was left open if a line added to the state's waiting purchases; the purchase belongs just before that
        line.
        """
        states = self.replay.states
        for index in range(len(states) - 1):
            if len(states[index + 1].waiting) > len(states[index].waiting):
                yield OpenTurn(states[index].seat, index)

    def place(self, event: str) -> int | None:
        """The index of a purchase for a past turn: before the next turn's first line, in the oldest turn that can pay.
        None if no past turn of that seat is open for it."""
        for turn in self.open_turns():
            if turn.seat == event[:1] and legal(self.game, self.replay.states[turn.index], event):
                return turn.index
        return None

    def _entry(self, line: Line) -> Entry:
        return Entry(line.seat, self.game.read_event(line.move), line.by, line.confidence, line.remarks)


def canonical(game: Game, text: str) -> str:
    """`a  Buy Bauer` → `A buy farmer`.

    Raises:
        Unreadable: It has no seat, or no event of this game.
    """
    seat, _, move = text.strip().partition(" ")
    if len(seat) != 1 or seat.upper() not in SEATS or not move.strip():
        raise Unreadable(
            "start the entry with the player’s letter, as in “A buy farmer”, not “{text}”", text=text.strip()
        )
    return f"{seat.upper()} {game.event_text(game.read_event(move.strip()))}"


def after(game: Game, state: Any, event: str) -> Any:
    """The state after an event given as text.

    Raises:
        Illegal, Unreadable: It is not possible.
    """
    return game.play(state, event[0], game.read_event(event[2:]))


def implied(game: Game, state: Any, event: str) -> tuple[str, ...]:
    """The events implied before this one, as texts."""
    before = game.implied(state, event[0], game.read_event(event[2:]))
    return tuple(f"{event[0]} {game.event_text(one)}" for one in before)


def legal(game: Game, state: Any, event: str) -> bool:
    """Whether this event is allowed in this state."""
    return game.can(state, event[0], game.read_event(event[2:]))
