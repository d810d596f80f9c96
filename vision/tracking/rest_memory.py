"""Remembers the faces of dice at rest, so that a hand that covers or takes a die does not change its reading."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from vision.tracking.constants import HAND_SECONDS, REST_SECONDS, SURE
from vision.tracking.cover import Cover
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import SeenDie


class RestMemory:
    """Remembers each die as it last rested, including dice out of sight.

    Dice are conserved: a newcomer is matched to a die known to be missing, then to one in a hand, then to a covered
    one.

    Attributes:
        settled: The dice of the last settled table, by track; None before the first one.
    """

    def __init__(self, tracker: Tracker, cover: Cover) -> None:
        self.settled: dict[int, SeenDie] | None = None
        self._settled_at = -math.inf  # seconds
        self._known: dict[int, SeenDie] = {}  # dice of all settled tables since the last roll
        self._tracker, self._cover = tracker, cover
        self._rests: dict[int, SeenDie] = {}  # resting dice by track, without those that have rolled since
        self._unread: dict[int, SeenDie] = {}  # dice of the last pass that no settled reading has included
        self._arrived: set[int] = set()  # dice that have arrived since the table last settled
        self._there: set[int] = set()  # dice of the last pass, seen or assumed under a hand
        # Dice that disappeared since the table last settled and are not yet matched to a newcomer.
        self._gone: set[int] = set()
        self._covered: set[int] = set()  # dice that went out of sight under a hand
        self._in_hand: set[int] = set()  # dice seen in a hand

    def known(self, track: int) -> SeenDie | None:
        """The die as it rested when the table last settled with it; None if that was before the last roll."""
        return self._known.get(track)

    def number_taken(self, seconds: float) -> int:
        """Number of dice that were taken since the table last settled: their places were seen empty, or a hand has
        covered them for long."""
        settled = self.settled or {}
        return sum(
            die.track in settled or (die.hidden_since or 0.0) >= self._settled_at
            if die.seen_empty
            else die.believed and die.fading(seconds) <= 0.5
            for die in self._tracker.hidden
        )

    def remember(self, dice: Sequence[TrackedDie], now: Sequence[SeenDie], seconds: float) -> None:
        """Remembers the dice at rest, and forgets those that move away from hands: they are still rolling."""
        for die, resting in zip(dice, now, strict=True):
            if resting.rests:
                self._rests[die.track] = resting
            elif not die.still and self._cover.last(die.box) < seconds - HAND_SECONDS:
                self._rests.pop(die.track, None)

    def settle(self, now: Iterable[SeenDie], seconds: float, rolled: bool) -> None:
        """Notes that a settled reading has included all of these dice. rolled: dice have rolled since the one
        before."""
        self.settled = {die.track: replace(die, new=False, hidden=False) for die in now}
        self._known = ({} if rolled else self._known) | self.settled
        self._settled_at, self._rests = seconds, dict(self.settled)
        self._arrived.clear()
        self._gone.clear()
        self._in_hand.clear()

    def out_of_sight(self, now: Sequence[SeenDie], in_hand: Collection[int], seconds: float) -> tuple[SeenDie, ...]:
        """Dice that are not visible but assumed in their places: those under a hand, until the place is seen empty or
        for a few COVERED_SECONDS, and, beside others, those that a hand took before the table settled.

        Newcomers replace them in this order: dice in the hand (`in_hand`, tracks), dice with the same face, dice in
        play, dice out of sight for longest.
        """
        unseen: list[tuple[TrackedDie, SeenDie]] = []
        for die in self._tracker.hidden:
            if die.hidden_since == seconds:
                if die.in_hand(seconds):
                    die.refute()  # the hand has taken it
                (self._covered.add if die.believed else self._covered.discard)(die.track)
            was = self._rests.get(die.track) or self._unread.get(die.track) or self.known(die.track)
            early = bool(now) and die.track in self._covered & self._rests.keys()
            early = early and _is_new_and_sure(self._rests[die.track])
            unclear = self._cover.now(die.box) or 0 <= seconds - die.last_motion < REST_SECONDS
            if die.seen_empty or not unclear:
                die.refute()
                if not early:  # a die that comes to rest there later is another one
                    self._rests.pop(die.track, None)
            if was is not None and die.fading(seconds) > 0.5 and (die.believed or early):
                unseen.append((die, was))
        self._in_hand |= {*in_hand}
        there = {die.track for die in now} | {*in_hand}
        earlier = (self.settled or {}).keys() | self._rests.keys() | self._in_hand
        self._gone |= (self._there & earlier) - {die.track for die, _ in unseen}
        self._gone -= there
        fresh = {die.track for die in now if self.known(die.track) is None} | {*in_hand}
        fresh -= self._arrived
        self._arrived |= fresh
        shown = {die.value for die in now if die.track in fresh}
        unseen.sort(key=lambda one: (one[0].believed, one[1].value not in shown, one[1].kept, one[0].hidden_since))
        again, unseen = unseen[: max(0, len(fresh) - len(self._gone))], unseen[max(0, len(fresh) - len(self._gone)) :]
        self._gone = set(sorted(self._gone)[len(fresh) :])
        for die, _ in again:
            die.refute()
            self._rests.pop(die.track, None)
        self._there = there | {die.track for die, _ in unseen}
        resting = tuple(_as_it_rested(was, die.fading(seconds)) for die, was in unseen)
        self._unread = {die.track: die for die in (*now, *resting) if self.known(die.track) is None}
        return resting


def _is_new_and_sure(die: SeenDie) -> bool:
    """Whether the face of a die is sure and the last settled table did not have the die there."""
    return die.new and die.confidence >= SURE


def _as_it_rested(die: SeenDie, there: float) -> SeenDie:
    """The die as it rested before it was covered. there: the chance that it still is there."""
    return replace(die, hidden=True, rests=True, there=round(there, 3))
