"""How likely was that a throw? Told from what lay there before, what lies there now, and what was seen in between."""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from vision.tracking.boxes import centre
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
    """A die lying still.

    moved: farthest it went since all was last settled (die widths); beside: how far from there it lies now; rolls:
    looks since then that saw it rolling, the first at `first_roll` seconds; rested: seconds when it came to lie still,
    if it does; handled: it lies elsewhere, and a hand has been over it lately; missed: … or pictures had just been
    lost, so that nobody can know how it came; away: it was out of sight for a while;
    new: it was not there then; turned: it showed something else then; overlooked: it was, and nobody saw it.
    came: `Reader.throws` when it came to lie there; rolled: the chance that it rolled there; hidden: a hand covers it.
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
        """Pixels."""
        return centre(self.box)

    @property
    def width(self) -> float:
        """Pixels."""
        return math.sqrt(max(self.box[2] - self.box[0], 1.0) * max(self.box[3] - self.box[1], 1.0))

    @property
    def sure(self) -> bool:
        """Its value is beyond doubt."""
        return max(self.probabilities) >= SURE_VALUE

    @property
    def elsewhere(self) -> bool:
        """It does not lie where it lay when everything was last settled."""
        return (self.new and not self.overlooked) or self.moved > SAME_PLACE

    @property
    def rolling(self) -> float:
        """The chance that it has rolled since all was last settled, if it came now, as far as it was seen itself."""
        if self.missed:
            return 0.5
        unseen = self.elsewhere and not self.handled  # a die turned where it lay was in a hand, however long ago
        return max(ROLLED[min(self.rolls, len(ROLLED) - 1)], ROLLED_UNSEEN if unseen else 0.0)

    @property
    def came_now(self) -> bool:
        """It has come to lie there since all was last settled."""
        back = self.rolls > 1 or self.turned or (self.rolls == 1 and self.beside > STEADY)
        return self.elsewhere or (self.away and back)

    @property
    def by_hand(self) -> float:
        """The chance that a hand has moved or turned it since all was last settled."""
        if self.came_now:
            return 1 - self.rolling
        if self.overlooked:  # a hand may have covered it all the time; where nothing has stirred, nobody has been
            return 0.5 if self.handled else 0.0
        return (1 - UNTURNED) * (self.away or self.hidden)

    @property
    def nudged(self) -> bool:
        """It lies a little beside where it lay, and was there all the time."""
        return not self.new and not self.away and self.moved <= REACH

    def out_of_sight(self, read: bool) -> RestingDie:
        """The same, covered now; read: it was in a settled reading, and has not moved since as far as is known."""
        if not read:
            return replace(self, hidden=True)
        return replace(
            self, hidden=True, moved=0.0, beside=0.0, rolls=0, handled=False, away=True, new=False, turned=False
        )

    def shifted(self, was: RestingDie, knows_kept: bool) -> RestingDie:
        """The same, which moved from where it `was` only as the whole picture did."""
        kept = self.kept if knows_kept else was.kept
        return replace(self, kept=kept, came=was.came, rolled=was.rolled, moved=0.0, rolls=0, new=False)


def throw_chance(
    before: Sequence[RestingDie], now: Sequence[RestingDie], hand: bool, knows_kept: bool = False, ready: bool = False
) -> float:
    """The chance that dice in play were thrown between two settled moments, by what was seen of all of them together;
    hand: one was seen in between; knows_kept: it is known where dice are set aside; ready: and some have been since the
    last throw.

    A die set down, turned or pushed by hand, dice carried to another place and a bumped camera are no throws.
    """
    came = [die for die in now if not die.kept and die.came_now]
    if not came or shifted(before, now) is not None:
        return 0.0
    earlier = {die.track: die for die in before}
    if all(die.track in earlier and die.nudged and die.value == earlier[die.track].value for die in came):
        return 0.0
    hand = hand or all(die.handled or die.missed for die in came)  # what one put down is believed only some looks later
    if 1 - math.prod(1 - die.rolling for die in came if not die.missed) >= SURELY or not hand:
        return 1.0
    # A hand was there and nothing was seen rolling: dice it took away and set down elsewhere keep their values, and
    # what shows something else where it lay was turned.
    if not any(die.elsewhere for die in came):
        return 0.0
    came = [die for die in came if die.elsewhere or (die.away and die.turned and die.beside > STEADY)]
    lay = sum(not die.kept for die in before) - sum(die.kept and die.came_now for die in now)
    if ready and lay == len(came) and all(die in came and not die.nudged for die in now if not die.kept):
        return 1.0  # nobody takes all dice in play up and puts them down again, whatever they show
    if any(die.kept for die in before) and len(came) == len(now) > 1:
        return 1.0  # nobody carries all dice back from where they were set aside, except to throw them
    # By value: under a hand that pushes a row one die may be taken for its neighbour.
    gone = Counter(die.value for die in before) - Counter(die.value for die in now if die not in came)
    if not gone and any(not die.kept for die in before):
        new = len(came) > 1  # one die more among others that lie still was added by hand
    elif not gone:
        new = len(came) > 1 or not before or came[0].rolls > 0
    else:
        # Of two that nobody saw roll one that shows what was taken away tells for both: one misread is likelier, two
        # not. But dice are carried to be set aside, seldom from one place where they are thrown to another.
        new = (Counter(die.value for die in came) - gone).total() >= (1 if knows_kept else min(2, len(came)))
    return SHOWS_ELSE if new else 0.0


def with_others(rolled: float) -> float:
    """The chance that a die rolled, given that another which came at the same time did."""
    odds = TOGETHER * rolled / max(1 - rolled, 1e-6)
    return odds / (1 + odds)


def rolled_together(came: Sequence[RestingDie], knows_kept: bool = False) -> dict[int, float]:
    """The chance that each of these dice of a throw rolled, by track. All came at the same time: if one rolled, others
    did, but for those that lay there before it did. knows_kept: it is known where dice are set aside, so what came
    elsewhere was hardly laid there."""
    rolling = [die for die in came if die.rolling > 0.5]
    chances = {die.track: die.rolling for die in came}
    for die in came:
        others = any(other is not die and not _lay_before(die, other) for other in rolling)
        if not die.missed and (others or (knows_kept and not die.kept)):
            chances[die.track] = with_others(die.rolling)
    return chances


def _lay_before(die: RestingDie, other: RestingDie) -> bool:
    """Whether a die that nobody saw rolling lay still when the other was first seen rolling."""
    if die.rolls or die.rested is None or other.first_roll is None:
        return False
    return die.rested < other.first_roll


def shifted(before: Sequence[RestingDie], now: Sequence[RestingDie]) -> dict[int, int] | None:
    """Whether all dice moved by the same way, as when the camera is bumped, or the picture was turned by quarters, as
    phones do: track now → track before, else None.

    Needs two dice at least; a single one tells nothing.
    """
    if len(before) != len(now) or len(now) < 2 or not any(die.elsewhere for die in now):
        return None
    side = sum(die.width for die in now) / len(now)
    away = [die for die in now if all(math.dist(die.centre, old.centre) > STEADY * side for old in before)]
    if away and len(now) - len(away) >= max(2, len(away)):
        return None  # the others lie where they lay
    (x, y), (old_x, old_y) = _middle(now), _middle(before)
    if math.hypot(x - old_x, y - old_y) < ALONE * side:
        back = [die for die in now if die.rolls > 1 or die.came_now]
        if len(back) == 1 and (back[0].new or back[0].rolls > 1):
            return None  # it came back, or rolled, to where it lay; several never do: the camera turned away and back
    quarters = (0, 1, 2, 3) if all(die.new for die in now) else (0,)  # nothing could be followed through a turn
    return next((same for turn in quarters if (same := _same(before, now, turn)) is not None), None)


def _same(before: Sequence[RestingDie], now: Sequence[RestingDie], quarters: int) -> dict[int, int] | None:
    """The dice of `before`, seen after so many quarter turns of the picture and a little more, if they are those of
    `now`: two dice say how the picture has turned, all others must lie where that puts them."""
    one, two = max(combinations(now, 2), key=lambda pair: math.dist(pair[0].centre, pair[1].centre))
    if one.centre == two.centre:
        return None
    was = sum(die.width for die in before) / len(before)
    for old, other in permutations(before, 2):
        if (old.value, other.value) != (one.value, two.value) or old.centre == other.centre:
            continue
        turn = (_complex(two) - _complex(one)) / (_complex(other) - _complex(old))
        angle = cmath.phase(turn * 1j**quarters)
        grown = abs(math.log(abs(turn))) if not quarters else 0.0  # a picture turned upright is made smaller to fit
        if abs(angle) > math.radians(TURNED) or grown > GROWN:
            continue
        same: dict[int, int] = {}
        for die in now:
            place = _complex(old) + (_complex(die) - _complex(one)) / turn
            matches = [lay for lay in before if lay.value == die.value and abs(place - _complex(lay)) <= ALIKE * was]
            if matches:
                same[die.track] = min(matches, key=lambda lay: abs(place - _complex(lay))).track
        if len(set(same.values())) == len(now):
            return same
    return None


def _complex(die: RestingDie) -> complex:
    """Its middle as across + down i, pixels: a similarity is then a product and a sum."""
    return complex(*die.centre)


def _middle(dice: Sequence[RestingDie]) -> tuple[float, float]:
    """The mean of their centres."""
    return sum(die.centre[0] for die in dice) / len(dice), sum(die.centre[1] for die in dice) / len(dice)
