"""The referee: readings in, verdicts out.

It holds a belief about what has happened since a checkpoint: the start of the running turn, or the last line of it that
a person has entered. What a person enters is true, so the belief restarts there and takes the dice on the table for
those of the record.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from companion.game.changes import Line, Question
from companion.game.log import GameLog
from companion.game.moves import Moves, moves_from, moves_of
from companion.game.referee.answers import Past, places, recomputed
from companion.game.referee.beam import Belief
from companion.game.referee.card_marks import LATER_SECONDS, CardMarks
from companion.game.referee.checkpoint import as_recorded
from companion.game.referee.conclude import CONFIDENT, VARIED, Conclusions
from companion.game.referee.counting import on_record, without
from companion.game.referee.doubts import PLAUSIBLE_STEP
from companion.game.referee.faults import unfailing
from companion.game.referee.observation import Observer
from companion.game.referee.publish import as_final, varied, without_turn
from companion.game.referee.purchases import richer
from companion.game.referee.sentences import from_camera
from companion.game.referee.stays import Snapshot, Stay
from companion.game.referee.transitions import Transitions
from companion.game.referee.verdict import Correction, Verdict
from companion.game.timeline import Timeline
from vision.tracking.constants import ROLLED_UNSEEN
from vision.types import Reading

FIRST_SECONDS = 0.7  # dice seen this soon after the first reading were there before the game
ENRICHED = 6  # number of hypotheses that are tried with purchases which were not entered


@unfailing
class Referee:
    """Explains the readings of one game. It remembers what it has seen, so it belongs to one table."""

    def __init__(self, transitions: Transitions) -> None:
        """Starts without observations. transitions: the transition model of the game."""
        self._transitions = transitions
        self._observer = Observer()
        self._belief: Belief | None = None
        self._begin = 0  # place in the record where the belief begins
        self._numbers: tuple[int, ...] | None = None
        self._refiltered: tuple[Moves, Belief, int] | None = None
        self._past: list[Past] = []
        self._conclusions = Conclusions(transitions)
        self._about_past_turn = False  # the last verdict was about a turn that is over
        self._known: tuple[int, ...] | None = None  # numbers of the lines the last verdict was about
        self._verdict = Verdict()
        self._reading: Reading | None = None
        self._observed: tuple[Reading, Snapshot] | None = None  # the last settled reading, and its snapshot
        self._marks: CardMarks | None = None
        self._first = math.inf  # seconds of the first reading
        self._changed = -math.inf  # seconds when the dice last changed
        self._calm = False  # whether the cards have been seen since the dice last changed

    def see_cards(self, marks: CardMarks) -> None:
        """Sets the observed positions of the cards; they count from the next reading on."""
        self._marks = marks

    def note_dice_before(self, timeline: Timeline, reading: Reading) -> None:
        """Notes the dice on the table before the first roll of this game: none of them is part of the game."""
        self._observer.watch(reading)
        self._observer.snapshot = self._observer.see(replace(reading, settled=False))
        self._restart_at(timeline)

    def watch_restarted(self, timeline: Timeline) -> None:
        """Restarts with vision, which counts rolls and dice from the start."""
        self._observer, self._observed, self._reading, self._marks = Observer(), None, None, None
        self._first = -math.inf  # dice that arrive from now on were rolled
        self._restart_at(timeline)

    def played(self, reading: Reading) -> Reading:
        """The reading without the dice that are probably not part of the game."""
        return without(reading, self._idle())

    def _idle(self) -> frozenset[Stay]:
        return frozenset() if self._belief is None else self._belief.idle

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """The verdict after this reading."""
        self._conclusions.doubts.set_time(reading.seconds)
        open_doubts = self._left_open(timeline)
        if timeline.state.finished or open_doubts.findings:
            return open_doubts
        notices = from_camera(reading.doubt)
        before = self._observer.snapshot
        if self._reading is not None and reading.rolls < self._reading.rolls:
            self.watch_restarted(timeline)
        empty = reading.settled and not reading.dice  # then all later dice are put there during the game
        self._first = -math.inf if empty else min(self._first, reading.seconds)
        early = reading.seconds - self._first <= FIRST_SECONDS and not timeline.lines
        if early and reading.dice and all(die.rolled <= ROLLED_UNSEEN for die in reading.dice):
            self.note_dice_before(timeline, reading)
            return Verdict(notices=notices)
        belief = self._current_belief(timeline)
        self._reading = reading
        if not reading.settled:
            self._observer.watch(reading)
            self._changed, self._calm = reading.seconds, False
            return replace(self._verdict, findings=(), questions=(), notices=notices or self._verdict.notices)
        recorded = self._observer.snapshot is None and on_record(timeline, self.played(reading))
        snapshot = self._observe(belief, reading, brief_rests=not recorded)
        other = belief.reread_dice()
        was, self._calm = self._calm, reading.seconds - self._changed >= LATER_SECONDS
        cards_changed = self._weigh_cards(belief, reading.seconds) or (self._calm and not was)
        if recorded:
            self._observer.snapshot = snapshot
            self._restart_at(timeline)
        elif belief.snapshot is not None and snapshot.repeats(belief.snapshot):
            same = not other and not self._conclusions.waits and not self._verdict.findings
            if same and not cards_changed and self._known == self._numbers:
                self._observer.snapshot = snapshot
                return replace(self._verdict, notices=notices or self._verdict.notices)
        else:
            self._changed, self._calm = reading.seconds, False
            here = belief.hypotheses
            explained = belief.update(snapshot)
            best = belief.ranked[0].hypothesis
            if explained and (best.suspended or best.step_log_chance < PLAUSIBLE_STEP):
                belief.add(richer(timeline, self._begin, here[:ENRICHED]))
            if not explained:  # the next reading may explain it
                unexplained = (
                    self._transitions.unexplained(timeline.state, self.played(reading), here[0].cleared)
                    if snapshot.rolled or before is None
                    else ()
                )
                before_that = self._conclude(timeline, reading) if self._conclusions.waits else Verdict()
                return replace(before_that, notices=notices or unexplained)
        self._observer.snapshot = snapshot
        self._verdict = self._conclude(timeline, reading)
        self._known = self._numbers
        return replace(self._verdict, notices=notices or self._verdict.notices)

    def _observe(self, belief: Belief, reading: Reading, brief_rests: bool) -> Snapshot:
        """The snapshot of a settled reading, which counts once. brief_rests: first take the brief rests before it."""
        if self._observed is None or self._observed[0] is not reading:
            if brief_rests:
                self._add_brief_rests(belief, reading)
            else:
                self._observer.watch(reading)
            self._observed = reading, self._observer.see(reading)
        return self._observed[1]

    def _add_brief_rests(self, belief: Belief, reading: Reading, over: bool = False) -> None:
        """Advances the belief through brief rests before this reading. over: unsettled dice in it count too."""
        for brief in self._observer.brief_rests(reading, over):
            seen = self._observer.see(brief)
            if belief.update(seen):
                self._observer.snapshot = seen

    def _weigh_cards(self, belief: Belief, seconds: float) -> bool:
        """Weighs the belief by the observed cards. Returns whether they have changed the probabilities."""
        changed = self._marks is not None and (self._marks is not belief.marks or seconds >= belief.due)
        if self._marks is not None and changed:
            belief.see_cards(self._marks, seconds)
        return changed

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """Notes that the last findings are on record. Not called if the journal refused them."""
        belief = self._belief
        assert belief is not None
        self._conclusions.recorded(questions)
        if self._about_past_turn:
            self._about_past_turn, self._numbers = False, tuple(line.number for line in timeline.lines)
            self._restart_at(timeline)
            return
        if self._conclusions.inserted:
            self._begin += self._conclusions.inserted
            self._conclusions.inserted = 0
            state = timeline.replay.states[self._begin]
            again = [h.replayed(state) for h in belief.hypotheses]
            belief.keep(h.replace(bought=()) for h in again if h is not None)
            belief.begun = tuple(h.replace(base=state, state=state) for h in belief.begun)
        self._numbers = tuple(line.number for line in timeline.lines)
        record = moves_from(timeline, self._begin)
        hypotheses = belief.hypotheses
        if not any(as_final(h, record) for h in hypotheses):  # what a person entered needs another face
            hypotheses = tuple(other.hypothesis for one in belief.playing[:VARIED] for other in varied(one))
        closed = [as_final(h, record) for h in hypotheses]
        if any(closed):
            surely = belief.suspended <= 1.0 - CONFIDENT  # then it was this game
            both = zip(closed, hypotheses, strict=True)
            kept = (one or h for one, h in both if one or not (surely and h.suspended))
            belief.keep(h.replace(missed=False) for h in kept)  # the player has been asked about it
        begun = self._transitions.began(timeline)
        if begun > self._begin and len(timeline.lines) - begun > 1:
            self._rebase(timeline, belief, begun)

    def refused(self, timeline: Timeline) -> None:
        """Restarts at the end of the record after its last findings were illegal, which is a bug of the referee."""
        self._about_past_turn = False
        self._restart_at(timeline)

    def until_now(self, timeline: Timeline) -> Verdict:
        """The verdict on the unsettled table, because a person says that the turn is over."""
        belief, numbers = self._belief, tuple(line.number for line in timeline.lines)
        nothing = replace(self._verdict, findings=(), questions=())
        if belief is None or self._reading is None or numbers != self._numbers or timeline.state.finished:
            return nothing
        seen = belief.snapshot
        self._add_brief_rests(belief, self._reading, over=True)
        if belief.snapshot is seen and not self._conclusions.waits:
            return nothing
        concluded = self._conclusions.conclude(timeline, self._begin, belief, self._reading, now=True)
        self._verdict = self._or_restart(timeline, concluded)
        return self._verdict

    def ending(self, timeline: Timeline, event: str) -> Verdict:
        """The verdict that ends the running turn with the dice as they rest, so that a person's event is legal."""
        if self._belief is None or self._numbers != tuple(line.number for line in timeline.lines):
            return Verdict()
        return self._or_restart(timeline, self._conclusions.ending(timeline, self._begin, self._belief, event))

    def finish(self, timeline: Timeline) -> Verdict:
        """The verdict that records the rest at the end of the source."""
        open_doubts = self._left_open(timeline)
        if timeline.state.finished or self._belief is None or open_doubts.findings:
            return open_doubts
        belief = self._current_belief(timeline)
        if self._reading is not None:
            self._add_brief_rests(belief, self._reading, over=True)
        return self._or_restart(timeline, self._conclusions.last(timeline, self._begin, belief, self._reading))

    def recomputed(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """The correction that explains this turn again under this answer; None if the referee cannot decide."""
        place, begin = book.place(asked.lines[0]), self._begin
        if self._belief is not None and place >= begin:
            explained = recomputed(book, self._belief, begin, len(book.lines), place, asked, answer, running=True)
            if explained is not None:
                lines_then = (*book.lines[begin : explained[0].place], *explained[0].lines)
                self._refiltered = moves_of(book.game, lines_then), explained[1], begin
            return explained and explained[0]
        for past in reversed(self._past):
            span = places(past.numbers, book.timeline)
            if span is not None and asked.lines[0] in past.numbers:
                explained = recomputed(book, past.belief, span.start, span.stop, place, asked, answer, running=False)
                return explained and explained[0]
        return None

    def _conclude(self, timeline: Timeline, reading: Reading) -> Verdict:
        assert self._belief is not None
        self._conclusions.doubts.cards_pending = self._belief.marks is not None and not self._calm
        return self._or_restart(timeline, self._conclusions.conclude(timeline, self._begin, self._belief, reading))

    def _or_restart(self, timeline: Timeline, verdict: Verdict | None) -> Verdict:
        """The verdict; if it is None, the belief restarts."""
        if verdict is None:
            self._restart_at(timeline)
        return verdict or Verdict()

    def _left_open(self, timeline: Timeline) -> Verdict:
        """Remaining doubts about lines after which people have entered something."""
        self._about_past_turn = False
        if self._belief is None or self._numbers is None or self._refiltered is not None:
            return Verdict()
        end = len(self._numbers)
        if end == len(timeline.lines) or self._numbers != tuple(line.number for line in timeline.lines[:end]):
            return Verdict()
        explained = takewhile(lambda line: line.by == "camera", timeline.lines[end:])  # on record with a person's line
        end = max([end, *(end + i for i, line in enumerate(explained, 1) if not line.move.startswith("keep "))])
        open_doubts = self._conclusions.left_open(timeline, self._begin, self._belief, end) or Verdict()
        self._about_past_turn = bool(open_doubts.findings)
        return open_doubts

    def _current_belief(self, timeline: Timeline) -> Belief:
        """The belief about the running turn, updated with changes that people may have made."""
        numbers = tuple(line.number for line in timeline.lines)
        belief = self._belief
        if belief is not None and numbers == self._numbers:
            return belief
        if belief is not None and self._numbers is not None:
            mine = self._numbers[self._begin :]
            begin = len(numbers) - len(mine)
            more = timeline.lines[len(self._numbers) :] if numbers[: len(self._numbers)] == self._numbers else ()
            recorded = any(line.by == "camera" for line in more)  # lines of the belief itself, before a person's line
            if numbers[begin:] == mine and not recorded and self._transitions.began(timeline) <= begin + len(mine):
                again = [h.replayed(timeline.replay.states[begin]) for h in belief.hypotheses]
                if any(again) and (mine or timeline.state.turn == belief.hypotheses[0].base.turn):
                    belief.keep(one for one in again if one is not None)
                    self._begin, self._numbers = begin, numbers
                    return belief
        if self._refiltered is not None:
            moves, refiltered, begin = self._refiltered
            self._refiltered = None
            if moves_from(timeline, begin) == moves:
                self._belief, self._begin, self._numbers = refiltered, begin, numbers
                return refiltered
        return self._restart_at(timeline)

    def _restart_at(self, timeline: Timeline) -> Belief:
        """Restarts at the end of the record, with the dice on the table assigned to those of the record."""
        if self._belief is not None and self._numbers is not None and self._belief.snapshots:
            past = Past.of(self._belief, self._numbers[self._begin :], timeline)
            self._past = self._past if past is None else [*self._past[-2:], past]
        snapshot = self._observer.snapshot
        self._belief = Belief([as_recorded(self._transitions, timeline.state, snapshot, self._idle())], snapshot)
        self._begin, self._numbers = len(timeline.lines), tuple(line.number for line in timeline.lines)
        self._verdict = Verdict()
        self._conclusions.forget()
        return self._belief

    def _rebase(self, timeline: Timeline, belief: Belief, begun: int) -> None:
        """Makes the last turn final; from now on the belief is about the running one."""
        record = moves_from(timeline, self._begin, begun)
        state = timeline.replay.states[begun]
        refiltered = [without_turn(h, record, state) for h in belief.hypotheses]
        if found := [h for h in refiltered if h is not None]:
            self._past = [*self._past[-2:], Past(belief.copied(), (self._numbers or ())[self._begin : begun])]
            first = max((i for i, snapshot in enumerate(belief.snapshots) if snapshot.rolled), default=0)
            belief.rebased(found, state, first)
            self._begin = begun
