"""Decides which doubts about the record to ask about now, and which open questions later readings have settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from companion.game.changes import Line, Question
from companion.game.moves import Moves, move_texts
from companion.game.referee.effects import weighed
from companion.game.referee.model import Hypothesis
from companion.game.referee.publish import values
from companion.game.referee.questions import SURE_DIE, URGENT, Explanation, PossibleQuestion, questions
from companion.game.referee.transitions import Transitions
from companion.game.timeline import Timeline
from engine.dice import UNREAD

PLAUSIBLE_STEP = -6.5  # log chance of the last step from which a history is recorded at once
LASTING_SECONDS = 0.7  # a less likely or doubtful history is recorded this long after it was first found
PAUSE_SECONDS = 3.0  # a doubt about the running turn is asked about if no move has settled it after this time


class Doubts:
    """The doubts about the record of a running game, and the lines that have been asked about.

    Attributes:
        cards_tell: Cards in view will soon add evidence.
        frequent: Readings are frequent, so it is worth waiting for the next one.
    """

    def __init__(self, transitions: Transitions) -> None:
        """Starts without questions. transitions: the transition model of the game."""
        self._transitions = transitions
        self._asked: set[int] = set()  # numbers of lines that have been asked about
        self._open: set[int] = set()  # those of them about which a question that matters is open
        self._cleared: frozenset[int] = frozenset()  # those of them that are no longer in doubt
        self._since: float | None = None  # seconds when a doubt appeared that waits for a pause
        self._seconds = 0.0  # of the last reading
        self.frequent = self.cards_pending = False

    def set_time(self, seconds: float) -> None:
        """Sets the time of the reading."""
        if seconds != self._seconds:
            self.frequent = 0.0 < seconds - self._seconds < LASTING_SECONDS
            self._seconds = seconds

    @property
    def wait(self) -> bool:
        """Whether time alone may settle a question, or raise one."""
        return self._since is not None or bool(self._open)

    def forget(self) -> None:
        """Drops the doubts that wait for a pause."""
        self._since = None

    def recorded(self, asked: Iterable[Question]) -> None:
        """Notes that these questions were raised."""
        for question in asked:
            self._asked.update(question.lines)
            if question.matters and len(question.answers) > 1:
                self._open.update(question.lines)

    def cleared(self) -> frozenset[int]:
        """The numbers of lines whose questions later readings have settled since the last call."""
        cleared, self._cleared = self._cleared, frozenset()
        self._open -= cleared
        self._asked -= cleared
        return cleared

    def running(
        self,
        timeline: Timeline,
        begin: int,
        explained: Moves,
        stories: Iterable[Explanation],
        best: Hypothesis,
        over: int,
    ) -> tuple[list[PossibleQuestion], bool]:
        """The questions to ask now about a turn that goes on, and whether there is a doubt that matters.

        Args:
            over: The number of lines of `explained` that belong to turns that are over.
        """
        fresh, _ = self._new_doubts(timeline, begin, explained, stories, best)
        unread = [doubt for doubt in fresh if any(UNREAD in explained[i].shows for i in doubt.lines)]
        ended = [doubt for doubt in fresh if max(doubt.lines) < over]
        urgent = [] if self.cards_pending else [doubt for doubt in fresh if doubt.chance < URGENT]
        early = [doubt for doubt in urgent if doubt.matters and doubt not in ended and len(doubt.answers) > 1]
        since = self._seconds if self._since is None else self._since
        waits = self.frequent and self._seconds - since < PAUSE_SECONDS
        self._since = since if early and waits else None
        due = [doubt for doubt in fresh if doubt in unread or doubt in ended or doubt in urgent]
        return [doubt for doubt in due if not waits or doubt not in early], any(doubt.matters for doubt in fresh)

    def ended(
        self,
        timeline: Timeline,
        begin: int,
        explained: Moves,
        stories: Iterable[Explanation],
        best: Hypothesis,
        late: bool = True,
        upto: int | None = None,
    ) -> list[PossibleQuestion]:
        """The questions to ask about a turn that is over.

        Args:
            late: Lines that are already on record may be asked about too.
            upto: The place after the last line on record that counts.
        """
        fresh, same = self._new_doubts(timeline, begin, explained, stories, best, upto)
        return [doubt for doubt in fresh if late or min(doubt.lines) >= same]

    def _new_doubts(
        self,
        timeline: Timeline,
        begin: int,
        explained: Moves,
        stories: Iterable[Explanation],
        best: Hypothesis,
        upto: int | None = None,
    ) -> tuple[list[PossibleQuestion], int]:
        """All doubts that were not asked about before, and the number of first lines that are on record already."""
        old, events = timeline.lines[begin:upto], move_texts(timeline.game, explained)
        pairs = zip(old, events, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].event == pair[1], pairs))
        doubts = questions(explained, stories)
        doubts += values(best, explained, doubts, SURE_DIE)
        about = {place for doubt in doubts for place in doubt.lines}
        unclear = {i for i in range(same, len(explained)) if UNREAD in explained[i].shows}
        if len(explained) > same and (best.step_log_chance < PLAUSIBLE_STEP or best.missed):
            unclear.add(len(explained) - 1)
        doubts += [PossibleQuestion((i,), (explained[i : i + 1],), 0.0) for i in sorted(unclear - about)]
        begun = timeline.replay.states[begin]
        doubts = [weighed(self._transitions, begun, explained, doubt) for doubt in doubts]
        doubtful = {old[i].number for doubt in doubts if doubt.matters for i in doubt.lines if i < same}
        self._cleared = frozenset(self._open.intersection(line.number for line in old[:same]) - doubtful)
        return [doubt for doubt in doubts if max(doubt.lines) >= same or not self._raised(doubt, old)], same

    def _raised(self, doubt: PossibleQuestion, old: Sequence[Line]) -> bool:
        """Whether a question about one of these lines on record was raised before."""
        raised = self._open if doubt.matters else self._asked
        return any(old[i].number in raised for i in doubt.lines)
