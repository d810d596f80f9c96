"""Decides how the belief changes the record, and which doubts to ask about now.

The next roll often shows how dice were set aside before, so a doubt about the running turn is asked about at once only
if another explanation is about as likely. Any other doubt waits until the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from companion.game.changes import Question
from companion.game.moves import Moves, as_lines, move_texts, moves_from, played, without_keeps
from companion.game.referee.answers import throws
from companion.game.referee.beam import Belief
from companion.game.referee.counting import without
from companion.game.referee.effects import chance_of_same, weighed
from companion.game.referee.model import Hypothesis, Zone
from companion.game.referee.publish import (
    explanations,
    head,
    known,
    likeliest,
    over_lines,
    turn_of,
    values,
    varied,
    with_card,
    with_purchases,
    written,
)
from companion.game.referee.questions import (
    SURE_DIE,
    URGENT,
    Explanation,
    PossibleQuestion,
    questions,
)
from companion.game.referee.stays import Snapshot, Stay
from companion.game.referee.transitions import Transitions
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline
from engine.dice import UNREAD
from vision.types import Reading

GOOD = -6.5  # log chance of the last step from which a history is recorded at once
LASTING_SECONDS = 0.7  # a less likely or doubtful history is recorded this long after it was first found
AGREEING = 1 / 2  # chance of agreeing with the record, relative to the best, below which the record is corrected
BELIEVED = 0.5  # chance below which nothing is recorded or shown
CONFIDENT = 0.9  # chance from which a running turn is recorded; below it is a preview until the turn ends
VARIED = 8  # number of hypotheses for which other faces are tried where the record says so


class Conclusions:
    """Compares a belief about the lines from `begin` on with the record.

    Methods return None instead of a verdict if a person's line contradicts the belief.
    """

    def __init__(self, transitions: Transitions) -> None:
        """Starts without conclusions. transitions: the transition model of the game."""
        self._transitions = transitions
        self._asked: set[int] = set()  # numbers of lines that have been asked about
        self._unsaid: float | None = None  # seconds when a verdict first had to wait
        self._unconfirmed = False  # the last conclusion is a preview
        self._seconds, self._often = 0.0, False  # seconds of the last reading; whether readings are frequent
        self.cards_tell = False  # cards will soon add evidence
        self.inserted = 0  # lines that the last verdict inserts before the belief begins

    def at(self, seconds: float) -> None:
        """Sets the time of the reading."""
        if seconds != self._seconds:
            self._often = 0.0 < seconds - self._seconds < LASTING_SECONDS
            self._seconds = seconds

    @property
    def waits(self) -> bool:
        """Whether something will be recorded once its snapshot has lasted long enough."""
        return self._unsaid is not None

    def forget(self) -> None:
        """Drops changes that wait to be recorded."""
        self._unsaid = None

    def recorded(self, asked: Iterable[Question]) -> None:
        """Notes that the last verdict is on record, with these questions."""
        self.forget()
        self._asked |= {number for question in asked for number in question.lines}

    def conclude(
        self, timeline: Timeline, begin: int, belief: Belief, reading: Reading, now: bool = False
    ) -> Verdict | None:
        """The change of the record after this reading. now: no other reading will add anything."""
        record, weighed = moves_from(timeline, begin), belief.playing
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
            explained = (*record, *as_lines(timeline.game, best.moves[place : best.thrown]))
        final = Verdict()
        if explained == record:
            closing = self.closing(timeline, begin, belief, everything=False, preview=True) or Verdict()
            final = Verdict(preview=closing.findings, unsure=closing.questions)
        elif best.unread or (stands and _strange(best, belief.snapshot)):
            seen = without(reading, belief.idle - _strange(best, belief.snapshot))
            return Verdict(notices=self._transitions.unexplained(timeline.state, seen, best.cleared))
        stories = list(explanations(weighed, partial(head, throws=throws(best))))
        sure = chance_of_same(self._transitions, best.base, explained, stories) or 0.0
        asked, doubted = self._doubts(timeline, begin, explained, stories, best, over_lines(explained))
        if explained == record and not asked:
            self._unsaid = None
        elif (best.step_log_chance < GOOD or (doubted and self._often)) and not now:
            self._unsaid = reading.seconds if self._unsaid is None else self._unsaid
            if reading.seconds - self._unsaid < LASTING_SECONDS:
                return Verdict()  # the next reading may settle it
        found = self._written(timeline, begin, explained, asked, sure, belief)
        if found is None:
            return None
        over = now or bool(over_lines(explained))
        held = self._held(found, 1.0 if explained == record else sure, bool(best.bought), over)
        if held is not None:
            return held
        self.inserted = len(best.bought)
        if best.bought:
            found = with_purchases(found, best, weighed)
        return replace(found, preview=final.preview if not found.findings else (), unsure=final.unsure)

    def _held(self, found: Verdict, sure: float, bought: bool, over: bool) -> Verdict | None:
        """The preview to show instead of findings that are not certain enough for the record; None if they are.

        Args:
            sure: The chance of all findings together.
            bought: They need a purchase that no player has entered.
            over: The turn is over.
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
        """The message while the dice on the table are probably not part of this game."""
        self._unsaid, best = None, belief.ranked[0].hypothesis
        return Verdict(notices=self._transitions.unexplained(timeline.state, reading, best.cleared))

    def last(self, timeline: Timeline, begin: int, belief: Belief, reading: Reading | None) -> Verdict | None:
        """The verdict that records the rest at the end of the source."""
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
        """The verdict that makes everything seen so far final, or with `preview` shows it.

        Args:
            everything: Dice still in play are set aside too.
            late: Lines that are already on record may be asked about too.
        """
        record, seat = moves_from(timeline, begin), timeline.state.seat

        def closed(h: Hypothesis, place: int | None) -> Hypothesis | None:
            if place is None:
                return None
            if everything and (ended := turn_of(h, place, seat)) is not None:
                h = ended
            if not everything and place < h.thrown and (h.unread or preview):
                return None  # a partly seen roll is believed when another follows
            return self._transitions.closed(h, everything, preview) if h.state.seat == seat else None

        weighed = belief.playing
        if sum(one.chance for one in weighed if known(one.hypothesis, record) is not None) < AGREEING:
            more = (other for one in weighed[:VARIED] for other in varied(one))  # what it becomes after an answer
            weighed = tuple(sorted((*weighed, *more), key=lambda one: -one.score))
        agreeing = [
            replace(one, hypothesis=done)
            for one in weighed
            if (done := closed(one.hypothesis, known(one.hypothesis, record))) is not None
        ]
        agree = sum(one.chance for one in weighed if known(one.hypothesis, record) is not None)
        likely = 0.0 if everything else AGREEING * agree  # a person has said that the turn is over
        if sum(one.chance for one in agreeing) <= likely:  # then probably nothing is final
            return Verdict()
        best = likeliest(agreeing, lambda h: h.lines)[0].hypothesis
        explained = (*record, *as_lines(timeline.game, best.moves[known(best, record) :]))

        def ended(h: Hypothesis) -> Moves | None:
            done = closed(with_card(h), known(h, record) or 0)
            return done.lines if done is not None and (done.acts or not record) else None

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
        """The questions that are still open about a turn that is over. end: the place after its last line."""
        explained = moves_from(timeline, begin, end)
        tail = without_keeps(moves_from(timeline, end))

        def ended(h: Hypothesis) -> Moves | None:
            for done in (h.kept(tuple(d.var for d in h.dice if d.zone is not Zone.KEPT)), h):
                if done is not None and played(timeline.game, done.state, tail) is not None:
                    return h.lines
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
        explained: Moves,
        asked: Iterable[PossibleQuestion],
        sure: float,
        belief: Belief,
        upto: int | None = None,
    ) -> Verdict | None:
        """The verdict that makes the record read `explained`, of which the belief is `sure`."""
        weigh = partial(weighed, self._transitions, timeline.replay.states[begin], explained)
        return written(
            timeline.game, explained, timeline.lines[begin:upto], begin, asked, sure, belief.marks is not None, weigh
        )

    def _doubts(
        self,
        timeline: Timeline,
        begin: int,
        explained: Moves,
        stories: Iterable[Explanation],
        best: Hypothesis,
        over: int,
        late: bool = True,
        upto: int | None = None,
    ) -> tuple[list[PossibleQuestion], bool]:
        """The questions to ask now, and whether any question that matters is open.

        Args:
            over: The number of lines that belong to turns that are over.
            late: Lines that are already on record may be asked about too.
            upto: The place after the last line on record that counts.
        """
        old = timeline.lines[begin:upto]
        events = move_texts(timeline.game, explained)
        same = 0
        while same < min(len(old), len(explained)) and old[same].event == events[same]:
            same += 1
        doubts = questions(explained, stories)
        doubts += values(best, explained, doubts, SURE_DIE)
        about = {place for doubt in doubts for place in doubt.lines}
        unread = {i for i in range(same, len(explained)) if UNREAD in explained[i].shows}
        unseen = best.step_log_chance < GOOD or best.missed
        unclear = unread | ({len(explained) - 1} if len(explained) > same and unseen else set())
        doubts += [PossibleQuestion((i,), (explained[i : i + 1],), 0.0) for i in sorted(unclear - about)]
        begun = timeline.replay.states[begin]
        fresh = [
            weighed(self._transitions, begun, explained, doubt)
            for doubt in doubts
            if (late or min(doubt.lines) >= same)
            and (max(doubt.lines) >= same or not any(old[i].number in self._asked for i in doubt.lines))
        ]
        due = [
            doubt
            for doubt in fresh
            if (doubt.chance < URGENT and not self.cards_tell)
            or max(doubt.lines) < over
            or unread.intersection(doubt.lines)
        ]
        return due, any(doubt.matters for doubt in fresh)


def _strange(h: Hypothesis, snapshot: Snapshot | None) -> frozenset[Stay]:
    """Dice outside the game that seem to have been rolled with the others."""
    stays = () if snapshot is None else (sighting.stay for sighting in snapshot.sightings)
    return frozenset(
        stay for stay in stays if stay in h.idle and snapshot and stay.came == snapshot.throws and stay.rolled > 0.5
    )
