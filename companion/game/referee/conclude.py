"""Decides how the belief changes the record, and which doubts to ask about now.

A player is asked only where another answer leads to another position. The next move often shows what was done before,
so a doubt about the running turn is asked about only after a pause, and only if another explanation is about as likely.
Any other doubt waits until the turn is over. A question that later readings settle is withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from companion.game.changes import Question
from companion.game.moves import Moves, as_lines, moves_from, played, without_keeps
from companion.game.referee.answers import roll_count
from companion.game.referee.beam import Belief
from companion.game.referee.counting import without
from companion.game.referee.doubts import LASTING_SECONDS, PLAUSIBLE_STEP, Doubts
from companion.game.referee.effects import MATTERING, chance_of_same
from companion.game.referee.model import Hypothesis, Zone
from companion.game.referee.publish import (
    explanations,
    head,
    known,
    likeliest,
    over_lines,
    turn_of,
    varied,
    with_card,
    with_purchases,
    written,
)
from companion.game.referee.questions import WORTH_ASKING, Explanation
from companion.game.referee.stays import Snapshot, Stay
from companion.game.referee.transitions import Transitions
from companion.game.referee.verdict import Finding, Verdict
from companion.game.timeline import Timeline, legal
from vision.types import Reading

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
        self.doubts = Doubts(transitions)
        self._waiting_since: float | None = None  # seconds when a verdict first had to wait
        self._unconfirmed = False  # the last conclusion is a preview
        self.inserted = 0  # lines that the last verdict inserts before the belief begins

    @property
    def waits(self) -> bool:
        """Whether something will be recorded or asked once its snapshot has lasted."""
        return self._waiting_since is not None or self.doubts.wait

    def forget(self) -> None:
        """Drops changes and questions that wait."""
        self._waiting_since = None
        self.doubts.forget()

    def recorded(self, asked: Iterable[Question]) -> None:
        """Notes that the last verdict is on record, with these questions."""
        self.forget()
        self.doubts.recorded(asked)

    def conclude(
        self, timeline: Timeline, begin: int, belief: Belief, reading: Reading, now: bool = False
    ) -> Verdict | None:
        """The change of the record after this reading. now: no other reading will add anything."""
        verdict = self._concluded(timeline, begin, belief, reading, now)
        return verdict and replace(verdict, cleared=self.doubts.cleared())

    def _concluded(self, timeline: Timeline, begin: int, belief: Belief, reading: Reading, now: bool) -> Verdict | None:
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
                return self.closing(timeline, begin, belief)
            explained = (*record, *as_lines(timeline.game, best.moves[place : best.last_roll_end]))
        preview: tuple[Finding, ...] = ()
        if explained == record:
            closing = self.closing(timeline, begin, belief, preview=True)
            preview = closing.findings if closing is not None else ()
        elif best.unread or (stands and _strange(best, belief.snapshot)):
            seen = without(reading, belief.idle - _strange(best, belief.snapshot))
            return Verdict(notices=self._transitions.unexplained(timeline.state, seen, best.cleared))
        stories = list(explanations(weighed, partial(head, rolls=roll_count(best))))
        sure = chance_of_same(self._transitions, best.base, explained, stories) or 0.0
        asked, doubted = self.doubts.running(timeline, begin, explained, stories, best, over_lines(explained))
        if explained == record and not asked:
            self._waiting_since = None
        elif (best.step_log_chance < PLAUSIBLE_STEP or (doubted and self.doubts.frequent)) and not now:
            self._waiting_since = reading.seconds if self._waiting_since is None else self._waiting_since
            if reading.seconds - self._waiting_since < LASTING_SECONDS:
                return Verdict()  # the next reading may settle it
        found = written(timeline, begin, explained, asked, sure)
        if found is None:
            return None
        over = now or bool(over_lines(explained))
        held = self._held(found, 1.0 if explained == record else sure, bool(best.bought), over)
        if held is not None:
            return held
        self.inserted = len(best.bought)
        if best.bought:
            found = with_purchases(found, best, weighed)
        return replace(found, preview=preview if not found.findings else ())

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
        if over or not found.appends:
            return None
        self._unconfirmed = True
        return Verdict(preview=found.findings)

    def _suspended(self, timeline: Timeline, belief: Belief, reading: Reading) -> Verdict:
        """The message while the dice on the table are probably not part of this game."""
        self._waiting_since, best = None, belief.ranked[0].hypothesis
        return Verdict(notices=self._transitions.unexplained(timeline.state, reading, best.cleared))

    def last(self, timeline: Timeline, begin: int, belief: Belief, reading: Reading | None) -> Verdict | None:
        """The verdict that records the rest at the end of the source."""
        if (self.waits or self._unconfirmed) and reading is not None:
            found = self.conclude(timeline, begin, belief, reading, now=True)
            if found is None or found.findings:
                return found
        found = self.closing(timeline, begin, belief, late=True)
        return (
            found if found is None or found.findings else self.left_open(timeline, begin, belief, len(timeline.lines))
        )

    def closing(
        self,
        timeline: Timeline,
        begin: int,
        belief: Belief,
        preview: bool = False,
        late: bool = False,
    ) -> Verdict | None:
        """The verdict that makes everything seen so far final, or with `preview` shows it.

        Args:
            late: Lines that are already on record may be asked about too.
        """
        record, seat = moves_from(timeline, begin), timeline.state.seat

        def closed(h: Hypothesis, place: int | None) -> Hypothesis | None:
            if place is None or (place < h.last_roll_end and (h.unread or preview)):
                return None  # a partly seen roll is believed when another follows
            return self._transitions.closed(h, False, preview) if h.state.seat == seat else None

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
        if sum(one.chance for one in agreeing) <= AGREEING * agree:  # then probably nothing is final
            return Verdict()
        best = likeliest(agreeing, lambda h: h.lines)[0].hypothesis
        explained = (*record, *as_lines(timeline.game, best.moves[known(best, record) :]))

        def ended(h: Hypothesis) -> Moves | None:
            done = closed(with_card(h), known(h, record) or 0)
            return done.lines if done is not None and (done.acts or not record) else None

        stories = list(explanations(weighed, ended))
        sure = chance_of_same(self._transitions, timeline.replay.states[begin], explained, stories) or 0.0
        asked = self.doubts.ended(timeline, begin, explained, stories, best, late)
        found = written(timeline, begin, explained, asked, sure)
        return found and (self._held(found, sure, False, over=preview or late) or found)

    def ending(self, timeline: Timeline, begin: int, belief: Belief, event: str) -> Verdict | None:
        """The verdict that ends the running turn with the dice as they rest, because a person enters this event.

        The event is taken as true: the likeliest history that allows it counts, even where it contradicts the record.
        If no history does, the verdict is empty. Doubts are asked about once the event is on record (`left_open`).
        """
        record, game, self.inserted = moves_from(timeline, begin), timeline.game, 0
        histories = [*belief.playing, *(other for one in belief.playing[:VARIED] for other in varied(one))]

        def over(h: Hypothesis) -> Moves | None:
            """The lines of a history that allows the event."""
            place = known(h, record)
            ended = turn_of(with_card(h), place or 0, event[0])
            done = None if ended is None else self._transitions.closed(ended, True, False)
            if done is None or not legal(game, done.state, event):
                return None
            return done.lines if place is None else (*record, *as_lines(game, done.moves[place:]))

        found = likeliest(histories, over)
        if not found or found[0].chance < WORTH_ASKING * sum(one.chance for one in belief.playing):
            return Verdict()
        agreeing = likeliest((one for one in histories if known(one.hypothesis, record) is not None), over)
        if sum(one.chance for one in agreeing) >= AGREEING * found[0].chance:
            found = agreeing  # the record stands
        explained, stories = over(found[0].hypothesis) or (), list(explanations(histories, over))
        sure = chance_of_same(self._transitions, timeline.replay.states[begin], explained, stories) or 0.0
        return written(timeline, begin, explained, (), sure / sum(one.chance for one in stories))

    def left_open(self, timeline: Timeline, begin: int, belief: Belief, end: int) -> Verdict | None:
        """The questions that are still open about a turn that is over. end: the place after its last line."""
        explained = moves_from(timeline, begin, end)
        tail = without_keeps(moves_from(timeline, end))

        def over(h: Hypothesis) -> Any:
            """The position after the turn; None if the history contradicts how the turn ended."""
            ends = (h.kept(tuple(d.var for d in h.dice if d.zone is not Zone.KEPT)), h)
            states = (played(timeline.game, done.state, tail) for done in ends if done is not None)
            return next((state for state in states if state is not None), None)

        after = {one: state for one in belief.playing if (state := over(one.hypothesis)) is not None}
        agreeing = [
            one
            for one in belief.playing
            if known(one.hypothesis, explained) is not None
            or (one in after and without_keeps(one.hypothesis.lines) == without_keeps(explained))
        ]
        if not agreeing or not explained:
            return Verdict()
        best = agreeing[0]
        stories = [Explanation(one.hypothesis.lines, one.chance) for one in after]
        asked = self.doubts.ended(timeline, begin, explained, stories, best.hypothesis, upto=end)
        same = sum(one.chance for one, state in after.items() if state == after.get(best))
        if same >= (1.0 - MATTERING) * sum(one.chance for one in after):  # the answer does not change the game
            asked = [doubt._replace(matters=False) for doubt in asked]
        return written(timeline, begin, explained, asked, 1.0, end)


def _strange(h: Hypothesis, snapshot: Snapshot | None) -> frozenset[Stay]:
    """Dice outside the game that seem to have been rolled with the others."""
    new = () if snapshot is None else (one.stay for one in snapshot.sightings if one.stay.seconds == snapshot.seconds)
    return frozenset(stay for stay in new if stay in h.idle and stay.rolled > 0.5)
