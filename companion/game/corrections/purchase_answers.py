"""Finds the answer to an open question that makes a refused purchase legal."""

from __future__ import annotations

from dataclasses import replace

from companion.game.corrections.writing import answer_lines, follow_up
from companion.game.log import GameLog
from companion.game.moves import played, read_moves
from companion.game.referee.questions import which
from companion.game.referee.verdict import Correction, Referee
from companion.game.timeline import Timeline, legal


def answer_by_purchase(book: GameLog, referee: Referee, event: str) -> Correction | None:
    """The answer to the newest open question that makes this purchase legal; None if there is none.

    The question stays open.
    """
    if not book.game.ends_turn(book.game.read_event(event[2:])):
        return None
    for question in reversed(book.questions):
        place, count = book.place(question.lines[0]), len(question.lines)
        was = book.lines[place : place + count]
        for answer in question.answers[1:]:
            right = follow_up(book, place, was, answer_lines(book, was, answer, "camera"), "camera")
            timeline = book.timeline.spliced(right.place, right.removed, right.lines)
            if timeline.replay.broken is not None or not _allowed(timeline, referee, event):
                continue
            if not answer:
                return right
            at = next(i for i, line in enumerate(right.lines) if line.event == answer[0])
            lines = tuple(line.number for line in right.lines[at : at + len(answer)])
            number, answers = (
                book.questions_raised + len(right.questions) + 1,
                (answer, *(other for other in question.answers if other != answer)),
            )
            again = replace(
                question,
                number=number,
                sentence=which(book.game, [read_moves(book.game, one) for one in answers]),
                lines=lines,
                answers=answers,
            )
            return replace(right, questions=(*right.questions, again))
    return None


def _allowed(timeline: Timeline, referee: Referee, event: str) -> bool:
    """Whether the event is legal in its place, or at the end after the events that must precede it."""
    findings = referee.ending(timeline).findings if timeline.state.seat == event[0] else ()
    moves = read_moves(timeline.game, (finding.event for finding in findings))
    state = played(timeline.game, timeline.state, moves)
    return timeline.place(event) is not None or (state is not None and legal(timeline.game, state, event))
