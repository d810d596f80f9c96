"""The conclusions of a referee from a reading, which the table turns into lines, questions and a preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.game.changes import Line, Question, Sentence
from companion.game.log import GameLog
from companion.game.referee.card_marks import CardMarks
from companion.game.timeline import Timeline
from vision.types import Reading


@dataclass(frozen=True, slots=True)
class Finding:
    """One event to record.

    Attributes:
        event: Seat and text; empty to remove a line.
        confidence: 0..1.
        at: Place in the record, for something found out late; None for the end.
        instead: Number of the line that it replaces.
    """

    event: str
    confidence: float
    at: int | None = None
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's conclusions: changes to record, all or nothing, and things to show.

    Attributes:
        findings: Events to record.
        questions: Questions about these events.
        preview: Events that were seen but are not final; each is legal after the ones before it.
        notices: Sentences about what rests on the table now.
        cleared: Numbers of lines that were asked about and are no longer in doubt.
    """

    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    preview: tuple[Finding, ...] = ()
    notices: tuple[Sentence, ...] = ()
    cleared: frozenset[int] = frozenset()

    @property
    def appends(self) -> bool:
        """Whether the findings only continue the record."""
        return all(one.event and one.at is None and one.instead is None for one in self.findings)


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction with its consequences: `lines` replace the `removed` ones from `place` on; `questions` stay open
    about them."""

    place: int
    removed: int
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]


class Referee(Protocol):
    """Explains the readings of one game. It remembers what it has seen, so it belongs to one table."""

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """The verdict after this reading, given the game so far."""
        ...

    def note_dice_before(self, timeline: Timeline, reading: Reading) -> None:
        """Notes the dice on the table before the first roll of this game."""
        ...

    def played(self, reading: Reading) -> Reading:
        """A reading without the dice that are probably not part of the game."""
        ...

    def watch_restarted(self, timeline: Timeline) -> None:
        """Restarts with vision, which counts rolls and dice from the start."""
        ...

    def see_cards(self, marks: CardMarks) -> None:
        """Sets the observed positions of the cards of the seat on turn; they count from the next reading on."""
        ...

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """Notes that the findings of the last verdict are on record. Not called if the journal refused them."""
        ...

    def refused(self, timeline: Timeline) -> None:
        """Restarts after the findings of the last verdict were illegal, which is a bug of the referee."""
        ...

    def until_now(self, timeline: Timeline) -> Verdict:
        """The verdict on everything seen so far, although the table has not settled."""
        ...

    def ending(self, timeline: Timeline, event: str) -> Verdict:
        """The verdict that ends the running turn so that this event of a person is legal: everything seen so far, and
        the remaining dice set aside. Empty if no history allows the event."""
        ...

    def finish(self, timeline: Timeline) -> Verdict:
        """The verdict that records the rest at the end of the source."""
        ...

    def recomputed(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """The correction that puts `answer` in place of the lines of this question, and explains again what was seen
        after them. None if the referee cannot decide."""
        ...
