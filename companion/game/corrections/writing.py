"""Turns a referee's verdict into one change of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.game.changes import By, Change, Line, Question
from companion.game.corrections.swaps import cards, repaired
from companion.game.corrections.turned import misread_or_turned
from companion.game.log import FrameTime, GameLog, numbered
from companion.game.moves import move_texts, moves_of, read_moves
from companion.game.referee.alike import still_open
from companion.game.referee.questions import which
from companion.game.referee.sentences import which_card
from companion.game.referee.verdict import Correction, Finding, Verdict


def change_of(verdict: Verdict, book: GameLog, seen: FrameTime | None) -> Change:
    """All findings as one splice, from the first place touched to the end, so that they are recorded together or not at
    all.

    Raises:
        Illegal: The findings are not legal, which is a bug of the referee.
    """
    lines = list(book.lines)
    new: list[Line] = []
    touched = len(lines)
    for finding in verdict.findings:
        place = len(lines) if finding.at is None else finding.at
        was: Line | None = None
        if finding.instead is not None:
            place = next(i for i, old in enumerate(lines) if old.number == finding.instead)
            was = lines.pop(place)
        if finding.event:  # a line with only a question stays
            new += [was] if was is not None and was.event == finding.event else lines_of([finding], book, seen)
            lines.insert(place, new[-1])
        touched = min(touched, place)
    questions = numbered(verdict.questions, new, book, seen)
    about = {number for question in questions for number in question.lines}
    # A notice without alternatives replaces older ones.
    unseen = any(len(question.answers) < 2 for question in questions)
    settles = tuple(
        old.number for old in book.questions if about.intersection(old.lines) or (unseen and len(old.answers) < 2)
    )
    new, removed = lines[touched:], len(book.lines) - touched
    return book.change(
        "enter", "camera", touched, removed, new, questions=questions, settles=settles, require_legal=True
    )


def lines_of(findings: Iterable[Finding], book: GameLog, seen: FrameTime | None) -> list[Line]:
    """A new line for each finding."""
    return [book.line(finding.event, "camera", finding.confidence, seen) for finding in findings]


def follow_up(
    book: GameLog, place: int, was: Sequence[Line], now: Sequence[Line], by: By, asked: Question | None = None
) -> Correction:
    """The correction that replaces `was` by `now` at `place`, with all its consequences.

    If an open question about this turn has recorded a card that `now` uses, that question gets another answer. Later
    lines are repaired.

    Args:
        asked: The question that `now` answers. If this answer stands for several similar ones, or if a die was set
            aside later with another face, a further question is asked.
    """
    lines: list[Line] = []
    questions: list[Question] = []
    before, after = moves_of(book.game, was), moves_of(book.game, now)
    alike = still_open([read_moves(book.game, one) for one in asked.answers], after) if asked else ()
    if asked and alike:
        about, answers = tuple(line.number for line in now), tuple(move_texts(book.game, one) for one in alike)
        sentence = which(book.game, alike)
        number = book.questions_raised + 1
        questions.append(replace(asked, number=number, sentence=sentence, lines=about, answers=answers))
    earlier = _earlier_answer(book, place, was, now)
    if earlier is not None:
        question, answer = earlier
        first, count = book.place(question.lines[0]), len(question.lines)
        then = answer_lines(book, book.lines[first : first + count], answer, by)
        answer_cards = set(cards(after))  # cards unlikely to be the answer here
        others = sorted(
            (other for other in question.answers if other != answer),
            key=lambda other: bool(answer_cards.intersection(cards(read_moves(book.game, other)))),
        )
        number, about = book.questions_raised + len(questions) + 1, tuple(line.number for line in then)
        questions.append(replace(question, number=number, lines=about, answers=(answer, *others)))
        between = book.lines[first + count : place]
        was, now = (*book.lines[first : first + count], *between, *was), (*then, *between, *now)
        before, after = moves_of(book.game, was), moves_of(book.game, now)
        place = first
    wrong = book.timeline.spliced(place, len(was), now)
    right = repaired(wrong, before, after, place + len(now))
    known = {line.number: line for line in book.lines}
    same = 0  # number of lines at the end that stay
    while same < min(len(right.lines) - place - len(now), len(book.lines) - place - len(was)):
        if right.lines[-1 - same] is not book.lines[-1 - same]:
            break
        same += 1
    for line in right.lines[place : len(right.lines) - same]:
        if line.number == 0:
            line = book.line(line.event, by)
        elif line.number < 0:
            old = known[-line.number]
            line = book.line(line.event, by, corrects=[old])
            number = book.questions_raised + len(questions) + 1
            further = _further(book, old, line, number)
            if asked and not further and (answers := misread_or_turned(right, place + len(lines), old.event)):
                sentence = which_card(card for answer in answers for card in cards(read_moves(book.game, answer)))
                further = [Question(sentence, (line.number,), answers, number, old.frame, old.seconds)]
            questions += further
        lines.append(line)
    return Correction(place, len(book.lines) - same - place, tuple(lines), tuple(questions))


def answer_lines(book: GameLog, was: Sequence[Line], answer: Sequence[str], by: By) -> list[Line]:
    """New lines with this answer; the first of them carries the numbers of the lines it corrects."""
    return [book.line(event, by, corrects=was if not i else ()) for i, event in enumerate(answer)]


def replacing(book: GameLog, number: int, event: str, by: By) -> Correction:
    """The correction that puts this event in the place of a line, with later lines repaired."""
    place = book.place(number)
    was = book.lines[place : place + 1]
    return follow_up(book, place, was, [book.line(event, by, corrects=was)], by)


def _earlier_answer(
    book: GameLog, place: int, was: Sequence[Line], now: Sequence[Line]
) -> tuple[Question, tuple[str, ...]] | None:
    """An earlier open question and its answer that makes `now` legal in place of `was`; None if none does or is needed.

    Legal answers with the card that `was` used are preferred, then the likeliest.
    """
    end = place + len(now)
    wrong = book.timeline.spliced(place, len(was), now)
    if wrong.replay.broken is None or not place <= wrong.replay.broken.index < end:
        return None

    def used(answer: Iterable[str]) -> set[str]:
        return set(cards(read_moves(book.game, answer)))

    freed, wanted = set(cards(moves_of(book.game, was))), set(cards(moves_of(book.game, now)))
    for question in book.questions:
        first, count = book.place(question.lines[0]), len(question.lines)
        if first + count > place or not wanted & used(question.answers[0]):
            continue
        others = [answer for answer in question.answers[1:] if answer and not wanted & used(answer)]
        for answer in sorted(others, key=lambda answer: not freed & used(answer)):
            then = wrong.spliced(first, count, [Line(0, event, "camera") for event in answer])
            if then.replay.broken is None or then.replay.broken.index >= end - count + len(answer):
                return question, answer
    return None


def _further(book: GameLog, old: Line, new: Line, number: int) -> list[Question]:
    """Moves an open question about the line `old` to the line that replaced it."""
    for question in book.questions:
        if question.lines == (old.number,):
            answers = ((new.event,), *(answer for answer in question.answers if answer != (new.event,)))
            return [replace(question, number=number, lines=(new.number,), answers=answers)]
    return []
