"""A referee looking back on what it has seen of this turn and the one before: told anew, or with hindsight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.game.changes import Line, Question
from companion.game.log import GameLog
from companion.game.timeline import Timeline
from companion.referee.diary import Diary, Hindsight
from companion.referee.hindsight import Otherwise, doubtful, if_it_shows
from companion.referee.memory import Memory, Taken
from companion.referee.retelling import Teller, told_anew
from companion.referee.verdict import Correction
from companion.referee.wavering import Lie
from vision.types import Reading


class LookingBack:
    """Keeps the diaries. teller: a referee that knows what is remembered, and goes on by itself."""

    def __init__(self, teller: Callable[[Memory], Teller]) -> None:
        self._teller = teller
        self._tried: set[tuple[int, int | None, int]] = set()  # tracks, when they came, and what else they may show
        self._before = Diary()
        self.diary = Diary()
        self.hindsight: Hindsight = {}  # of the question that is being recorded

    def recorded(self, timeline: Timeline, begun: int, questions: tuple[Question, ...], memory: Memory) -> None:
        """These questions have been raised. begun: place of the running turn's first line."""
        if self.diary.begun is None:
            self.diary.begun = begun
        elif begun != self.diary.begun:
            last, shown = self.diary.pages[-1:], self.diary.shown
            self._before, self.diary = self.diary, Diary(last, begun=begun, shown=shown)
        self.diary.ask(timeline.lines, questions, memory, self.hindsight)
        self.hindsight = {}

    def told_anew(
        self, book: GameLog, asked: Question, answer: Sequence[Line]
    ) -> tuple[Correction | None, Taken | None]:
        """What was seen since this question was raised, as it is after this answer; the die lying there now that the
        answer takes for something else than it seems to be."""
        diary = next((one for one in (self.diary, self._before) if asked.number in one.checkpoints), None)
        if diary is None:
            return None, None
        right = told_anew(book, diary, asked, answer, self._teller)
        return right, diary.taken(asked, answer) if right is not None and diary is self.diary else None

    def otherwise(
        self, timeline: Timeline, reading: Reading, lies: Mapping[int, Lie], memory: Memory
    ) -> Iterator[Otherwise]:
        """What else may have happened, for each die that has just turned out to be hard to read."""
        for taken, evidence in doubtful(lies, reading, memory):
            die, face = taken
            page = self.diary.first_seen(die)
            if page is None or (die.track, die.came, face) in self._tried:
                continue
            self._tried.add((die.track, die.came, face))
            teller = self._teller(self.diary.pages[page].memory.taking(taken))
            other = if_it_shows(taken, evidence, self.diary, timeline, memory, teller, page)
            if other is not None:
                yield other
