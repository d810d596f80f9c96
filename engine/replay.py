"""A record played through: the state after every event, every way to correct it, and where it breaks.

State is the replay of the record, so undo, corrections, resuming and looking back are one mechanism. Values, not
objects that change: each edit gives a new Replay that shares the states before the place of the edit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.errors import Ambiguous, Illegal, Unreadable
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

    def enter(self, entry: Entry) -> Replay:
        """The game with one more event: at the end, or, for a purchase entered late, in its place.

        Raises Illegal when it fits neither, Ambiguous when it fits several open turns. A late purchase may break what
        was recorded after it: then `broken` names the first such entry.
        """
        if self.broken:
            raise Illegal("first put right what is wrong at “{line}”", line=entry_text(self.game, self.broken.entry))
        try:
            state = self.game.play(self.state, entry.seat, entry.event)
        except Illegal as refusal:
            place = self._late_place(entry, refusal)
            return self.insert(place, entry)
        record = replace(self.record, entries=(*self.record.entries, entry))
        return Replay(record, (*self.states, state))

    def insert(self, index: int, entry: Entry) -> Replay:
        """The game with this event before entry `index`."""
        entries = self.record.entries
        return self._with((*entries[:index], entry, *entries[index:]), index)

    def replace(self, index: int, entry: Entry) -> Replay:
        """The game with entry `index` corrected; a remark keeps what stood there, with the remarks it had."""
        entries = self.record.entries
        old = entries[index]
        was = f"was {self.game.event_text(old.event)}" if old.event != entry.event else None
        comments = (*old.comments, *(c for c in (*entry.comments, was) if c and c not in old.comments))
        entry = replace(entry, comments=comments, line=old.line)
        return self._with((*entries[:index], entry, *entries[index + 1 :]), index)

    def remove(self, index: int) -> Replay:
        """The game without entry `index`; a remark on the entry before keeps what stood there."""
        entries = self.record.entries
        removed = entries[index]
        remarks = (*removed.comments, f"removed {removed.seat} {self.game.event_text(removed.event)}")
        if not index:
            shorter = self._with(entries[1:], 0)
            preface = (*self.record.preface, *remarks)
            return replace(shorter, record=replace(shorter.record, preface=preface))
        before = replace(entries[index - 1], comments=entries[index - 1].comments + remarks)
        return self._with((*entries[: index - 1], before, *entries[index + 1 :]), index)

    def undo(self) -> Replay:
        """The game without its last entry, leaving no trace. Raises Illegal when there is none."""
        entries = self.record.entries
        if not entries:
            raise Illegal("there is nothing to take back")
        return self._with(entries[:-1], len(entries) - 1)

    def _with(self, entries: tuple[Entry, ...], index: int) -> Replay:
        """These entries, which agree with ours before `index`."""
        return played(replace(self.record, entries=entries), self.states[: index + 1])

    def _late_place(self, entry: Entry, refusal: Illegal) -> int:
        """Where a purchase entered late belongs: before the event that began the next turn."""
        if not self.game.ends_turn(entry.event):
            raise refusal
        places = [
            index
            for index in range(len(self.states) - 1)
            if self.states[index].seat == entry.seat
            and len(self.states[index + 1].waiting) > len(self.states[index].waiting)
        ]
        fitting = [place for place in places if self.game.can(self.states[place], entry.seat, entry.event)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            rounds = " or ".join(str(self.states[place].round) for place in fitting)
            raise Ambiguous("{seat} has several turns open: was it in round {rounds}?", seat=entry.seat, rounds=rounds)
        if places:
            self.game.verify(self.states[places[-1]], entry.seat, entry.event)
        raise refusal


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
                "{event}: {reason}; this record follows an earlier reading of the rules", line=entry.line, **values
            )
        raise Unreadable("{event}: {reason}", line=entry.line, **values)
    claimed = replay.record.tag("Result")
    if claimed and claimed.values[0] != replay.result:
        raise Unreadable(
            "the result “{claimed}” does not agree with the events, which say “{result}”",
            line=claimed.line,
            claimed=claimed.values[0],
            result=replay.result,
        )
    return replay


def event_count(replay: Replay) -> int:
    """Number of events as the canonical text counts them, adjacent keeps as one."""
    return len(merged_entries(replay.record))
