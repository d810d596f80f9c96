"""The referee of Um Krone und Kragen: remembers what it has explained and explains what is new.

Between two throws people set dice aside, change their mind, turn and add dice: that is a preview, told anew with
every settled reading from the last recorded throw on. The next throw, a cleared table, a purchase or the end makes
it final.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.changes import Doubt, Line, Sentence
from companion.chronicle import Chronicle
from companion.course import Course
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
from companion.referee.worlds import Asked, World
from vision.seen import Reading

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

    def judge(self, course: Course, reading: Reading) -> Verdict:
        """What this reading says. A reading that shows what the last one showed costs nothing."""
        if course.state.finished:
            return Verdict()
        lines = tuple(line.number for line in course.lines)
        if self._said and not self._said.intersection(lines):  # the answer has been taken back
            self.memory.taken, self._said = (), set()
        if reading.settled:
            self.diary.note(reading, self._lies, course, self.memory)
            self._lies = followed(self._lies, reading)
            reading = as_taken(as_it_lay(reading, self._lies), self.memory.taken)
        shown = (lines, reading.throw, [(d.track, d.value, d.kept, round(d.confidence, 1)) for d in reading.dice])
        notices = from_camera(reading.doubt)
        if reading.settled and shown != self._judged:
            self._verdict = self._explain(course, lines, reading)
            if not self._verdict.findings and not self._aside:
                self._verdict = self._with_hindsight(course, reading) or self._verdict
            # Findings that the journal refuses must be found again.
            self._judged = () if self._verdict.findings or self.memory.suspected else shown
        elif lines != self.memory.lines:
            self._verdict = replace(self._verdict, findings=(), questions=(), preview=(), unsure=())
        return replace(self._verdict, notices=notices or self._verdict.notices)

    def recorded(self, course: Course, doubts: tuple[Doubt, ...]) -> None:
        """The last findings are on record, with these doubts about them."""
        asked = (*self.memory.asked, *(Asked(doubt.lines, doubt.answers) for doubt in doubts))
        if self._next is not None:
            self.memory, self._next = self._next, None
        begun = turn_began(course)
        running = {line.number for line in course.lines[begun:]}
        self.memory.asked = tuple(one for one in asked if one.lines[0] in running)
        self.memory.lines = tuple(line.number for line in course.lines)
        self._verdict = replace(self._verdict, findings=(), questions=())
        self._back.recorded(course, begun, doubts, replace(self.memory))

    def told_anew(self, book: Chronicle, asked: Doubt, answer: Sequence[Line]) -> Correction | None:
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

    def look(self, course: Course, glimpse: Glimpse) -> Verdict:
        """What a reading says that was seen before."""
        self._lies = dict(glimpse.lies)
        return self.judge(course, glimpse.reading)

    def ending(self, course: Course) -> Verdict:
        """What hands did so far, or a throw that waits to be believed, and all dice still in play set aside."""
        return concluded(course, self.memory, self._waiting(course) or self._hand(course), ending)

    def _waiting(self, course: Course) -> Ranking | None:
        """A throw of this turn that nothing has explained well enough yet."""
        ranking = None if self.memory.missed is None else self._forced(course, self.memory.missed)
        best = ranking and ranking.best
        same_turn = best and best.score >= ABSURD and best.story.state.seat == course.state.seat
        return ranking if same_turn else None

    def _hand(self, course: Course) -> Ranking | None:
        """What hands have done since the last line; None where lines have been changed since that was told."""
        return self.memory.hand if self.memory.lines == tuple(line.number for line in course.lines) else None

    def finish(self, course: Course) -> Verdict:
        """Nothing more will be seen."""
        memory = self.memory
        if course.state.finished:
            return Verdict()
        verdict = concluded(course, memory, self._hand(course), passed)
        if memory.missed is not None:
            verdict = self._final(course, self._forced(course, memory.missed), memory.missed)
        self._next = replace(memory, missed=None, hand=None)
        return verdict

    def _explain(self, course: Course, lines: tuple[int, ...], reading: Reading) -> Verdict:
        memory = self.memory
        if reading.throw < memory.throw:  # the camera was opened anew and counts from the start
            memory.throw, memory.none = 0, frozenset()
        if memory.lines != lines:
            if memory.lines is None or person_was_here(course, memory.lines):
                memory.hand = memory.missed = None
                entered = memory.lines is None or person_threw(course, memory.lines)
                if entered and not memory.cleared and counting.on_record(course, reading):
                    memory.throw = reading.throw
            memory.lines = lines
        seen = steadied(memory, reading, course.state.turn.kept)
        reading = unthrown(recognised(seen, memory.before), memory.none)
        if reading.throw != memory.throw:
            verdict = self._thrown(course, reading)
            if reading.throw in memory.none and may_have_thrown_again(course, seen):
                memory.doubtful = True
            return verdict
        changed = wavered(course, memory, self._untaken())
        if changed is not None:
            return replace(changed, preview=self._verdict.preview, unsure=self._verdict.unsure)
        return self._by_hand(course, reading)

    def _untaken(self) -> dict[int, Lie]:
        """The dice followed, without those it is known what they show."""
        taken = {die.track for die, _ in self.memory.taken}
        return {track: lie for track, lie in self._lies.items() if track not in taken}

    def _with_hindsight(self, course: Course, reading: Reading) -> Verdict | None:
        """What else may have happened, if a die put there by a hand shows something else than it seems to: kept beside
        what hands have done, or asked about where it is on record; None where there is nothing new."""
        for other in self._back.otherwise(course, reading, self._lies, self.memory):
            if [line.event for line in other.course.lines] == [line.event for line in course.lines]:
                self.memory.hand = beside(self.memory.hand, other, course)
                if other.odds > 0:
                    self.memory = self.memory.taking(other.taken)
                return self._preview(course)
            if (asked := question(course, other)) is not None:
                verdict, self._back.hindsight = asked
                return replace(verdict, preview=self._verdict.preview, unsure=self._verdict.unsure)
        return None

    def _by_hand(self, course: Course, reading: Reading) -> Verdict:
        memory, turn = self.memory, course.state.turn
        if not reading.dice:
            memory.cleared, memory.before = True, None
            return self._cleared(course)
        if not turn.rolled:
            return Verdict()
        ranking = ranked(by_hands(course, memory, as_doubted(reading, self._untaken())))
        memory.unfit = ranking is None
        if ranking is None:
            return self._preview(course, counting.by_hand(course.state, reading))
        best = ranking.best
        if best.found and not best.world.found:  # what lay there before is remembered until that is on record
            return self._final(course, ranking, reading) if self._likely(ranking, reading) else self._preview(course)
        note(memory, best.story.state.turn, reading)
        if not best.world.found:
            memory.hand, memory.suspected = ranking, None
            memory.cost += best.happened
        elif ranking.best.world.kind == "answered" or self._stands(ranking, reading):
            return self._amended(course, ranking, reading)
        return self._preview(course)

    def _cleared(self, course: Course) -> Verdict:
        """The table is empty: dice that were all set aside are final. Others may have been, the next throw tells."""
        hand = self.memory.hand
        state = hand.best.story.state if hand else course.state
        if not (state.turn.over and (hand or state.final)):
            return self._preview(course)
        self._next = replace(self.memory, hand=None)
        return concluded(course, self.memory, hand, passed)

    def _thrown(self, course: Course, reading: Reading) -> Verdict:
        memory = self.memory
        if not reading.dice and memory.missed is None:
            return self._preview(course)
        if memory.missed is not None and (memory.missed.throw < reading.throw or not reading.dice):
            missed, memory.missed = memory.missed, None
            forced = None if self._thrown_over(course, missed, reading) else self._forced(course, missed)
            memory.doubtful = True
            if forced is not None and forced.best.score >= ABSURD:
                # Recorded now; the same reading is then judged again from there.
                verdict = self._final(course, forced, missed)
                assert self._next is not None
                self._next.throw = missed.throw
                return verdict
        if not reading.dice:
            return self._preview(course)
        if memory.hand is not None and memory.hand.best.halfway:
            memory.doubtful = True  # a card was being used, and nobody saw to what end
        ranking = ranked(by_throw(course, memory, reading))
        if ranking is not None and not ranking.best.found and not ranking.best.world.found:
            memory.throw, memory.none = reading.throw, memory.none | {reading.throw}  # hands have moved dice
            before, verdict = memory.hand, self._by_hand(course, unthrown(reading, memory.none))
            if verdict.findings or memory.hand is None or memory.hand is before:
                return verdict
            memory.hand = with_throws(memory.hand, ranking)  # … or that was a throw after all: what comes may tell
            return self._preview(course)
        if ranking is None or not self._likely(ranking, reading):
            memory.missed = reading
            return self._preview(course, counting.thrown(course.state, reading, memory.cleared))
        return self._final(course, ranking, reading)

    def _thrown_over(self, course: Course, missed: Reading, reading: Reading) -> bool:
        """Whether a throw with dice missing was simply thrown over again, as when one fell from the table: nothing was
        set aside, the table never empty, and the new throw is what was due."""
        if not counting.missing(course.state, missed, self.memory.cleared):
            return False
        ranking = ranked(by_throw(course, self.memory, reading)) if reading.dice else None
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

    def _forced(self, course: Course, reading: Reading) -> Ranking | None:
        """A throw that did not fit, told as well as it can be, missing dice as unread."""
        most = counting.missing(course.state, reading, self.memory.cleared)
        return ranked(one for hidden in range(most + 1) for one in by_throw(course, self.memory, reading, hidden))

    def _final(self, course: Course, ranking: Ranking | None, reading: Reading) -> Verdict:
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
        return verdict_of(course, self.memory, ranking, dice.active)

    def _amended(self, course: Course, ranking: Ranking, reading: Reading) -> Verdict:
        """Something on record was otherwise. What hands have done since the last throw is as it was."""
        verdict, best = self._final(course, ranking, reading), ranking.best
        if not best.found:
            same = (one for one in ranking.told if one.world.found == best.world.found)
            hand = ranked(replace(one, world=World(one.world.state)) for one in same)
            self._next = replace(self.memory, hand=hand, suspected=None, cost=self.memory.cost + best.score)
        return verdict

    def _preview(self, course: Course, notices: tuple[Sentence, ...] = ()) -> Verdict:
        """Nothing to record yet, only to show."""
        final = concluded(course, self.memory, self.memory.hand, lambda story: story)
        return Verdict(preview=final.findings, unsure=final.questions, notices=notices)
