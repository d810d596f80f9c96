"""The referee as one belief: readings in, verdicts out.

The belief is about what has happened since a checkpoint: the beginning of the running turn, or the last line a person
has changed in it. A person's line is the truth: the belief begins anew there, with the dice that lie there taken for
those of the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.game.changes import Line, Question
from companion.game.log import GameLog
from companion.game.referee import counting
from companion.game.referee.answers import ends_turn, throws, told_anew
from companion.game.referee.beam import Belief
from companion.game.referee.model import Die, Habits, Hypothesis, Zone, lines
from companion.game.referee.observation import Observer, Scene
from companion.game.referee.publish import head, known, likeliest, tellings, values, varied, with_purchases, written
from companion.game.referee.purchases import bought
from companion.game.referee.questions import SURE, SURE_DIE, SURPRISED, Telling, questions, which
from companion.game.referee.sentences import from_camera
from companion.game.referee.verdict import Correction, Verdict
from companion.game.timeline import Timeline
from vision.types import Reading

GOOD = -6.5  # log chance of the last scene's step from which on a history is recorded at once …
STRANGE = -4.5  # … from which on little doubt is enough for a question
LASTING_SECONDS = 0.7  # … another only when nothing better was found for so long, one with a question no sooner
CLEAR = 0.7  # chance from which on what stands on record is put right at once
AGREEING = 1 / 2  # chance of all that agrees with the record, beside the best, below which the record is put right
ENRICHED = 6  # hypotheses, the likeliest, that are tried with purchases nobody has entered
VARIED = 8  # hypotheses, the likeliest, whose dice may show something else, where a record says so


@dataclass(frozen=True, slots=True)
class Past:
    """A turn that is over: its belief, and the numbers of its lines when it ended."""

    belief: Belief
    numbers: tuple[int, ...]


class BeliefReferee:
    """Explains readings of one game."""

    def __init__(self, habits: Habits) -> None:
        """habits: of the game that is played."""
        self._habits = habits
        self._observer = Observer()
        self._belief: Belief | None = None
        self._begin = 0  # place in the record where the belief begins
        self._numbers: tuple[int, ...] | None = None
        self._anew: tuple[tuple[str, ...], Belief, int] | None = None
        self._past: list[Past] = []
        self._asked: set[int] = set()  # numbers of lines about which something has been asked
        self._since: tuple[object, float] = (None, 0.0)
        self._known: tuple[int, ...] | None = None  # numbers of the lines the last verdict was about
        self._verdict = Verdict()
        self._reading: Reading | None = None
        self._seconds, self._often = 0.0, False  # of the last reading; whether the one before was a moment ago
        self._unsaid: float | None = None  # seconds when something was first not said because of a question
        self._inserted = 0  # lines of the last verdict that go before where the belief begins

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """What this reading says."""
        if timeline.state.finished:
            return Verdict()
        if reading.seconds != self._seconds:
            self._often = 0.0 < reading.seconds - self._seconds < LASTING_SECONDS
            self._seconds = reading.seconds
        notices = from_camera(reading.doubt)
        belief = self._follow(timeline)
        if not reading.settled:
            return replace(self._verdict, findings=(), questions=(), notices=notices or self._verdict.notices)
        self._reading = reading
        before = self._observer.scene
        if before is not None and reading.throw < before.throw:  # the camera was opened anew and counts from the start
            self._observer = Observer()
            belief = self._anchor(timeline)
        scene = self._observer.see(reading)
        if before is None and counting.on_record(timeline, reading) and belief.hypotheses[0].dice:
            self._observer.scene = scene
            belief = self._anchor(timeline)
        elif _unchanged(belief.scene, scene):
            waits = self._since[0] is not None or self._unsaid is not None
            same = not belief.looked_again() and not waits and not self._verdict.findings
            if same and self._known == self._numbers:
                self._observer.scene = scene
                return replace(self._verdict, notices=notices or self._verdict.notices)
        else:
            here = belief.hypotheses
            told = belief.step(scene)
            if told and belief.ranked[0].hypothesis.step < GOOD:
                belief.also(self._richer(timeline, here[:ENRICHED]))
            if not told:  # the next look may tell
                thrown = before is None or reading.throw != before.throw
                said = self._habits.unexplained(timeline.state, reading, here[0].cleared) if thrown else ()
                before_that = Verdict() if self._unsaid is None else self._conclude(timeline, reading)
                return replace(before_that, notices=notices or said)
        self._observer.scene = scene
        self._verdict = self._conclude(timeline, reading)
        self._known = self._numbers
        return replace(self._verdict, notices=notices or self._verdict.notices)

    def _richer(self, timeline: Timeline, hypotheses: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
        """These with purchases made before that nobody has entered."""
        for then, purchases, cost in bought(timeline):
            if purchases[-1].at <= self._begin:
                base = then.replay.states[self._begin + len(purchases)]
                for h in hypotheses if then.replay.states != timeline.replay.states else ():
                    other = h.but(bought=purchases).at(cost).replayed(base)
                    if other is not None:
                        yield other

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The last findings are on record."""
        assert self._belief is not None
        if self._inserted:
            self._begin += self._inserted
            self._inserted = 0
            state = timeline.replay.states[self._begin]
            again = [h.replayed(state) for h in self._belief.hypotheses]
            self._belief.keep(h.but(bought=()) for h in again if h is not None)
            self._belief.begun = tuple(h.but(base=state, state=state) for h in self._belief.begun)
        self._numbers = tuple(line.number for line in timeline.lines)
        self._since, self._unsaid = (None, 0.0), None
        self._asked |= {number for question in questions for number in question.lines}
        belief = self._belief
        assert belief is not None
        record = _texts(timeline, self._begin)
        closed = [_closed(h, record) for h in belief.hypotheses]
        if any(closed):
            belief.keep(one or h for one, h in zip(closed, belief.hypotheses, strict=True))
        begun = self._habits.began(timeline)
        if begun > self._begin and len(timeline.lines) - begun > 1:
            self._rebase(timeline, begun)

    def ending(self, timeline: Timeline) -> Verdict:
        """What has to be recorded for the running turn to be over as it lies."""
        return self._closing(timeline, everything=True)

    def finish(self, timeline: Timeline) -> Verdict:
        """Nothing more will be seen."""
        if timeline.state.finished or self._belief is None:
            return Verdict()
        self._follow(timeline)
        if self._unsaid is not None and self._reading is not None:
            self._often = False
            found = self._conclude(timeline, self._reading)
            if found.findings:
                return found
        return self._closing(timeline, everything=False)

    def told_anew(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """What was seen of this turn, as it is after this answer."""
        place = book.place(asked.lines[0])
        timeline = book.timeline
        if self._belief is not None and place >= self._begin:
            begin = self._begin
            told = told_anew(book, self._belief, begin, len(book.lines), place, asked, answer, running=True)
            if told is not None:
                lines_then = (*book.lines[begin : told[0].place], *told[0].lines)
                self._anew = (tuple(line.event for line in lines_then), told[1], begin)
            return told and told[0]
        for past in reversed(self._past):
            there = [timeline.index(number) for number in past.numbers]
            places = [one for one in there if one is not None]
            if len(places) == len(there) and places and asked.lines[0] in past.numbers:
                told = told_anew(book, past.belief, places[0], places[-1] + 1, place, asked, answer, running=False)
                return told and told[0]
        return None

    # The record

    def _follow(self, timeline: Timeline) -> Belief:
        """The belief about the running turn, after what people may have changed."""
        numbers = tuple(line.number for line in timeline.lines)
        belief = self._belief
        if belief is not None and numbers == self._numbers:
            return belief
        if belief is not None and self._numbers is not None:
            mine = self._numbers[self._begin :]
            begin = len(numbers) - len(mine)
            if begin >= 0 and numbers[begin:] == mine and self._habits.began(timeline) <= begin + len(mine):
                again = [h.replayed(timeline.replay.states[begin]) for h in belief.hypotheses]
                if any(again) and (mine or timeline.state.turn == belief.hypotheses[0].base.turn):
                    belief.keep(one for one in again if one is not None)
                    self._begin, self._numbers = begin, numbers
                    return belief
        if self._anew is not None:
            texts, anew, begin = self._anew
            self._anew = None
            if _texts(timeline, begin) == texts:
                self._belief, self._begin, self._numbers = anew, begin, numbers
                return anew
        return self._anchor(timeline)

    def _anchor(self, timeline: Timeline) -> Belief:
        """Begin anew at the end of the record, with the dice that lie there as those of the record."""
        if self._belief is not None and self._numbers is not None and self._belief.scenes:
            mine = self._numbers[self._begin :]
            first = timeline.index(mine[0]) if mine else None
            if first is not None and all(timeline.index(number) is not None for number in mine):
                its = timeline.lines[first:]  # with what ended the turn, if something did
                count = max([len(mine), *(i + 1 for i, line in enumerate(its) if ends_turn(timeline.game, line))])
                self._past = [*self._past[-2:], Past(self._belief, tuple(line.number for line in its[:count]))]
        state, scene = timeline.state, self._observer.scene
        lying = self._habits.lying(state)
        entries = list(scene.entries) if scene is not None else []
        dice: list[Die] = []
        left = list(entries)
        for name, (face, zone) in enumerate(lying):
            fits = [e for e in left if len(entries) == len(lying) or e.lie.value == face]
            chosen = max(
                fits,
                key=lambda e: e.lie.log_chances[face] + (5.0 if e.kept == (zone is Zone.KEPT) else 0.0),
                default=None,
            )
            if chosen is not None:
                left.remove(chosen)
                row = scene is not None and scene.knows_row and chosen.kept and chosen.lie.value == face
                where = Zone.ASIDE if zone is Zone.ACTIVE and row else zone
                dice.append(Die(name, where, chosen.lie, True))
            else:
                dice.append(Die(name, zone))
        h = Hypothesis(
            self._habits,
            state,
            state,
            faces=tuple(face for face, _ in lying),
            links=tuple(() for _ in lying),
            dice=tuple(dice),
            idle=frozenset(entry.lie.number for entry in left),
            hard=frozenset(range(len(lying))),
            cleared=scene is not None and not entries,  # before the first look nobody knows
        )
        self._belief = Belief([h], scene)
        self._begin = len(timeline.lines)
        self._numbers = tuple(line.number for line in timeline.lines)
        self._since, self._unsaid, self._verdict = (None, 0.0), None, Verdict()
        return self._belief

    def _rebase(self, timeline: Timeline, begun: int) -> None:
        """The last turn is over for good: the belief is about the running one."""
        belief = self._belief
        assert belief is not None
        assert self._numbers is not None
        record = _texts(timeline, self._begin)[: begun - self._begin]
        state = timeline.replay.states[begun]
        found = []
        for h in belief.hypotheses:
            place = next((i for i in range(len(h.acts) + 1) if lines(h.texts[:i]) == record), None)
            if place is not None:
                while place < len(h.acts) and h.acts[place].verb == "keep":
                    place += 1
                again = h.but(base=state, acts=h.acts[place:]).replayed()
                if again is not None:
                    found.append(again)
        if found:
            self._past = [*self._past[-2:], Past(belief.copied(), self._numbers[self._begin : begun])]
            first = next((i for i, scene in enumerate(belief.scenes) if scene.throw == belief.scenes[-1].throw), 0)
            belief.rebased(found, state, first)
            self._begin = begun

    # What is said

    def _conclude(self, timeline: Timeline, reading: Reading) -> Verdict:
        belief = self._belief
        assert belief is not None
        record, weighed = _texts(timeline, self._begin), belief.ranked
        first, *_ = likeliest(weighed, head)
        best, told, rival = first.hypothesis, head(first.hypothesis), first.chance
        agreeing = [one for one in weighed if known(one.hypothesis, record) is not None]
        stands = sum(one.chance for one in agreeing) >= AGREEING * rival
        if stands:
            best = likeliest(agreeing, head)[0].hypothesis
            place = known(best, record)
            if self._habits.final(best):
                return self._closing(timeline, everything=False)
            told = (*record, *lines(best.texts[place : best.thrown]))
        final = Verdict()
        if told == record:
            self._unsaid = None
            closing = self._closing(timeline, everything=False, preview=True)
            final = Verdict(preview=closing.findings, unsure=closing.questions)
        elif best.unread or (stands and _strange(best, belief.scene)):
            return Verdict(notices=self._habits.unexplained(timeline.state, reading, best.cleared))
        sudden = told != record and best.step < GOOD if stands else rival < CLEAR or best.step < GOOD
        if sudden and not self._stands(told, reading.seconds):
            return Verdict()
        found = self._written(timeline, told, tellings(weighed, partial(head, throws=throws(best))), best)
        if told != record and found.questions and self._often:
            self._unsaid = reading.seconds if self._unsaid is None else self._unsaid
            if reading.seconds - self._unsaid < LASTING_SECONDS:
                return Verdict()  # the next look may tell
        self._inserted = len(best.bought)
        if best.bought:
            found = with_purchases(found, best, weighed)
        return replace(found, preview=final.preview if not found.findings else (), unsure=final.unsure)

    def _written(
        self,
        timeline: Timeline,
        told: tuple[str, ...],
        all_: Iterable[Telling],
        best: Hypothesis,
        late: bool = True,
    ) -> Verdict:
        """What makes the record tell this, with the questions that have not been asked yet. late: about lines that are
        on record already too."""
        old = timeline.lines[self._begin :]
        new = told != tuple(line.event for line in old)
        asked = questions(told, all_, SURPRISED if new and best.step < STRANGE else SURE)
        asked += values(best, told, asked, SURE_DIE)
        same = 0
        while same < min(len(old), len(told)) and old[same].event == told[same]:
            same += 1
        about = {place for q in asked for place in q.lines}
        strange = {i for i in range(same, len(told)) if "?" in told[i] or (i == len(told) - 1 and best.step < GOOD)}
        asked += [Question(which(()), (i,), (told[i : i + 1],)) for i in sorted(strange - about)]
        fresh = [q for q in asked if max(q.lines) >= same or not any(old[i].number in self._asked for i in q.lines)]
        fresh = [q for q in fresh if late or min(q.lines) >= same]
        found = written(told, old, self._begin, fresh, belief_chance(best, self._belief))
        if found is None:  # a person's line
            self._anchor(timeline)
        return found or Verdict()

    def _closing(self, timeline: Timeline, everything: bool, preview: bool = False) -> Verdict:
        """What is seen so far, as if it were final. everything: what is still in play is set aside too."""
        belief = self._belief
        if belief is None:
            return Verdict()
        record, seat = _texts(timeline, self._begin), timeline.state.seat

        def closed(h: Hypothesis, place: int | None) -> Hypothesis | None:
            if place is None:
                return None
            if everything and (ended := _turn_of(h, place, seat)) is not None:
                h = ended
            if not everything and place < h.thrown and (h.unread or preview):
                return None  # a throw of which not all was seen is believed when another follows
            return self._habits.closed(h, everything, preview) if h.state.seat == seat else None

        weighed = belief.ranked
        if sum(one.chance for one in weighed if known(one.hypothesis, record) is not None) < AGREEING:
            more = (other for one in weighed[:VARIED] for other in varied(one))  # what an answer would make of it
            weighed = tuple(sorted((*weighed, *more), key=lambda one: -one.score))
        agreeing = [
            replace(one, hypothesis=done)
            for one in weighed
            if (done := closed(one.hypothesis, known(one.hypothesis, record))) is not None
        ]
        agree = sum(one.chance for one in weighed if known(one.hypothesis, record) is not None)
        if sum(one.chance for one in agreeing) <= AGREEING * agree:  # there is likely nothing to be said
            return Verdict()
        best = likeliest(agreeing, lambda h: lines(h.texts))[0].hypothesis
        place = known(best, record)
        told = (*record, *lines(best.texts[place:]))

        def ended(h: Hypothesis) -> tuple[str, ...] | None:
            done = closed(h, known(h, record) or 0)
            return lines(done.texts) if done is not None and (done.acts or not record) else None

        return self._written(timeline, told, tellings(weighed, ended), best, late=False)

    def _stands(self, what: object, seconds: float) -> bool:
        """Whether this has been the best explanation for long enough."""
        if self._since[0] != what:
            self._since = (what, seconds)
        return seconds - self._since[1] >= LASTING_SECONDS


def _closed(h: Hypothesis, record: Sequence[str]) -> Hypothesis | None:
    """A hypothesis that agrees with the record, with what is on record as set aside set aside."""
    if known(h, record) is not None:
        return h
    done = h.kept(h.set_aside())
    if done is None:
        return None
    if known(done, record) is not None:
        return done
    over = next(h.habits.ends(h), None)
    return over if over is not None and known(over, record) is not None else None


def _turn_of(h: Hypothesis, begin: int, seat: str) -> Hypothesis | None:
    """A hypothesis as it was when this seat's turn ended; itself where the turn goes on."""
    for place in range(begin, len(h.acts)):
        if h.acts[place].seat != seat:
            return h.but(acts=h.acts[:place], dice=()).replayed()
    return h


def _texts(timeline: Timeline, begin: int) -> tuple[str, ...]:
    return tuple(line.event for line in timeline.lines[begin:])


def belief_chance(best: Hypothesis, belief: Belief | None) -> float:
    """How likely the belief holds this one."""
    return next((one.chance for one in belief.ranked if one.hypothesis is best), 0.5) if belief is not None else 0.5


def _strange(h: Hypothesis, scene: Scene | None) -> bool:
    """Whether a die that is none of the game seems to have been thrown with the others."""
    dice = () if scene is None else scene.entries
    return any(e.lie.number in h.idle and e.lie.came == scene.throw and e.lie.rolled > 0.5 for e in dice if scene)


def _unchanged(before: Scene | None, now: Scene) -> bool:
    if before is None or now.numbers != before.numbers or now.throw != before.throw:
        return False
    return not any(entry.covered and (entry.shift or 0.0) > 0.06 for entry in now.entries)
