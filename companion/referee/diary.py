"""What was seen of a turn, reading by reading, with what the referee knew before each: enough to tell it anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.game.changes import Line, Question
from companion.game.timeline import Timeline
from companion.referee.memory import Memory, Taken
from companion.referee.sight import near
from companion.referee.wavering import Lie
from vision.types import Reading, SeenDie


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A settled reading, and the dice followed until just before it."""

    reading: Reading
    lies: Mapping[int, Lie]


@dataclass(frozen=True, slots=True)
class Page:
    """What lay there for a while without a change: seen first and, if more than once, last. course, memory: what was
    on record before it was judged, and what the referee knew."""

    first: Glimpse
    timeline: Timeline
    memory: Memory
    last: Glimpse | None = None

    def glimpses(self) -> tuple[Glimpse, ...]:
        """In the order in which they were seen."""
        return (self.first,) if self.last is None else (self.first, self.last)


Hindsight = Mapping[tuple[str, ...], tuple[int, Taken]]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the turn stood when a question was raised, to go on from there. page: what was seen then; lines: all lines
    of the game then; place, count: of those it is about; memory: what the referee knew then; hindsight: for answers
    in which a die was taken for another value for some time, from which page on, and what it showed."""

    page: int
    lines: tuple[Line, ...]
    place: int
    count: int
    memory: Memory
    hindsight: Hindsight = field(default_factory=dict)


@dataclass(slots=True)
class Diary:
    """The pages of one turn, and the questions raised in it by their number. begun: place of the turn's first line."""

    pages: list[Page] = field(default_factory=list)
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)
    begun: int | None = None
    shown: object = None

    def note(self, reading: Reading, lies: Mapping[int, Lie], timeline: Timeline, memory: Memory) -> None:
        """A settled reading, before it is judged."""
        if self.pages and self.pages[-1].glimpses()[-1].reading.frame == reading.frame:
            return
        shown = (reading.throw, [(d.track, d.value, d.kept, round(d.confidence, 1)) for d in reading.dice])
        glimpse = Glimpse(reading, lies)
        if shown == self.shown:
            self.pages[-1] = replace(self.pages[-1], last=glimpse)
        else:
            self.shown = shown
            self.pages.append(Page(glimpse, timeline, replace(memory)))

    def ask(
        self,
        lines: tuple[Line, ...],
        questions: tuple[Question, ...],
        memory: Memory,
        hindsight: Hindsight | None = None,
    ) -> None:
        """These questions were raised when these lines were on record."""
        numbers = [line.number for line in lines]
        for question in questions:
            place = numbers.index(question.lines[0])
            known = replace(memory, asked=tuple(one for one in memory.asked if one.lines != question.lines))
            self.checkpoints[question.number] = Checkpoint(
                len(self.pages) - 1, lines, place, len(question.lines), known, hindsight or {}
            )

    def since(self, page: int) -> Iterator[Glimpse]:
        """What was seen from this page on."""
        for one in self.pages[page:]:
            yield from one.glimpses()

    def go_on(self, page: int, other: Diary, theirs: Iterable[Question], ours: Iterable[Question]) -> None:
        """Questions that another diary, which began with this page, knows as `theirs` are `ours` here."""
        known = {question.answers: other.checkpoints.get(question.number) for question in theirs}
        for question in ours:
            raised = known.get(question.answers)
            if raised is not None:
                self.checkpoints[question.number] = replace(raised, page=page + raised.page)

    def first_seen(self, die: SeenDie) -> int | None:
        """The page on which this die was first seen as it lies there now."""
        found = None
        for number in range(len(self.pages) - 1, -1, -1):
            dice = self.pages[number].first.reading.dice
            if not any(one.track == die.track and one.came == die.came and near(one, die) for one in dice):
                break
            found = number
        return found

    def taken(self, asked: Question, answer: Iterable[Line]) -> Taken | None:
        """The die that this answer takes for something else than it seemed to be."""
        raised = self.checkpoints.get(asked.number)
        found = None if raised is None else raised.hindsight.get(tuple(line.event for line in answer))
        return None if found is None else found[1]
