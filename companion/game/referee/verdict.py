"""What a referee concludes from a reading. The table turns it into lines, questions and a preview."""

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
    """What to record, all or nothing, and what to show.

    Attributes:
        findings: Events to record.
        questions: About these events.
        preview: Events that were seen but are not final; each is legal after the ones before it.
        unsure: The questions that come with the preview once it is final.
        notices: Sentences about what rests on the table now.
    """

    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    preview: tuple[Finding, ...] = ()
    unsure: tuple[Question, ...] = ()
    notices: tuple[Sentence, ...] = ()


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
        """What this reading adds, given the game so far."""
        ...

    def lie_before(self, timeline: Timeline, reading: Reading) -> None:
        """Notes what rested on the table before the first roll of this game."""
        ...

    def played(self, reading: Reading) -> Reading:
        """A reading without the dice that are probably not part of the game."""
        ...

    def watch_restarted(self, timeline: Timeline) -> None:
        """Vision has restarted and counts rolls and dice from the start."""
        ...

    def see_cards(self, marks: CardMarks) -> None:
        """Sets what is seen of the cards of the seat on turn; it counts from the next reading on."""
        ...

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The findings of the last verdict are on record. Not called when the journal refused them."""
        ...

    def refused(self, timeline: Timeline) -> None:
        """The rules do not allow the findings of the last verdict, which is a bug of the referee. It restarts there."""
        ...

    def until_now(self, timeline: Timeline) -> Verdict:
        """What has to be recorded of what was seen although the table has not settled."""
        ...

    def ending(self, timeline: Timeline) -> Verdict:
        """What has to be recorded to end the running turn as the dice rest: what was seen, and the rest set aside."""
        ...

    def finish(self, timeline: Timeline) -> Verdict:
        """What is left to record when nothing more will be seen."""
        ...

    def recomputed(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """The correction that puts `answer` in place of the lines this question is about, and explains again what was
        seen after them. None where the referee cannot tell."""
        ...
