"""The conclusions of a referee from a reading, which the table turns into lines, questions and a preview."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.changes import Line, Question, Sentence


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
