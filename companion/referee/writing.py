"""From a referee's verdict to one change of the game."""

from __future__ import annotations

from companion.changes import Change, Doubt, Line
from companion.chronicle import Chronicle
from companion.referee.verdict import Verdict


def change_of(verdict: Verdict, book: Chronicle, seen: tuple[int, float] | None) -> Change:
    """All findings as one splice, from the first place touched to the end, so that they are recorded together or
    not at all.

    seen: frame and seconds. Raises Illegal when the findings are not legal: a referee's fault, not the players'.
    """
    lines = list(book.lines)
    new: list[Line] = []
    touched = len(lines)
    for finding in verdict.findings:
        line = book.line(finding.event, "camera", finding.confidence, seen)
        new.append(line)
        if finding.instead is None:
            place = len(lines) if finding.at is None else finding.at
            lines.insert(place, line)
        else:
            place = next(i for i, old in enumerate(lines) if old.number == finding.instead)
            lines[place] = line
        touched = min(touched, place)
    frame, seconds = seen or (None, None)
    doubts = tuple(
        Doubt(number, asked.sentence, tuple(new[i].number for i in asked.about), asked.answers, frame, seconds)
        for number, asked in enumerate(verdict.questions, book.doubts_raised + 1)
    )
    return book.change(
        "enter", "camera", touched, len(book.lines) - touched, lines[touched:], doubts=doubts, whole=True
    )
