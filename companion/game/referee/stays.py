"""Stays of single dice, and snapshots of the table at rest: the evidence of the referee.

A `Stay` is one die resting in one place, from its arrival until it leaves or a hand may have turned it. Its face does
not change, so all readings of it add up. A `Snapshot` is the table at one settled moment. Snapshots share their stays:
a later reading of a stay also counts for the earlier snapshots that show it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from companion.game.referee.distances import SAME_SPOT
from companion.game.referee.priors import PRIORS
from vision.types import Box

MAX_READINGS = 90  # maximum number of readings that count for a face
STILL_THERE = 0.95  # chance of still being there from which a die under a hand counts as seen
TIPPING_SECONDS = 1.0  # a die may tip over this long after it came to rest; counted: 16 of 16 by 0.7 s
EARLIER = 0.5  # number of readings that all earlier ones count as once a sure reading shows another face

Six = tuple[float, float, float, float, float, float]


@dataclass(slots=True, eq=False)
class Stay:
    """One die resting in one place.

    Attributes:
        number: Its identifier.
        track, rested_since, rolled: As vision reports them (`SeenDie`).
        box: Its last known box, pixels, xyxy.
        seconds: When a snapshot first showed it.
        began: When it had come to rest there.
        last_empty: When its place was last seen without it.
        last_seen: When it was last seen there.
        arrival_log_chance: Log chance that it arrived since the last snapshot and was not just overlooked in it.
        mean: The mean chances of the six faces over `count` readings.
        log_chances: Of the six faces; index 0 is for an unread die.
    """

    number: int
    track: int
    box: Box
    rested_since: float | None
    rolled: float
    seconds: float = 0.0
    began: float = 0.0
    last_empty: float = -math.inf
    last_seen: float = -math.inf
    arrival_log_chance: float = 0.0
    mean: list[float] = field(default_factory=lambda: [0.0] * 6)
    count: float = 0.0
    log_chances: tuple[float, ...] = (0.0,) * 7

    def read(self, chances: Six) -> None:
        """Adds a reading. One that surely shows another face outweighs the earlier ones: the die had not come to rest
        then, or was misread."""
        surely = min(max(chances), self.confidence) >= PRIORS.confident
        if surely and chances.index(max(chances)) + 1 != self.value:
            self.count = min(self.count, EARLIER)
        counts = 1.0 if max(chances) >= PRIORS.confident else PRIORS.doubted
        self.mean = [
            (m * self.count + c * counts) / (self.count + counts) for m, c in zip(self.mean, chances, strict=True)
        ]
        self.count = min(self.count + counts, MAX_READINGS)
        shown = self.mean
        top = max(shown)
        extra = PRIORS.mistaken if top >= PRIORS.confident else 0.0
        found = [math.log(c) if c == top else max(PRIORS.floor, math.log(max(c, 1e-9)) + extra) for c in shown]
        self.log_chances = (PRIORS.floor, *found)

    def tips(self, seconds: float) -> bool:
        """Whether the die arrived so recently that it may still tip over. Later, only a hand turns it."""
        return seconds - self.began < TIPPING_SECONDS

    @property
    def value(self) -> int:
        """The likeliest face."""
        return max(range(1, 7), key=self.log_chances.__getitem__)

    @property
    def confidence(self) -> float:
        """The probability of the likeliest face."""
        return math.exp(self.log_chances[self.value])


@dataclass(frozen=True, slots=True)
class Sighting:
    """A stay as one snapshot shows it.

    Attributes:
        kept: It is in the kept zone.
        covered: It was out of sight since the snapshot before.
        shift: Die widths between its places in this snapshot and the one before; None where it was not there before.
        turned: It is new, in the place of a die that showed another face.
        there: The chance that it is still there, as vision gives it for a die under a hand; else 1.
    """

    stay: Stay
    kept: bool
    covered: bool = False
    shift: float | None = None
    turned: bool = False
    there: float = 1.0

    @property
    def departed(self) -> float:
        """Log chance that the die has left although nothing shows it; minus infinity for a die that is seen."""
        if self.there < STILL_THERE:
            return PRIORS.long_hidden
        return PRIORS.lingers if self.there < 1.0 else PRIORS.hidden if self.shift == 0.0 else -math.inf


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The dice on the settled table, or those that rested briefly before it settled.

    Attributes:
        seconds: When it was taken.
        has_kept_zone: The layout has a place for dice set aside.
        hand: A hand is in the picture.
        whole: Every die on the table is in the snapshot or out of sight. A brief rest shows only some dice.
    """

    sightings: tuple[Sighting, ...]
    seconds: float
    has_kept_zone: bool
    hand: bool = False
    whole: bool = True

    @property
    def rolled(self) -> bool:
        """Whether a die that is new in this snapshot probably rolled."""
        return any(one.stay.seconds == self.seconds and one.stay.rolled > 0.5 for one in self.sightings)

    @property
    def hidden(self) -> float:
        """Log chance that a die which is there is not seen."""
        return 0.0 if not self.whole else PRIORS.under_hand if self.hand else PRIORS.hidden

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its stays."""
        return frozenset(sighting.stay.number for sighting in self.sightings)

    def repeats(self, before: Snapshot) -> bool:
        """Whether the dice are the same as in the snapshot before."""
        if self is before:
            return True
        if self.numbers != before.numbers or self.whole != before.whole:
            return False
        return not any(sighting.covered and (sighting.shift or 0.0) > SAME_SPOT / 2 for sighting in self.sightings)
