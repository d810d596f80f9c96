"""Estimates the probability that dice were rolled between two settled tables."""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from vision.boxes import centre
from vision.tracking.constants import (
    ALIKE,
    ALONE,
    GROWN,
    REACH,
    ROLLED,
    ROLLED_UNSEEN,
    SAME_PLACE,
    SHOWS_ELSE,
    STEADY,
    SURE_VALUE,
    SURELY,
    TOGETHER,
    TURNED,
    UNTURNED,
)
from vision.tracking.votes import Probabilities
from vision.types import Box


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A resting die, compared with the last settled table.

    Attributes:
        moved: Largest distance from its place on that table since then, die widths.
        beside: Its distance from that place now, die widths.
        rolls: Number of passes since then that saw it rolling.
        first_roll: Seconds of the first of them.
        rested: Seconds when it came to rest; None if it moves.
        handled: It is in another place, and a hand was over it recently.
        missed: Frames were lost just before it arrived.
        away: It was out of sight for a while.
        new: It was not on that table.
        turned: It showed another face on that table.
        overlooked: It was on that table, but was not detected.
        came: `Reader.throws` when it arrived.
        rolled: Probability that it rolled to its place.
        hidden: A hand covers it.
    """

    track: int
    box: Box
    probabilities: Probabilities
    kept: bool
    moved: float = 0.0
    beside: float = 0.0
    rolls: int = 0
    first_roll: float | None = None
    rested: float | None = None
    missed: bool = False
    handled: bool = False
    away: bool = False
    new: bool = True
    turned: bool = False
    overlooked: bool = False
    came: float = 0.0
    rolled: float = 0.5
    hidden: bool = False

    @property
    def value(self) -> int:
        """The likeliest top face, 1..6."""
        return max(range(6), key=self.probabilities.__getitem__) + 1

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of its box, pixels."""
        return centre(self.box)

    @property
    def width(self) -> float:
        """The die width, pixels."""
        return math.sqrt(max(self.box[2] - self.box[0], 1.0) * max(self.box[3] - self.box[1], 1.0))

    @property
    def sure(self) -> bool:
        """Whether its face is read with a probability of at least SURE_VALUE."""
        return max(self.probabilities) >= SURE_VALUE

    @property
    def elsewhere(self) -> bool:
        """Whether the die is in another place than on the last settled table."""
        return (self.new and not self.overlooked) or self.moved > SAME_PLACE

    @property
    def rolling(self) -> float:
        """Probability that it rolled since then, from observations of this die alone."""
        if self.missed:
            return 0.5
        unseen = self.elsewhere and not self.handled  # a die that is turned in its place was in a hand
        return max(ROLLED[min(self.rolls, len(ROLLED) - 1)], ROLLED_UNSEEN if unseen else 0.0)

    @property
    def came_now(self) -> bool:
        """Whether the die arrived since the last settled table."""
        back = self.rolls > 1 or self.turned or (self.rolls == 1 and self.beside > STEADY)
        return self.elsewhere or (self.away and back)

    @property
    def by_hand(self) -> float:
        """Probability that a hand has moved or turned it since then."""
        if self.came_now:
            return 1 - self.rolling
        if self.overlooked:  # a hand may have covered it all the time; if none was seen, none moved it
            return 0.5 if self.handled else 0.0
        return (1 - UNTURNED) * (self.away or self.hidden)

    @property
    def nudged(self) -> bool:
        """Whether the die is slightly displaced and was visible all the time."""
        return not self.new and not self.away and self.moved <= REACH

    def out_of_sight(self, read: bool) -> RestingDie:
        """The die as it is remembered under a hand. read: a settled reading has reported it, and it has not moved
        since."""
        if not read:
            return replace(self, hidden=True)
        return replace(
            self, hidden=True, moved=0.0, beside=0.0, rolls=0, handled=False, away=True, new=False, turned=False
        )

    def shifted(self, was: RestingDie, has_kept_zone: bool) -> RestingDie:
        """The die if only the whole frame has moved."""
        kept = self.kept if has_kept_zone else was.kept
        return replace(self, kept=kept, came=was.came, rolled=was.rolled, moved=0.0, rolls=0, new=False)


def throw_chance(
    before: Sequence[RestingDie],
    now: Sequence[RestingDie],
    hand: bool,
    has_kept_zone: bool = False,
    ready: bool = False,
) -> float:
    """Probability that dice in play were rolled between two settled tables.

    Dice set down, turned, pushed or carried by hand are no roll, and neither is a knocked camera.

    Args:
        hand: A hand was seen in between.
        has_kept_zone: There is a kept zone.
        ready: Dice have been set aside since the last roll.
    """
    came = [die for die in now if not die.kept and die.came_now]
    if not came or shifted(before, now) is not None:
        return 0.0
    earlier = {die.track: die for die in before}
    if all(die.track in earlier and die.nudged and die.value == earlier[die.track].value for die in came):
        return 0.0
    # The tracker needs several passes to believe in a die.
    hand = hand or all(die.handled or die.missed for die in came)
    if 1 - math.prod(1 - die.rolling for die in came if not die.missed) >= SURELY or not hand:
        return 1.0
    # A hand was there and nothing was seen rolling. Dice moved by hand keep their faces; a hand has turned a die that
    # shows another face in its old place.
    if not any(die.elsewhere for die in came):
        return 0.0
    came = [die for die in came if die.elsewhere or (die.away and die.turned and die.beside > STEADY)]
    in_play = sum(not die.kept for die in before) - sum(die.kept and die.came_now for die in now)
    if ready and in_play == len(came) and all(die in came and not die.nudged for die in now if not die.kept):
        return 1.0  # players do not pick up all dice in play and put them down again, whatever they show
    if any(die.kept for die in before) and len(came) == len(now) > 1:
        return 1.0  # players carry all dice back from the kept zone only to roll them
    # Compare faces, not tracks: when a hand pushes a row of dice, the tracker may confuse neighbours.
    gone = Counter(die.value for die in before) - Counter(die.value for die in now if die not in came)
    if not gone and any(not die.kept for die in before):
        new = len(came) > 1  # a hand adds single dice
    elif not gone:
        new = len(came) > 1 or not before or came[0].rolls > 0
    else:
        # Two dice were not seen rolling, and one shows a face that was removed. Count both: a misread face is likelier
        # than a die carried by hand within the rolling area.
        new = (Counter(die.value for die in came) - gone).total() >= (1 if has_kept_zone else min(2, len(came)))
    return SHOWS_ELSE if new else 0.0


def with_others(rolled: float) -> float:
    """Probability that a die rolled, given that another one that arrived at the same time did."""
    odds = TOGETHER * rolled / max(1 - rolled, 1e-6)
    return odds / (1 + odds)


def rolled_together(came: Sequence[RestingDie], has_kept_zone: bool = False) -> dict[int, float]:
    """Probability, by track, that each of these dice rolled. They arrived together, so if one rolled, all did, except
    those that rested before. has_kept_zone: players hardly ever put a die down outside the kept zone."""
    rolling = [die for die in came if die.rolling > 0.5]
    chances = {die.track: die.rolling for die in came}
    for die in came:
        others = any(other is not die and not _lay_before(die, other) for other in rolling)
        if not die.missed and (others or (has_kept_zone and not die.kept)):
            chances[die.track] = with_others(die.rolling)
    return chances


def _lay_before(die: RestingDie, other: RestingDie) -> bool:
    """Whether a die that was not seen rolling already rested when the other one was first seen rolling."""
    if die.rolls or die.rested is None or other.first_roll is None:
        return False
    return die.rested < other.first_roll


def shifted(before: Sequence[RestingDie], now: Sequence[RestingDie]) -> dict[int, int] | None:
    """Track now → track before, if all dice moved alike because the camera was knocked or the frame rotated by
    quarters.

    None otherwise, and for fewer than two dice.
    """
    if len(before) != len(now) or len(now) < 2 or not any(die.elsewhere for die in now):
        return None
    side = sum(die.width for die in now) / len(now)
    away = [die for die in now if all(math.dist(die.centre, old.centre) > STEADY * side for old in before)]
    if away and len(now) - len(away) >= max(2, len(away)):
        return None  # the others did not move
    (x, y), (old_x, old_y) = _middle(now), _middle(before)
    if math.hypot(x - old_x, y - old_y) < ALONE * side:
        back = [die for die in now if die.rolls > 1 or die.came_now]
        if len(back) == 1 and (back[0].new or back[0].rolls > 1):
            return None  # several dice do not all return to their places: the camera turned away and back
    quarters = (0, 1, 2, 3) if all(die.new for die in now) else (0,)  # tracks are lost when the picture is rotated
    return next((same for turn in quarters if (same := _same(before, now, turn)) is not None), None)


def _same(before: Sequence[RestingDie], now: Sequence[RestingDie], quarters: int) -> dict[int, int] | None:
    """Matches `now` to `before` after a rotation by `quarters` and a little more; track now → track before, or None.

    Two dice determine the transformation; all others must fit it.
    """
    one, two = max(combinations(now, 2), key=lambda pair: math.dist(pair[0].centre, pair[1].centre))
    if one.centre == two.centre:
        return None
    was = sum(die.width for die in before) / len(before)
    for old, other in permutations(before, 2):
        if (old.value, other.value) != (one.value, two.value) or old.centre == other.centre:
            continue
        turn = (_complex(two) - _complex(one)) / (_complex(other) - _complex(old))
        angle = cmath.phase(turn * 1j**quarters)
        grown = abs(math.log(abs(turn))) if not quarters else 0.0  # a picture rotated upright is reduced to fit
        if abs(angle) > math.radians(TURNED) or grown > GROWN:
            continue
        same: dict[int, int] = {}
        for die in now:
            place = _complex(old) + (_complex(die) - _complex(one)) / turn
            matches = [old for old in before if old.value == die.value and abs(place - _complex(old)) <= ALIKE * was]
            if matches:
                same[die.track] = min(matches, key=lambda old: abs(place - _complex(old))).track
        if len(set(same.values())) == len(now):
            return same
    return None


def _complex(die: RestingDie) -> complex:
    """The centre as x + y·i, pixels, so that a similarity transform is a·z + b."""
    return complex(*die.centre)


def _middle(dice: Sequence[RestingDie]) -> tuple[float, float]:
    """The mean of their centres, pixels."""
    return sum(die.centre[0] for die in dice) / len(dice), sum(die.centre[1] for die in dice) / len(dice)
