"""The read-only side of a game, from any thread: record, state, questions, preview. `Table` changes it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from companion.game.changes import Change, Line, Question, Sentence
from companion.game.log import GameLog
from companion.game.referee.counting import due
from companion.game.referee.sentences import FROM_BEFORE, message
from companion.game.referee.verdict import Finding, Verdict
from companion.game.timeline import OpenTurn, after
from engine.record import Record
from engine.replay import Broken, Replay
from vision.types import Reading, SeenDie


class TableView:
    """The read-only side of a game.

    Attributes:
        version: Grows with every visible change: record, preview, questions, notices, dice on the table.
        reading: The camera's last reading, without idle dice.
        in_sight: All dice of the camera's last reading, idle ones included.
    """

    def __init__(self, record: Record, changes: Iterable[Change] = ()) -> None:
        """A game that starts with `record` (a header, or a game so far) and continues with `changes`."""
        self._changed = threading.Condition(threading.RLock())
        self._game_log = GameLog(record)
        self._verdict = Verdict()
        self.reading: Reading | None = None
        self.in_sight: tuple[SeenDie, ...] = ()
        self._journal_error: Sentence | None = None
        self._idle = 0  # number of dice that are not in play
        self.version = 0
        for change in changes:
            self._game_log.apply(change)

    @property
    def replay(self) -> Replay:
        """The game in its current version, with every state; `replay.text()` is the record's text."""
        return self._game_log.timeline.replay

    @property
    def record(self) -> Record:
        """The record in its current version."""
        return self.replay.record

    @property
    def state(self) -> Any:
        """The state after the last legal line."""
        return self._game_log.timeline.state

    @property
    def expected_dice(self) -> int:
        """Number of dice that must be on the table when a roll has come to rest."""
        return due(self.preview_state)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The events with their numbers and sources."""
        return self._game_log.lines

    @property
    def broken(self) -> Broken | None:
        """The first line that a correction has made illegal, and why; else None."""
        return self.replay.broken

    @property
    def open_turns(self) -> tuple[OpenTurn, ...]:
        """Past turns without a recorded purchase."""
        with self._changed:
            return tuple(self._game_log.timeline.open_turns())

    @property
    def questions_to_ask(self) -> tuple[Question, ...]:
        """The open questions that matter; alternatives of the others are shown with their line."""
        return tuple(question for question in self.questions if question.matters)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions, the oldest first."""
        with self._changed:
            return self._game_log.questions

    @property
    def preview(self) -> tuple[Finding, ...]:
        """The players' actions since the last roll, not final yet: legal events that continue from `state`."""
        return self._verdict.preview

    @property
    def preview_state(self) -> Any:
        """The state as if the preview were final, used for odds, advice and purchases."""
        with self._changed:
            state = self.state
            for finding in self.preview:
                state = after(self._game_log.game, state, finding.event)
            return state

    @property
    def notices(self) -> tuple[Sentence, ...]:
        """Sentences about the table now, or about a failing journal."""
        complaint = () if self._journal_error is None else (self._journal_error,)
        before = (message(FROM_BEFORE, dice=self._idle),) if self._idle and not self.lines else ()
        return complaint + (self._verdict.notices or before)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every change of the game, in order."""
        with self._changed:
            return tuple(self._game_log.changes)

    def seats_of(self, question: Question) -> frozenset[str]:
        """The letters of the seats whose events are uncertain."""
        return frozenset(line.seat for line in self.lines if line.number in question.lines)

    @property
    def to_undo(self) -> Change | None:
        """The change to undo next."""
        return self._game_log.to_undo

    @property
    def to_redo(self) -> Change | None:
        """The change to redo next."""
        return self._game_log.to_redo

    def wait(self, version: int, timeout: float) -> int:
        """Waits up to `timeout` seconds until `version` is outdated; returns the current version."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout)
            return self.version
