"""The referee of Um Krone und Kragen: remembers what it has explained and explains what is new.

Between two throws people set dice aside, change their mind, turn and add dice: that is a preview, told anew with
every settled reading from the last recorded throw on. The next throw, a cleared table, a purchase or the end makes
it final.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game.changes import Line, Question, Sentence
from companion.game.log import GameLog
from companion.game.timeline import Timeline
from companion.referee import counting
from companion.referee.concluding import concluded, passed, verdict_of
from companion.referee.diary import Diary, Glimpse
from companion.referee.hindsight import beside, question
from companion.referee.landed import may_have_thrown_again, wavered
from companion.referee.looking_back import LookingBack
from companion.referee.memory import Dice, Memory, Suspected, as_taken, aside_after, kept_on_record, note
from companion.referee.people import person_threw, person_was_here, turn_began
from companion.referee.ranking import GOOD, Ranking, ranked, with_throws
from companion.referee.sentences import from_camera
from companion.referee.steadying import recognised, steadied, unthrown
from companion.referee.telling import by_hands, by_throw
from companion.referee.thrown import ending
from companion.referee.verdict import Correction, Verdict
from companion.referee.wavering import Lie, as_doubted, as_it_lay, followed
from companion.referee.worlds import World
from vision.types import Reading

ABSURD = -14.0  # a story less likely than this is not recorded: a gap in the record is easier to see
LASTING_SECONDS = 0.7  # what contradicts the record must be seen for so long before the record is changed


class KroneReferee:
    """Explains readings of one game of Um Krone und Kragen."""

    def __init__(self) -> None:
        self.memory = Memory()
        self._next: Memory | None = None
        self._verdict = Verdict()
        self._judged: tuple[object, ...] = ()
        self._lies: dict[int, Lie] = {}
        self._back = LookingBack(KroneReferee.knowing)
        self._said: set[int] = set()  # numbers of the lines after which dice are taken for others
        self._aside = False  # whether it looks back itself, or is only told what was seen

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """What this reading says. A reading that shows what the last one showed costs nothing."""
        if timeline.state.finished:
            return Verdict()
        lines = tuple(line.number for line in timeline.lines)
        if self._said and not self._said.intersection(lines):  # the answer has been taken back
            self.memory.taken, self._said = (), set()
        if reading.settled:
            self.diary.note(reading, self._lies, timeline, self.memory)
            self._lies = followed(self._lies, reading)
            reading = as_taken(as_it_lay(reading, self._lies), self.memory.taken)
        shown = (lines, reading.throw, [(d.track, d.value, d.kept, round(d.confidence, 1)) for d in reading.dice])
        notices = from_camera(reading.doubt)
        if reading.settled and shown != self._judged:
            self._verdict = self._explain(timeline, lines, reading)
            if not self._verdict.findings and not self._aside:
                self._verdict = self._with_hindsight(timeline, reading) or self._verdict
            # Findings that the journal refuses must be found again.
            self._judged = () if self._verdict.findings or self.memory.suspected else shown
        elif lines != self.memory.lines:
            self._verdict = replace(self._verdict, findings=(), questions=(), preview=(), unsure=())
        return replace(self._verdict, notices=notices or self._verdict.notices)

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The last findings are on record, with these questions about them."""
        asked = (*self.memory.asked, *questions)
        if self._next is not None:
            self.memory, self._next = self._next, None
        begun = turn_began(timeline)
        running = {line.number for line in timeline.lines[begun:]}
        self.memory.asked = tuple(one for one in asked if one.lines[0] in running)
        self.memory.lines = tuple(line.number for line in timeline.lines)
        self._verdict = replace(self._verdict, findings=(), questions=())
        self._back.recorded(timeline, begun, questions, replace(self.memory))

    def told_anew(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """What was seen since this question was raised, as it is after this answer."""
        right, taken = self._back.told_anew(book, asked, answer)
        if right and taken:
            self.memory = self.memory.taking(taken)
            self._said = {line.number for line in right.lines} - {line.number for line in book.lines}
        return right

    @classmethod
    def knowing(cls, memory: Memory) -> KroneReferee:
        """A referee that knows this, and goes on by itself."""
        referee = cls()
        referee.memory, referee._aside = replace(memory), True
        return referee

    @property
    def diary(self) -> Diary:
        """What it has seen of this turn."""
        return self._back.diary

    def look(self, timeline: Timeline, glimpse: Glimpse) -> Verdict:
        """What a reading says that was seen before."""
        self._lies = dict(glimpse.lies)
        return self.judge(timeline, glimpse.reading)

    def ending(self, timeline: Timeline) -> Verdict:
        """What hands did so far, or a throw that waits to be believed, and all dice still in play set aside."""
        return concluded(timeline, self.memory, self._waiting(timeline) or self._hand(timeline), ending)

    def _waiting(self, timeline: Timeline) -> Ranking | None:
        """A throw of this turn that nothing has explained well enough yet."""
        ranking = None if self.memory.missed is None else self._forced(timeline, self.memory.missed)
        best = ranking and ranking.best
        same_turn = best and best.score >= ABSURD and best.story.state.seat == timeline.state.seat
        return ranking if same_turn else None

    def _hand(self, timeline: Timeline) -> Ranking | None:
        """What hands have done since the last line; None where lines have been changed since that was told."""
        return self.memory.hand if self.memory.lines == tuple(line.number for line in timeline.lines) else None

    def finish(self, timeline: Timeline) -> Verdict:
        """Nothing more will be seen."""
        memory = self.memory
        if timeline.state.finished:
            return Verdict()
        verdict = concluded(timeline, memory, self._hand(timeline), passed)
        if memory.missed is not None:
            verdict = self._final(timeline, self._forced(timeline, memory.missed), memory.missed)
        self._next = replace(memory, missed=None, hand=None)
        return verdict

    def _explain(self, timeline: Timeline, lines: tuple[int, ...], reading: Reading) -> Verdict:
        memory = self.memory
        if reading.throw < memory.throw:  # the camera was opened anew and counts from the start
            memory.throw, memory.none = 0, frozenset()
        if memory.lines != lines:
            if memory.lines is None or person_was_here(timeline, memory.lines):
                memory.hand = memory.missed = None
                entered = memory.lines is None or person_threw(timeline, memory.lines)
                if entered and not memory.cleared and counting.on_record(timeline, reading):
                    memory.throw = reading.throw
            memory.lines = lines
        seen = steadied(memory, reading, timeline.state.turn.kept)
        reading = unthrown(recognised(seen, memory.before), memory.none)
        if reading.throw != memory.throw:
            verdict = self._thrown(timeline, reading)
            if reading.throw in memory.none and may_have_thrown_again(timeline, seen):
                memory.doubtful = True
            return verdict
        changed = wavered(timeline, memory, self._untaken())
        if changed is not None:
            return replace(changed, preview=self._verdict.preview, unsure=self._verdict.unsure)
        return self._by_hand(timeline, reading)

    def _untaken(self) -> dict[int, Lie]:
        """The dice followed, without those it is known what they show."""
        taken = {die.track for die, _ in self.memory.taken}
        return {track: lie for track, lie in self._lies.items() if track not in taken}

    def _with_hindsight(self, timeline: Timeline, reading: Reading) -> Verdict | None:
        """What else may have happened, if a die put there by a hand shows something else than it seems to: kept beside
        what hands have done, or asked about where it is on record; None where there is nothing new."""
        for other in self._back.otherwise(timeline, reading, self._lies, self.memory):
            if [line.event for line in other.timeline.lines] == [line.event for line in timeline.lines]:
                self.memory.hand = beside(self.memory.hand, other, timeline)
                if other.odds > 0:
                    self.memory = self.memory.taking(other.taken)
                return self._preview(timeline)
            if (asked := question(timeline, other)) is not None:
                verdict, self._back.hindsight = asked
                return replace(verdict, preview=self._verdict.preview, unsure=self._verdict.unsure)
        return None

    def _by_hand(self, timeline: Timeline, reading: Reading) -> Verdict:
        memory, turn = self.memory, timeline.state.turn
        if not reading.dice:
            memory.cleared, memory.before = True, None
            return self._cleared(timeline)
        if not turn.rolled:
            return Verdict()
        ranking = ranked(by_hands(timeline, memory, as_doubted(reading, self._untaken())))
        memory.unfit = ranking is None
        if ranking is None:
            return self._preview(timeline, counting.by_hand(timeline.state, reading))
        best = ranking.best
        if best.found and not best.world.found:  # what lay there before is remembered until that is on record
            return (
                self._final(timeline, ranking, reading) if self._likely(ranking, reading) else self._preview(timeline)
            )
        note(memory, best.story.state.turn, reading)
        if not best.world.found:
            memory.hand, memory.suspected = ranking, None
            memory.cost += best.happened
        elif ranking.best.world.kind == "answered" or self._stands(ranking, reading):
            return self._amended(timeline, ranking, reading)
        return self._preview(timeline)

    def _cleared(self, timeline: Timeline) -> Verdict:
        """The table is empty: dice that were all set aside are final. Others may have been, the next throw tells."""
        hand = self.memory.hand
        state = hand.best.story.state if hand else timeline.state
        if not (state.turn.over and (hand or state.final)):
            return self._preview(timeline)
        self._next = replace(self.memory, hand=None)
        return concluded(timeline, self.memory, hand, passed)

    def _thrown(self, timeline: Timeline, reading: Reading) -> Verdict:
        memory = self.memory
        if not reading.dice and memory.missed is None:
            return self._preview(timeline)
        if memory.missed is not None and (memory.missed.throw < reading.throw or not reading.dice):
            missed, memory.missed = memory.missed, None
            forced = None if self._thrown_over(timeline, missed, reading) else self._forced(timeline, missed)
            memory.doubtful = True
            if forced is not None and forced.best.score >= ABSURD:
                # Recorded now; the same reading is then judged again from there.
                verdict = self._final(timeline, forced, missed)
                assert self._next is not None
                self._next.throw = missed.throw
                return verdict
        if not reading.dice:
            return self._preview(timeline)
        if memory.hand is not None and memory.hand.best.halfway:
            memory.doubtful = True  # a card was being used, and nobody saw to what end
        ranking = ranked(by_throw(timeline, memory, reading))
        if ranking is not None and not ranking.best.found and not ranking.best.world.found:
            memory.throw, memory.none = reading.throw, memory.none | {reading.throw}  # hands have moved dice
            before, verdict = memory.hand, self._by_hand(timeline, unthrown(reading, memory.none))
            if verdict.findings or memory.hand is None or memory.hand is before:
                return verdict
            memory.hand = with_throws(memory.hand, ranking)  # … or that was a throw after all: what comes may tell
            return self._preview(timeline)
        if ranking is None or not self._likely(ranking, reading):
            memory.missed = reading
            return self._preview(timeline, counting.thrown(timeline.state, reading, memory.cleared))
        return self._final(timeline, ranking, reading)

    def _thrown_over(self, timeline: Timeline, missed: Reading, reading: Reading) -> bool:
        """Whether a throw with dice missing was simply thrown over again, as when one fell from the table: nothing was
        set aside, the table never empty, and the new throw is what was due."""
        if not counting.missing(timeline.state, missed, self.memory.cleared):
            return False
        ranking = ranked(by_throw(timeline, self.memory, reading)) if reading.dice else None
        if ranking is None or ranking.best.score < GOOD:
            return False
        return len(ranking.best.found) == 1 and not ranking.best.later

    def _likely(self, ranking: Ranking, reading: Reading) -> bool:
        """Whether the best story is good, or nothing better was found for a while though it is not absurd."""
        score = ranking.best.score
        return score >= GOOD or (self._stands(ranking, reading) and score >= ABSURD)

    def _stands(self, ranking: Ranking, reading: Reading) -> bool:
        """Whether something unlikely has been seen for long enough: a die may have been hidden for a moment."""
        memory, best = self.memory, ranking.best
        if memory.suspected is None or memory.suspected.told != (best.world.found, best.found):
            memory.suspected = Suspected((best.world.found, best.found), best.score, reading.seconds)
        return reading.seconds - memory.suspected.since >= LASTING_SECONDS

    def _forced(self, timeline: Timeline, reading: Reading) -> Ranking | None:
        """A throw that did not fit, told as well as it can be, missing dice as unread."""
        most = counting.missing(timeline.state, reading, self.memory.cleared)
        return ranked(one for hidden in range(most + 1) for one in by_throw(timeline, self.memory, reading, hidden))

    def _final(self, timeline: Timeline, ranking: Ranking | None, reading: Reading) -> Verdict:
        if ranking is None:
            return Verdict()
        dice = Dice.of(reading)
        best = ranking.best
        was_kept = kept_on_record(self.memory, reading, best.story.state.turn.kept)
        later = [event for _, event in best.story.events[best.thrown + 1 :]] if best.thrown >= 0 else []
        self._next = Memory(
            reading.throw,
            before=reading,
            landed=reading,
            chances=dice.chances(),
            was_kept=was_kept,
            aside=aside_after(self.memory, reading, later),
            none=self.memory.none,
            taken=self.memory.taken,
            cost=self.memory.cost + best.score,
        )
        return verdict_of(timeline, self.memory, ranking, dice.active)

    def _amended(self, timeline: Timeline, ranking: Ranking, reading: Reading) -> Verdict:
        """Something on record was otherwise. What hands have done since the last throw is as it was."""
        verdict, best = self._final(timeline, ranking, reading), ranking.best
        if not best.found:
            same = (one for one in ranking.told if one.world.found == best.world.found)
            hand = ranked(replace(one, world=World(one.world.state)) for one in same)
            self._next = replace(self.memory, hand=hand, suspected=None, cost=self.memory.cost + best.score)
        return verdict

    def _preview(self, timeline: Timeline, notices: tuple[Sentence, ...] = ()) -> Verdict:
        """Nothing to record yet, only to show."""
        final = concluded(timeline, self.memory, self.memory.hand, lambda story: story)
        return Verdict(preview=final.findings, unsure=final.questions, notices=notices)
