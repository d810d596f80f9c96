"""The history of one game: all changes, folded into lines, open questions and undo.

It proposes and applies changes; locking, storage and display are done by `companion.game.table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace

from companion.game.changes import By, Change, Kind, Line, Question
from companion.game.timeline import Timeline, canonical
from engine.errors import Illegal
from engine.record import Entry, Record

BRANCH_OFFSET = 1_000_000  # offset of the numbers of lines and questions in a branch

FrameTime = tuple[int, float]  # frame number and seconds


class GameLog:
    """The log of a game that started with `record` (a header, or a game so far)."""

    def __init__(self, record: Record) -> None:
        self._next_line, self._raised = 1, 0
        self._undo: list[Change] = []
        self._redo: list[Change] = []
        self._open: dict[int, Question] = {}
        self.changes: list[Change] = []
        self.game = record.game
        self.timeline = Timeline.begin(record).spliced(0, 0, [self._from_entry(entry) for entry in record.entries])

    @classmethod
    def of(cls, timeline: Timeline) -> GameLog:
        """A separate log with the lines of this timeline."""
        book = cls(replace(timeline.replay.record, entries=()))
        book._next_line, book._raised, book.timeline = BRANCH_OFFSET, BRANCH_OFFSET, timeline
        return book

    def branch(self, lines: Sequence[Line]) -> GameLog:
        """A separate log with these lines, for trying out alternatives to them.

        Numbers of its new lines and questions never occur in the original.
        """
        branch = copy(self)
        branch._next_line, branch._raised = self._next_line + BRANCH_OFFSET, self.questions_raised + BRANCH_OFFSET
        branch._undo, branch._redo, branch.changes = [], [], []
        branch._open = dict(self._open)
        same = 0
        while same < min(len(lines), len(self.lines)) and lines[same] is self.lines[same]:
            same += 1
        branch.timeline = self.timeline.spliced(same, len(self.lines) - same, lines[same:])
        return branch

    @property
    def lines(self) -> tuple[Line, ...]:
        """The events in their current version."""
        return self.timeline.lines

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions whose lines are unchanged."""
        numbers = [line.number for line in self.lines]
        return tuple(
            question
            for question in self._open.values()
            if any(tuple(numbers[i : i + len(question.lines)]) == question.lines for i in range(len(numbers)))
        )

    @property
    def to_undo(self) -> Change | None:
        """The change to undo next."""
        return self._undo[-1] if self._undo else None

    @property
    def to_redo(self) -> Change | None:
        """The change to redo next."""
        return self._redo[-1] if self._redo else None

    @property
    def questions_raised(self) -> int:
        """Number of questions so far; they are numbered from 1."""
        return self._raised + sum(len(change.questions) for change in self.changes)

    def place(self, number: int) -> int:
        """The index of the line with this number.

        Raises:
            Illegal: It is gone, because another person changed it.
        """
        place = self.timeline.index(number)
        if place is None:
            raise Illegal("another player has just changed this entry. Check it and try again")
        return place

    def line(
        self,
        event: str,
        by: By,
        confidence: float | None = None,
        seen: tuple[int, float] | None = None,
        corrects: Sequence[Line] = (),
    ) -> Line:
        """A new line with its own number.

        Args:
            seen: Frame and seconds.
            event: In any spelling that the engine reads.
            corrects: The lines that it replaces; the record keeps their text as a remark.
        """
        number = self._next_line
        self._next_line += 1
        frame, seconds = seen or (None, None)
        sure = None if confidence is None else round(confidence, 4)
        text = canonical(self.game, event)
        remarks = tuple(remark for old in corrects for remark in (*old.remarks, f"was {old.move}") if old.event != text)
        was = ", ".join(old.event for old in corrects) or None
        return Line(number, text, by, sure, frame, seconds, was, remarks)

    def change(
        self,
        kind: Kind,
        by: By,
        index: int,
        removed: int,
        lines: Sequence[Line],
        *,
        questions: tuple[Question, ...] = (),
        settles: tuple[int, ...] = (),
        require_legal: bool = False,
    ) -> Change:
        """The change that replaces `removed` lines at `index` by `lines`, without applying it.

        Args:
            require_legal: Raise Illegal, naming the line, if any line of the game becomes illegal.
        """
        was = self.lines[index : index + removed]
        if require_legal:
            self._check(index, was, lines)
        return Change(len(self.changes) + 1, kind, by, index, was, tuple(lines), questions, settles)

    def undo_change(self, by: By) -> Change:
        """The change that undoes the last one.

        Raises:
            Illegal: There is none.
        """
        if not self._undo:
            raise Illegal("there is nothing to undo")
        last = self._undo[-1]
        return self.change("undo", by, last.index, len(last.now), last.was)

    def redo_change(self, by: By) -> Change:
        """The change that redoes the last undone one.

        Raises:
            Illegal: There is none.
        """
        if not self._redo:
            raise Illegal("there is nothing to redo")
        last = self._redo[-1]
        return self.change("redo", by, last.index, len(last.was), last.now)

    def apply(self, change: Change) -> None:
        """Applies a change; applying all changes of a game in order rebuilds it.

        Raises:
            ValueError: It does not fit here.
        """
        if change.index + len(change.was) > len(self.lines):
            raise ValueError(f"change {change.number} is about lines that are not there")
        if (change.kind == "undo" and not self._undo) or (change.kind == "redo" and not self._redo):
            raise ValueError(f"change {change.number} takes back what never was")
        self.timeline = self.timeline.spliced(change.index, len(change.was), change.now)
        self.changes.append(change)
        self._open |= {question.number: question for question in change.questions}
        for number in change.settles:
            self._open.pop(number, None)
        self._next_line = max([self._next_line, *(line.number + 1 for line in change.now)])
        if change.kind == "undo":
            self._redo.append(self._undo.pop())
        elif change.kind == "redo":
            self._undo.append(self._redo.pop())
        elif change.was != change.now:  # confirming a question changes nothing to undo
            self._undo.append(change)
            self._redo.clear()

    def _check(self, index: int, was: Sequence[Line], lines: Iterable[Line]) -> None:
        new = list(lines)
        timeline = self.timeline.spliced(index, len(was), new)
        broken = timeline.replay.broken
        if broken is None:
            return
        line = timeline.lines[broken.index]
        if line in new and line not in was:
            raise broken.reason
        raise Illegal(
            "this makes “{entry}” (entry {place}) illegal: {why}",
            entry=line.event,
            place=self.lines.index(line) + 1,
            why=str(broken.reason),
        )

    def _from_entry(self, entry: Entry) -> Line:
        line = self.line(f"{entry.seat} {self.game.event_text(entry.event)}", entry.by or "person", entry.confidence)
        return replace(line, remarks=entry.comments)


def numbered(
    questions: Iterable[Question], lines: Sequence[Line], book: GameLog, seen: FrameTime | None
) -> tuple[Question, ...]:
    """Numbers a verdict's questions and refers them to the lines recorded from its findings."""
    frame, seconds = seen or (None, None)
    return tuple(
        replace(asked, lines=tuple(lines[i].number for i in asked.lines), number=number, frame=frame, seconds=seconds)
        for number, asked in enumerate(questions, book.questions_raised + 1)
    )
