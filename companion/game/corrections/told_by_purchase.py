"""What a purchase tells: where nothing on record allows it, another answer to an open question may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.game.corrections.writing import answer_lines, follow_up
from companion.game.log import GameLog
from companion.game.referee.questions import which
from companion.game.referee.verdict import Correction
from companion.game.timeline import Timeline


def told_by_purchase(book: GameLog, allowed: Callable[[Timeline], bool]) -> Correction | None:
    """The answer, to the newest question that has one, with which the purchase is `allowed`; the question stays open.
    None where there is none."""
    for question in reversed(book.questions):
        place, count = book.place(question.lines[0]), len(question.lines)
        was = book.lines[place : place + count]
        for answer in question.answers[1:]:
            right = follow_up(book, place, was, answer_lines(book, was, answer, "camera"), "camera")
            timeline = book.timeline.spliced(right.place, right.removed, right.lines)
            if timeline.replay.broken is not None or not allowed(timeline):
                continue
            if not answer:
                return right
            at = next(i for i, line in enumerate(right.lines) if line.event == answer[0])
            lines = tuple(line.number for line in right.lines[at : at + len(answer)])
            number, answers = (
                book.questions_raised + len(right.questions) + 1,
                (answer, *(other for other in question.answers if other != answer)),
            )
            again = replace(question, number=number, sentence=which(answers), lines=lines, answers=answers)
            return replace(right, questions=(*right.questions, again))
    return None
