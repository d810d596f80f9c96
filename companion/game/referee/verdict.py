"""What a referee concludes from a reading; the table turns it into lines, questions and a preview."""

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
    """One event to be recorded. event: seat and text, "" to take a line out; confidence: 0..1.

    at: place in the record for something found out late (None: at the end); instead: number of a line it takes the
    place of.
    """

    event: str
    confidence: float
    at: int | None = None
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to record, all or nothing, with the questions about it; what to show.

    preview: events seen but not final yet, legal one after the other from where the record stands then; unsure: the
    questions that come with them once they are final; notices: sentences about what lies there now.
    """

    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    preview: tuple[Finding, ...] = ()
    unsure: tuple[Question, ...] = ()
    notices: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction with all that follows from it: `lines` take the place of the `removed` ones from `place` on; the
    questions that go on about them."""

    place: int
    removed: int
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]


class Referee(Protocol):
    """Explains readings of one game. It remembers what it has seen, so it belongs to one table."""

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """What this reading says, given the game so far."""
        ...

    def lie_before(self, timeline: Timeline, reading: Reading) -> None:
        """What lay there before anything of this game was thrown."""
        ...

    def played(self, reading: Reading) -> Reading:
        """A reading without the dice that are likely not played."""
        ...

    def watch_restarted(self, timeline: Timeline) -> None:
        """Whoever watches has begun again, and counts throws and dice from the start."""
        ...

    def see_cards(self, marks: CardMarks) -> None:
        """What is seen of the cards of the seat on turn; it counts from the next reading on."""
        ...

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The findings of the last verdict are on record; not called when the journal refused them."""
        ...

    def refused(self, timeline: Timeline) -> None:
        """The rules do not allow the findings of the last verdict: a fault of the referee, who begins anew there."""
        ...

    def until_now(self, timeline: Timeline) -> Verdict:
        """What has to be recorded of what was seen although all has not settled yet."""
        ...

    def ending(self, timeline: Timeline) -> Verdict:
        """What has to be recorded for the running turn to be over as it lies: what was seen, and the rest set
        aside."""
        ...

    def finish(self, timeline: Timeline) -> Verdict:
        """Nothing more will be seen: what was still open to change is final."""
        ...

    def recomputed(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """The correction that puts `answer` in the place of the lines this question is about, with what was seen since
        as it is after that answer; None where the referee cannot tell."""
        ...
