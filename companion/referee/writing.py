"""From a referee's verdict to one change of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.changes import By, Change, Doubt, Line
from companion.chronicle import Chronicle
from companion.referee.swaps import put_right
from companion.referee.verdict import Finding, Question, Verdict

Moment = tuple[int, float]  # frame, seconds


def change_of(verdict: Verdict, book: Chronicle, seen: Moment | None) -> Change:
    """All findings as one splice, from the first place touched to the end, so that they are recorded together or not.

    Raises Illegal when the findings are not legal: a referee's fault, not the players'.
    """
    lines = list(book.lines)
    new: list[Line] = []
    touched = len(lines)
    for finding in verdict.findings:
        place = len(lines) if finding.at is None else finding.at
        if finding.instead is not None:
            place = next(i for i, old in enumerate(lines) if old.number == finding.instead)
            del lines[place]
        if finding.event:
            new += lines_of([finding], book, seen)
            lines.insert(place, new[-1])
        touched = min(touched, place)
    doubts = doubts_of(verdict.questions, new, book, seen)
    removed = len(book.lines) - touched
    return book.change("enter", "camera", touched, removed, lines[touched:], doubts=doubts, whole=True)


def lines_of(findings: Iterable[Finding], book: Chronicle, seen: Moment | None) -> list[Line]:
    """A new line for each finding."""
    return [book.line(finding.event, "camera", finding.confidence, seen) for finding in findings]


def follow_up(
    book: Chronicle, place: int, was: Sequence[Line], now: Sequence[Line], by: By
) -> tuple[list[Line], tuple[Doubt, ...]]:
    """The lines from `place` on that a correction there changes, to the last one that had to be put right because
    of it, and the doubts that go on about those."""
    wrong = book.course.spliced(place, len(was), now)
    right = put_right(wrong, tuple(line.event for line in was), tuple(line.event for line in now), place + len(now))
    last = max((i for i, line in enumerate(right.lines) if line.number < 0), default=place + len(now) - 1)
    shift = len(was) - len(now)
    lines: list[Line] = []
    doubts: list[Doubt] = []
    for index, line in enumerate(right.lines[place : last + 1], place):
        if line.number < 0:
            old = book.lines[index + shift]
            line = book.line(line.event, by, corrects=[old])
            doubts += _further(book, old, line, book.doubts_raised + len(doubts) + 1)
        lines.append(line)
    return lines, tuple(doubts)


def _further(book: Chronicle, old: Line, new: Line, number: int) -> list[Doubt]:
    """An open doubt about the line `old` goes on about what has taken its place."""
    for doubt in book.doubts:
        if doubt.lines == (old.number,):
            answers = ((new.event,), *(answer for answer in doubt.answers if answer != (new.event,)))
            return [replace(doubt, number=number, lines=(new.number,), answers=answers)]
    return []


def doubts_of(
    questions: Iterable[Question], lines: Sequence[Line], book: Chronicle, seen: Moment | None
) -> tuple[Doubt, ...]:
    """The questions about findings as doubts about their lines."""
    frame, seconds = seen or (None, None)
    return tuple(
        Doubt(number, asked.sentence, tuple(lines[i].number for i in asked.about), asked.answers, frame, seconds)
        for number, asked in enumerate(questions, book.doubts_raised + 1)
    )
