"""What a belief makes of the record: what is to be written, and which doubts are worth a question now.

Evidence comes as long as a turn is played: what is thrown next often tells what was done before. So a doubt about the
running turn is asked about at once only when something else is about as likely; any other waits until the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from companion.game.changes import Question
from companion.game.referee.answers import throws
from companion.game.referee.beam import Belief
from companion.game.referee.counting import without
from companion.game.referee.effects import chance_of_same, weighed
from companion.game.referee.model import Hypothesis, Zone, lines, without_keeps
from companion.game.referee.observation import Snapshot, Stay
from companion.game.referee.publish import (
    explanations,
    head,
    known,
    likeliest,
    texts_from,
    values,
    varied,
    with_purchases,
    written,
)
from companion.game.referee.questions import SURE, SURE_DIE, SURPRISED, URGENT, Doubt, Explanation, questions, which
from companion.game.referee.transitions import Transitions
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline, after_all
from vision.types import Reading

GOOD = -6.5  # log chance of the last scene's step from which on a history is recorded at once …
STRANGE = -4.5  # … of what the scene looks like, below which little doubt is enough for a question
LASTING_SECONDS = 0.7  # … another, or one that leaves a doubt, only so long after it was first found
AGREEING = 1 / 2  # chance of all that agrees with the record, beside the best, below which the record is put right
BELIEVED = 0.5  # chance below which nothing is recorded, and nothing shown
CONFIDENT = 0.9  # chance from which on a running turn is recorded; below it is only shown until the turn is over
VARIED = 8  # hypotheses, the likeliest, whose dice may show something else, where a record says so


class Conclusions:
    """Says what a belief about the lines from `begin` on tells. None for a verdict: a person's line forbids it."""

    def __init__(self, transitions: Transitions) -> None:
        """habits: of the game that is played."""
        self._transitions = transitions
        self._asked: set[int] = set()  # numbers of lines about which something has been asked
        self._unsaid: float | None = None  # seconds when what is to be said first had to wait
        self._unconfirmed = False  # what was concluded last is only shown until the turn confirms it
        self._seconds, self._often = 0.0, False  # of the last reading; whether the one before was a moment ago
        self.cards_tell = False  # cards in view will soon tell more of what was done last
        self.inserted = 0  # lines of the last verdict that go before where the belief begins

    def at(self, seconds: float) -> None:
        """It is now so late."""
        if seconds != self._seconds:
            self._often = 0.0 < seconds - self._seconds < LASTING_SECONDS
            self._seconds = seconds

    @property
    def waits(self) -> bool:
        """Whether something is to be said once its scene has lasted."""
        return self._unsaid is not None

    def forget(self) -> None:
        """What waits to be said is not said any more."""
        self._unsaid = None

    def recorded(self, asked: Iterable[Question]) -> None:
        """The last verdict is on record, with these questions."""
        self.forget()
        self._asked |= {number for question in asked for number in question.lines}

    def conclude(
        self, timeline: Timeline, begin: int, belief: Belief, reading: Reading, now: bool = False
    ) -> Verdict | None:
        """What this reading, which the belief has seen, makes of the record; now: no other look will tell more."""
        record, weighed = texts_from(timeline, begin), belief.playing
        self._unconfirmed = False
        if belief.suspended > 1.0 - BELIEVED:
            return self._suspended(timeline, belief, reading)
        first, *_ = likeliest(weighed, head)
        best, explained, rival = first.hypothesis, head(first.hypothesis), first.chance
        agreeing = [one for one in weighed if known(one.hypothesis, record) is not None]
        stands = sum(one.chance for one in agreeing) >= AGREEING * rival
        if stands:
            best = likeliest(agreeing, head)[0].hypothesis
            place = known(best, record)
            if self._transitions.final(best):
                return self.closing(timeline, begin, belief, everything=False)
            explained = (*record, *lines(best.texts[place : best.thrown]))
        final = Verdict()
        if explained == record:
            closing = self.closing(timeline, begin, belief, everything=False, preview=True) or Verdict()
            final = Verdict(preview=closing.findings, unsure=closing.questions)
        elif best.unread or (stands and _strange(best, belief.snapshot)):
            seen = without(reading, belief.idle - _strange(best, belief.snapshot))
            return Verdict(notices=self._transitions.unexplained(timeline.state, seen, best.cleared))
        stories = list(explanations(weighed, partial(head, throws=throws(best))))
        sure = chance_of_same(self._transitions, best.base, explained, stories) or 0.0
        asked, doubted = self._doubts(timeline, begin, explained, stories, best, _over(explained))
        if explained == record and not asked:
            self._unsaid = None
        elif (best.step_log_chance < GOOD or (doubted and self._often)) and not now:
            self._unsaid = reading.seconds if self._unsaid is None else self._unsaid
            if reading.seconds - self._unsaid < LASTING_SECONDS:
                return Verdict()  # the next look may tell
        found = self._written(timeline, begin, explained, asked, sure, belief)
        if found is None:
            return None
        held = self._held(found, 1.0 if explained == record else sure, bool(best.bought), now or bool(_over(explained)))
        if held is not None:
            return held
        self.inserted = len(best.bought)
        if best.bought:
            found = with_purchases(found, best, weighed)
        return replace(found, preview=final.preview if not found.findings else (), unsure=final.unsure)

    def _held(self, found: Verdict, sure: float, bought: bool, over: bool) -> Verdict | None:
        """What to show in place of findings that are not certain enough for the record; None where they are.

        Args:
            sure: the chance of all findings together.
            bought: they need a purchase that no player has entered.
            over: the turn is over.
        """
        if sure >= CONFIDENT:
            return None
        if sure < BELIEVED or bought:
            return Verdict()
        adds = all(one.event and one.at is None and one.instead is None for one in found.findings)
        if over or not adds:
            return None
        self._unconfirmed = True
        return Verdict(preview=found.findings, unsure=found.questions)

    def _suspended(self, timeline: Timeline, belief: Belief, reading: Reading) -> Verdict:
        """What to say while what rests on the table is likely not this game."""
        self._unsaid = None
        cleared = belief.ranked[0].hypothesis.cleared
        return Verdict(notices=self._transitions.unexplained(timeline.state, reading, cleared))

    def last(self, timeline: Timeline, begin: int, belief: Belief, reading: Reading | None) -> Verdict | None:
        """Nothing more will be seen: what has not been said yet."""
        if (self.waits or self._unconfirmed) and reading is not None:
            found = self.conclude(timeline, begin, belief, reading, now=True)
            if found is None or found.findings:
                return found
        found = self.closing(timeline, begin, belief, everything=False, late=True)
        return (
            found if found is None or found.findings else self.left_open(timeline, begin, belief, len(timeline.lines))
        )

    def closing(
        self,
        timeline: Timeline,
        begin: int,
        belief: Belief,
        everything: bool,
        preview: bool = False,
        late: bool = False,
    ) -> Verdict | None:
        """What is seen so far, as if it were final. everything: what is still in play is set aside too; preview: only
        to be shown; late: with what may be asked about lines that are on record."""
        record, seat = texts_from(timeline, begin), timeline.state.seat

        def closed(h: Hypothesis, place: int | None) -> Hypothesis | None:
            if place is None:
                return None
            if everything and (ended := _turn_of(h, place, seat)) is not None:
                h = ended
            if not everything and place < h.thrown and (h.unread or preview):
                return None  # a throw of which not all was seen is believed when another follows
            return self._transitions.closed(h, everything, preview) if h.state.seat == seat else None

        weighed = belief.playing
        if sum(one.chance for one in weighed if known(one.hypothesis, record) is not None) < AGREEING:
            more = (other for one in weighed[:VARIED] for other in varied(one))  # what an answer would make of it
            weighed = tuple(sorted((*weighed, *more), key=lambda one: -one.score))
        agreeing = [
            replace(one, hypothesis=done)
            for one in weighed
            if (done := closed(one.hypothesis, known(one.hypothesis, record))) is not None
        ]
        agree = sum(one.chance for one in weighed if known(one.hypothesis, record) is not None)
        likely = 0.0 if everything else AGREEING * agree  # a person has said that the turn is over
        if sum(one.chance for one in agreeing) <= likely:  # there is likely nothing to be said
            return Verdict()
        best = likeliest(agreeing, lambda h: lines(h.texts))[0].hypothesis
        explained = (*record, *lines(best.texts[known(best, record) :]))

        def ended(h: Hypothesis) -> tuple[str, ...] | None:
            done = closed(h, known(h, record) or 0)
            return lines(done.texts) if done is not None and (done.acts or not record) else None

        stories = list(explanations(weighed, ended))
        sure = chance_of_same(self._transitions, timeline.replay.states[begin], explained, stories) or 0.0
        if everything:  # a person has said that the game is on
            sure /= max(sure, sum(one.chance for one in stories)) or 1.0
        asked, _ = self._doubts(timeline, begin, explained, stories, best, len(explained), late)
        found = self._written(timeline, begin, explained, asked, sure, belief)
        if found is None or everything:
            return found
        return self._held(found, sure, False, over=preview or late) or found

    def left_open(self, timeline: Timeline, begin: int, belief: Belief, end: int) -> Verdict | None:
        """The turn whose lines end at `end` is over, with the lines that follow: what is still in doubt of it."""
        explained = texts_from(timeline, begin)[: end - begin]
        tail = without_keeps(texts_from(timeline, end))

        def ended(h: Hypothesis) -> tuple[str, ...] | None:
            for done in (h.kept(tuple(d.var for d in h.dice if d.zone is not Zone.KEPT)), h):
                if done is not None and after_all(timeline.game, done.state, tail) is not None:
                    return lines(h.texts)
            return None

        def explains(h: Hypothesis) -> bool:
            return known(h, explained) is not None or without_keeps(ended(h) or ()) == without_keeps(explained)

        best = next((one.hypothesis for one in belief.playing if explains(one.hypothesis)), None)
        if best is None or not explained:
            return Verdict()
        asked, _ = self._doubts(
            timeline, begin, explained, explanations(belief.playing, ended), best, len(explained), upto=end
        )
        return self._written(timeline, begin, explained, asked, 1.0, belief, end)

    def _written(
        self,
        timeline: Timeline,
        begin: int,
        explained: tuple[str, ...],
        asked: Iterable[Question],
        sure: float,
        belief: Belief,
        upto: int | None = None,
    ) -> Verdict | None:
        """What makes the record tell this, of which the belief is so sure."""
        weigh = partial(weighed, self._transitions, timeline.replay.states[begin], explained)
        return written(explained, timeline.lines[begin:upto], begin, asked, sure, belief.marks is not None, weigh)

    def _doubts(
        self,
        timeline: Timeline,
        begin: int,
        explained: tuple[str, ...],
        stories: Iterable[Explanation],
        best: Hypothesis,
        over: int,
        late: bool = True,
        upto: int | None = None,
    ) -> tuple[list[Question], bool]:
        """What to ask now that has not been asked yet, and whether anything may be asked. over: so many of the lines
        told belong to turns that are over; late: also about lines that are on record; these end at `upto`."""
        old = timeline.lines[begin:upto]
        new = explained != tuple(line.event for line in old)
        strange = new and best.fit < STRANGE
        same = 0
        while same < min(len(old), len(explained)) and old[same].event == explained[same]:
            same += 1
        doubts = questions(explained, stories, SURPRISED if strange else SURE)
        doubts += values(best, explained, doubts, SURE_DIE)
        about = {place for doubt in doubts for place in doubt.question.lines}
        unread = {i for i in range(same, len(explained)) if "?" in explained[i]}
        unseen = best.step_log_chance < GOOD or best.missed
        unclear = unread | ({len(explained) - 1} if len(explained) > same and unseen else set())
        doubts += [Doubt(Question(which(()), (i,), (explained[i : i + 1],)), 0.0) for i in sorted(unclear - about)]
        begun = timeline.replay.states[begin]
        fresh = [
            weighed(self._transitions, begun, explained, doubt)
            for doubt in doubts
            if (late or min(doubt.question.lines) >= same)
            and (
                max(doubt.question.lines) >= same or not any(old[i].number in self._asked for i in doubt.question.lines)
            )
        ]
        due = [
            doubt.question
            for doubt in fresh
            if (doubt.chance < URGENT and not self.cards_tell)
            or max(doubt.question.lines) < over
            or unread.intersection(doubt.question.lines)
        ]
        return (due if not strange else [doubt.question for doubt in fresh]), any(
            doubt.question.matters for doubt in fresh
        )


def _over(explained: Sequence[str]) -> int:
    """So many of these lines are of players who are not on turn any more."""
    return next((i for i in range(len(explained) - 1, 0, -1) if explained[i][0] != explained[i - 1][0]), 0)


def _turn_of(h: Hypothesis, begin: int, seat: str) -> Hypothesis | None:
    """A hypothesis as it was when this seat's turn ended; itself where the turn goes on."""
    for place in range(begin, len(h.acts)):
        if h.acts[place].seat != seat:
            return h.replace(acts=h.acts[:place], dice=()).replayed()
    return h


def _strange(h: Hypothesis, snapshot: Snapshot | None) -> frozenset[Stay]:
    """Dice that are none of the game and seem to have been thrown with the others."""
    stays = () if snapshot is None else (sighting.stay for sighting in snapshot.sightings)
    return frozenset(
        stay for stay in stays if stay in h.idle and snapshot and stay.came == snapshot.throws and stay.rolled > 0.5
    )
