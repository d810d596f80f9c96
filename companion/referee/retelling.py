"""A turn told anew: all that was seen since a question was raised, judged again with another answer on record.

An answer is about one moment, but what was seen later has been explained as if it had not been given. Told anew, what
followed is what the same readings say after the answer: other cards, throws that were none, other questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from companion.game.changes import Line, Question
from companion.game.log import GameLog
from companion.game.timeline import Timeline, legal
from companion.referee.diary import Diary, Glimpse
from companion.referee.memory import Memory, Taken
from companion.referee.sight import minus
from companion.referee.verdict import Correction, Verdict
from companion.referee.writing import change_of, follow_up
from engine.dice import Faces
from engine.errors import Illegal
from vision.types import Reading

MOST_FINDINGS = 3  # changes one reading may lead to
MOST_GLIMPSES = 60  # a turn of which more was seen since is not told anew


class Teller(Protocol):
    """A referee as it was at some moment."""

    @property
    def diary(self) -> Diary:
        """What it has seen since."""
        ...

    @property
    def memory(self) -> Memory:
        """What it knows."""
        ...

    def look(self, timeline: Timeline, glimpse: Glimpse) -> Verdict:
        """What this reading says."""
        ...

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The findings of the last verdict are on record."""
        ...

    def ending(self, timeline: Timeline) -> Verdict:
        """What has to be recorded for the turn to be over."""
        ...


def told_on(book: GameLog, teller: Teller, seen: Sequence[Glimpse]) -> None:
    """Let the teller record in the book what these glimpses say."""
    for glimpse in seen:
        for _ in range(MOST_FINDINGS):
            verdict = teller.look(book.timeline, glimpse)
            if not verdict.findings or not _written(book, verdict, glimpse):
                break
            teller.recorded(book.timeline, book.changes[-1].questions)


def _written(book: GameLog, verdict: Verdict, glimpse: Glimpse | None) -> bool:
    try:
        seen = None if glimpse is None else (glimpse.reading.frame, glimpse.reading.seconds)
        book.apply(change_of(verdict, book, seen))
    except Illegal:
        return False
    return True


def told_anew(
    book: GameLog,
    diary: Diary,
    asked: Question,
    answer: Sequence[Line],
    teller: Callable[[Memory], Teller],
) -> Correction | None:
    """The correction that puts `answer` in the place of the lines that the question is about, and after them what was
    seen since as it is after that answer. None where that cannot be told: people have changed what followed, or what
    was seen does not fit.
    """
    raised = diary.checkpoints.get(asked.number)
    if raised is None or (place := book.place(asked.lines[0])) != raised.place:
        return None
    seat, end = asked.answers[0][0][0], place + raised.count
    while end < len(book.lines) and _of_the_turn(book.lines[end], seat):
        end += 1
    after = book.lines[end:]
    if any(line.by == "person" and not _ends(line) for line in after):
        return None
    page, memory, first = raised.page, raised.memory, place
    hindsight = raised.hindsight.get(tuple(line.event for line in answer))
    if hindsight is not None:
        page, taken = hindsight
        memory, first = diary.pages[page].memory.taking(taken), len(diary.pages[page].timeline.lines)
        aside = book.branch(book.lines[:first])
    else:
        aside = book.branch((*book.lines[:place], *raised.lines[place:]))
        was = raised.lines[place : place + raised.count]
        right = follow_up(aside, place, was, answer, "person", asked)
        aside.apply(
            aside.change("answer", "person", right.place, right.removed, right.lines, questions=right.questions)
        )
        first = right.place
        if (misread_ := misread(raised.memory.landed, was, answer)) is not None:
            memory = memory.taking(misread_)
    begun, glimpses = aside.lines, list(diary.since(page))
    if aside.timeline.replay.broken is not None or len(glimpses) > MOST_GLIMPSES:
        return None
    referee = teller(replace(memory, lines=tuple(line.number for line in begun)))
    told_on(aside, referee, glimpses)
    if aside.lines[: len(begun)] != begun or (after and not _over(aside, referee, after)):
        return None
    if hindsight is None and any(_turns_back(line, memory.taken) for line in aside.lines[len(begun) :]):
        return None  # or still misread: that is asked
    till = len(begun)
    while till < len(aside.lines) and _of_the_turn(aside.lines[till], seat):
        till += 1
    correction = _correction(book, aside, (first, end), aside.lines[first:till])
    if correction is not None:
        diary.go_on(page, referee.diary, aside.questions, correction.questions)
    return correction


def misread(landed: Reading | None, was: Sequence[Line], now: Sequence[Line]) -> Taken | None:
    """The die of the throw that shows something else if the answer is right, and what; None where there is no one."""
    gone, come = (minus(_thrown(a), _thrown(b)) for a, b in ((was, now), (now, was)))
    if landed is None or len(gone) != 1 or len(come) != 1:
        return None
    alike = [die for die in landed.dice if die.value == gone[0] and not die.kept]
    die = max(alike, key=lambda die: die.probabilities[come[0] - 1], default=None)
    return None if die is None else (die, come[0])


def _thrown(lines: Sequence[Line]) -> Faces:
    """What the last throw of these lines shows."""
    events = [line.event for line in lines if " roll " in line.event or " > " in line.event]
    words = events[-1].rpartition(">" if " > " in events[-1] else "roll")[2].split() if events else []
    return tuple(sorted(int(word) for word in words if word in "123456"))


def _turns_back(line: Line, taken: Sequence[Taken]) -> bool:
    """Whether a card makes of a misread die what it seemed to be."""
    before, _, after = line.move.partition(" > ")
    return any(str(face) in before.split() and str(die.value) in after.split() for die, face in taken)


def _ends(line: Line) -> bool:
    return line.move.startswith(("buy ", "pass"))


def _of_the_turn(line: Line, seat: str) -> bool:
    """Whether the camera has recorded this in the seat's running turn."""
    return line.seat == seat and line.by == "camera" and not _ends(line)


def _over(aside: GameLog, referee: Teller, after: Sequence[Line]) -> bool:
    """Record that the turn is over, if what comes `after` it needs that; False where it cannot be."""
    state, game = aside.timeline.state, aside.game
    if state.seat == after[0].seat and not legal(game, state, after[0].event):
        verdict = referee.ending(aside.timeline)
        return bool(verdict.findings) and _written(aside, verdict, None)
    return True


def in_common(was: Sequence[Line], now: Sequence[Line]) -> tuple[int, int]:
    """How many lines say the same at the beginning of both, and how many of the others at the end."""
    begin, shortest = 0, min(len(was), len(now))
    while begin < shortest and was[begin].event == now[begin].event:
        begin += 1
    end = 0
    while end < shortest - begin and was[-1 - end].event == now[-1 - end].event:
        end += 1
    return begin, end


def _correction(book: GameLog, aside: GameLog, span: tuple[int, int], told: Sequence[Line]) -> Correction | None:
    """From the branch back to the book: `told` takes the place of the lines from span[0] to span[1]. Lines that say
    the same, and about which the same is asked, stay."""
    was = book.lines[slice(*span)]
    begin, same = in_common(was, told)
    stays = {told[i].number: was[i] for i in range(begin)}
    stays |= {told[-1 - i].number: was[-1 - i] for i in range(same)}
    asked = {(question.lines, question.answers) for question in book.questions}
    for question in aside.questions:
        about = tuple(stays[number].number for number in question.lines if number in stays)
        if len(about) < len(question.lines) or (about, question.answers) not in asked:
            stays = {number: line for number, line in stays.items() if number not in question.lines}
    lines = [stays.get(line.number) or replace(line, number=book.line(line.event, line.by).number) for line in told]
    if book.timeline.spliced(span[0], len(was), lines).replay.broken is not None:
        return None
    numbers = {theirs.number: ours.number for theirs, ours in zip(told, lines, strict=True)}
    questions = [
        replace(
            question, number=book.questions_raised + count, lines=tuple(numbers[number] for number in question.lines)
        )
        for count, question in enumerate(
            (d for d in aside.questions if set(d.lines) <= numbers.keys() - stays.keys()), 1
        )
    ]
    return Correction(span[0], len(was), tuple(lines), tuple(questions))
