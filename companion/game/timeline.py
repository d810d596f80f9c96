"""The course of a game so far: its lines, replayed by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.game.changes import Line
from engine.errors import CourtsideError, Illegal, Unreadable
from engine.games import SEATS, Game
from engine.record import Entry, Record
from engine.replay import Replay, played


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A past turn nobody has said the purchase of. index: the place its purchase goes to in the record."""

    seat: str
    index: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lines, and the replay whose entries they are, one for one."""

    lines: tuple[Line, ...]
    replay: Replay

    @classmethod
    def begin(cls, record: Record) -> Timeline:
        """A game that has only a header yet, or what a record says of it."""
        return cls((), played(replace(record, entries=())))

    @property
    def game(self) -> Game:
        return self.replay.game

    @property
    def state(self) -> Any:
        """The position as far as the lines are legal."""
        return self.replay.state

    def must_be_sound(self) -> None:
        """Raises Illegal where a line does not fit those before it."""
        broken = self.replay.broken
        if broken is not None:
            raise Illegal(
                "fix “{entry}” (entry {place}) first: {why}",
                entry=self.lines[broken.index].event,
                place=broken.index + 1,
                why=str(broken.reason),
            )

    def spliced(self, index: int, removed: int, lines: Iterable[Line]) -> Timeline:
        """The course with `removed` lines at `index` replaced by `lines`; later lines are kept, legal or not."""
        new = (*self.lines[:index], *lines, *self.lines[index + removed :])
        old = self.replay.record.entries
        entries = old[:index] + tuple(self._entry(line) for line in new[index:])
        known = self.replay.states[: index + 1]
        return Timeline(new, played(replace(self.replay.record, entries=entries), known))

    def index(self, number: int) -> int | None:
        """Where the line of this number stands now; None when it is gone."""
        return next((i for i, line in enumerate(self.lines) if line.number == number), None)

    def open_turns(self) -> Iterator[OpenTurn]:
        """Past turns whose purchase is open, the oldest first.

        A turn was left open where a line added to the position's waiting purchases; a purchase belongs just before
        it.
        """
        states = self.replay.states
        for index in range(len(states) - 1):
            if len(states[index + 1].waiting) > len(states[index].waiting):
                yield OpenTurn(states[index].seat, index)

    def place(self, event: str) -> int | None:
        """Where a purchase for a past turn goes: before the next turn's first line, in the oldest turn that can pay.

        None when no past turn of that seat is open for it.
        """
        for turn in self.open_turns():
            if turn.seat == event[:1] and legal(self.game, self.replay.states[turn.index], event):
                return turn.index
        return None

    def _entry(self, line: Line) -> Entry:
        return Entry(line.seat, self.game.read_event(line.move), line.by, line.confidence, line.remarks)


def canonical(game: Game, text: str) -> str:
    """`a  Buy Bauer` → `A buy farmer`. Raises Unreadable when it names no seat or no event of this game."""
    seat, _, move = text.strip().partition(" ")
    if len(seat) != 1 or seat.upper() not in SEATS or not move.strip():
        raise Unreadable(
            "start the entry with the player’s letter, as in “A buy farmer”, not “{text}”", text=text.strip()
        )
    return f"{seat.upper()} {game.event_text(game.read_event(move.strip()))}"


def after(game: Game, state: Any, event: str) -> Any:
    """The position after an event given as text. Raises Illegal or Unreadable."""
    return game.play(state, event[0], game.read_event(event[2:]))


def after_all(game: Game, state: Any, events: Iterable[str]) -> Any:
    """The position after these events, None where one of them is not allowed."""
    try:
        for event in events:
            state = after(game, state, event)
    except CourtsideError:
        return None
    return state


def implied(game: Game, state: Any, event: str) -> tuple[str, ...]:
    """The events that go without saying before this one, as texts."""
    before = game.implied(state, event[0], game.read_event(event[2:]))
    return tuple(f"{event[0]} {game.event_text(one)}" for one in before)


def legal(game: Game, state: Any, event: str) -> bool:
    """Whether this event is allowed in this position."""
    return game.can(state, event[0], game.read_event(event[2:]))
