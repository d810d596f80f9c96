"""Remembers the faces of dice at rest, so that a hand that covers or takes a die does not change its reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from vision.tracking.constants import HAND_SECONDS, REST_SECONDS, SURE
from vision.tracking.cover import Cover
from vision.tracking.throws import RestingDie
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker

Known = Mapping[int, RestingDie]  # by track: dice as they rested when the table last settled


class RestMemory:
    """Remembers each die as it last rested, including dice out of sight.

    Dice are conserved: a newcomer is matched to a die known to be missing, then to one in a hand, then to a covered
    one.
    """

    def __init__(self, tracker: Tracker, cover: Cover) -> None:
        self._tracker, self._cover = tracker, cover
        self._rests: dict[int, RestingDie] = {}  # resting dice by track, without those that have rolled since
        self._unread: dict[int, RestingDie] = {}  # dice of the last pass that no settled reading has included
        self._came: set[int] = set()  # dice that have arrived since the table last settled
        self._there: set[int] = set()  # dice of the last pass, seen or assumed under a hand
        # Dice that disappeared since the table last settled and are not yet matched to a newcomer.
        self._gone: set[int] = set()
        self._covered: set[int] = set()  # dice that went out of sight under a hand
        self._held: set[int] = set()  # dice seen in a hand

    def remember(self, dice: Sequence[TrackedDie], now: Sequence[RestingDie], seconds: float) -> None:
        """Remembers the dice at rest, and forgets those that move away from hands: they are still rolling."""
        for die, lying in zip(dice, now, strict=True):
            if die.at_rest(seconds):
                self._rests[die.track] = lying
            elif not die.still and self._cover.last(die.box) < seconds - HAND_SECONDS:
                self._rests.pop(die.track, None)

    def settled(self, now: Iterable[RestingDie]) -> None:
        """Notes that a settled reading has included all of these dice."""
        self._rests = {die.track: die.out_of_sight(True) for die in now}
        self._came.clear()
        self._gone.clear()
        self._held.clear()

    def disturbed(self, dice: Iterable[TrackedDie], known: Known, seconds: float) -> dict[int, RestingDie]:
        """Visible dice that a hand has just moved, as they rested before; by track.

        Empty unless a die that has come to rest is not in a settled reading yet.
        """
        if not any(_news(die, known) for die in self._rests.values()):
            return {}
        return {
            die.track: _as_it_rested(self._rests[die.track], known)
            for die in dice
            if die.still and die.track in self._rests and not die.at_rest(seconds)
        }

    def out_of_sight(
        self, now: Sequence[RestingDie], in_hand: Collection[int], known: Known, seconds: float
    ) -> tuple[RestingDie, ...]:
        """Dice that are not visible but assumed in their places: those under a hand, until the place is seen empty or
        for a few COVERED_SECONDS, and those that a hand took before the table settled.

        Newcomers replace them in this order: dice in the hand (`in_hand`, tracks), dice with the same face, dice in
        play, dice out of sight for longest.
        """
        unseen: list[tuple[TrackedDie, RestingDie]] = []
        for die in self._tracker.hidden:
            if die.hidden_since == seconds:
                if die.in_hand(seconds):
                    die.refute()  # the hand has taken it
                (self._covered.add if die.believed else self._covered.discard)(die.track)
            was = self._rests.get(die.track) or self._unread.get(die.track) or known.get(die.track)
            early = die.track in self._covered & self._rests.keys() and _news(self._rests[die.track], known)
            unclear = self._cover.now(die.box) or 0 <= seconds - die.stirred < REST_SECONDS
            if die.bare or not unclear:
                die.refute()
                if not early:  # a die that comes to rest there later is another one
                    self._rests.pop(die.track, None)
            if was is not None and die.fading(seconds) > 0.5 and (die.believed or early):
                unseen.append((die, was))
        self._held |= {*in_hand}
        there, earlier = {die.track for die in now} | {*in_hand}, known.keys() | self._rests.keys() | self._held
        self._gone |= (self._there & earlier) - {die.track for die, _ in unseen}
        self._gone -= there
        fresh = {die.track for die in now if die.new and not die.overlooked} | {*in_hand}
        fresh -= self._came
        self._came |= fresh
        shown = {die.value for die in now if die.track in fresh}
        unseen.sort(key=lambda one: (one[0].believed, one[1].value not in shown, one[1].kept, one[0].hidden_since))
        again, unseen = unseen[: max(0, len(fresh) - len(self._gone))], unseen[max(0, len(fresh) - len(self._gone)) :]
        self._gone = set(sorted(self._gone)[len(fresh) :])
        for die, _ in again:
            die.refute()
            self._rests.pop(die.track, None)
        self._there = there | {die.track for die, _ in unseen}
        lying = tuple(_as_it_rested(was, known) for _, was in unseen)
        self._unread = {die.track: die for die in (*now, *lying) if die.track not in known}
        return lying

    def taken(self, present: Collection[int], known: Known, settled_at: float, seconds: float) -> int:
        """Number of dice out of sight that may have been taken: covered for long, or missed by a refined pass.

        Args:
            present: Tracks that are reported anyway.
        """
        count = 0
        for die in self._tracker.hidden:
            if die.track not in present:
                bare = die.bare and ((die.hidden_since or 0.0) >= settled_at or die.track in known)
                count += bare or (not die.bare and die.believed and die.fading(seconds) <= 0.5)
        return count


def _news(die: RestingDie, known: Known) -> bool:
    """Whether the face of a die is sure and the last settled table did not have the die there."""
    return max(die.probabilities) >= SURE and (die.track not in known or die.elsewhere)


def _as_it_rested(die: RestingDie, known: Known) -> RestingDie:
    """The die as it rested before it was covered or moved."""
    return die.out_of_sight(not _news(die, known) and die.track in known)
