"""One die with an identity: where it is, how long it has lain there, and what the last looks say it shows."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from vision.tracking.boxes import Matrix, centre, mapped, mapped_box, width
from vision.tracking.constants import (
    COVERED_SECONDS,
    FOUND,
    HAND_SECONDS,
    LEAST_CHANCE,
    LIES,
    LOST,
    MOST_MISSED,
    REST_LOOKS,
    REST_SECONDS,
    SEEN_BEFORE,
    STEADY,
    STIRRED,
    SURE,
    SUREST,
    TOUCHED_REST,
    TRAIL,
    UNSEEN,
    UNTURNED,
    VOTES,
)
from vision.tracking.likeness import Portrait
from vision.tracking.votes import Probabilities, elected, likeliest, worth
from vision.types import Box, Image

# Existence is a Bayes filter: what a look says that does not find a die depends on how often looks found it so far.
# Pictures of one place err alike: a look counts less than an independent one would.


@dataclass(slots=True, eq=False)
class TrackedDie:
    """One die followed from look to look. The tracker changes it, and so do the modules that find something out about
    it: `scheduler` sets `unchanged` and `alone`, `focus` sets `portrait`, `reading` sets `held`.

    hits: looks that found it; missed: looks in a row that did not, misses: in all; existence: logarithm of the odds
    that it is there; confirmed: it was believed once; still: what the looks in a row are worth in which it lay still, a
    trembling camera aside, the first after `still_since` seconds; touched: seconds when a hand was last over it;
    rested: seconds when it came to lie still; moved: farthest it has moved since `settle` was called, in die widths;
    rolls: looks since then that saw it rolling, the first at `first_roll` seconds; hidden_since: seconds since when it
    is not seen, busy_since: the same without the time in which nothing moved there, bare_looks: what the looks in a row
    since then are worth that saw no die at its place; probabilities, value: the chances of the six top faces and the
    likeliest, voted over the last looks; stepped: the last look saw it elsewhere than the one before; drifted: …
    elsewhere than a moment ago; away: it was hidden since `settle` was called; lay: where it last lay still; close:
    mean log chances of the close looks (close_looks many; close_touched: `touched` at the last) at it as it lies now;
    unchanged: nothing about its place has changed since; stirred: seconds when something last moved there; quiet: a
    look has read it since while nothing moved there; alone: nothing came to lie around it with it, or it is surely no
    print; held: seconds when it was last seen to lie in an open hand; portrait: how it looked when it lay still;
    before: log chances of its faces known before the votes; shown: the chances of its faces when it last lay still and
    uncovered, None if it has rolled since.
    """

    track: int
    box: Box
    hits: int = 0
    missed: int = 0
    misses: int = 0
    existence: float = UNSEEN
    confirmed: bool = False
    still: float = 0.0
    still_since: float = math.inf
    touched: float = -math.inf
    rested: float | None = None
    rolls: int = 0
    first_roll: float | None = None
    moved: float = 0.0
    anchor: tuple[float, float] = (0.0, 0.0)
    stepped: bool = False
    drifted: bool = False
    away: bool = False
    hidden_since: float | None = None
    busy_since: float = 0.0
    bare_looks: float = 0.0
    lay: Box | None = None
    probabilities: Probabilities = (1 / 6,) * 6
    value: int = 1
    close: list[float] | None = None
    close_looks: int = 0
    close_touched: float = -math.inf
    unchanged: bool = False
    stirred: float = math.inf
    quiet: bool = False
    alone: bool = False
    held: float = -math.inf
    portrait: Portrait | None = None
    before: list[float] = field(default_factory=lambda: [0.0] * 6)
    shown: Probabilities | None = None
    odds: deque[float] = field(default_factory=lambda: deque(maxlen=REST_LOOKS))
    votes: deque[tuple[int, list[float]]] = field(default_factory=lambda: deque(maxlen=VOTES))
    trail: deque[tuple[float, float, float]] = field(
        default_factory=lambda: deque(maxlen=TRAIL)
    )  # seconds, steadied x, y
    path: deque[Box] = field(default_factory=lambda: deque(maxlen=TRAIL))  # … as seen then

    @property
    def believed(self) -> bool:
        """More likely there than not."""
        return self.existence > 0

    def move_along(self, matrix: Matrix) -> None:
        """The picture has moved (3×3, old pixels → new pixels): so has every place it was seen at."""
        self.box, self.anchor = mapped_box(matrix, self.box), mapped(matrix, *self.anchor)
        self.trail = deque(((t, *mapped(matrix, x, y)) for t, x, y in self.trail), TRAIL)
        self.path = deque((mapped_box(matrix, box) for box in self.path), TRAIL)
        self.portrait = self.portrait and self.portrait.moved(matrix)

    def blur_in(self, image: Image) -> float | None:
        """By how many die widths it is blurred in this picture, where it lay still; None where something else is seen,
        or nobody knows."""
        return self.portrait.blur_in(image) if self.portrait and self.is_at(self.portrait.box) else None

    def is_at(self, box: Box) -> bool:
        """Whether it lies there now, as far as boxes wander."""
        return math.dist(centre(box), self.centre) <= STEADY * width(self.box)

    def at_rest(self, seconds: float) -> bool:
        """Whether it has lain still for long enough to be read: longer where a hand may still cover a part of it."""
        touched, lain = seconds - self.touched < REST_SECONDS, seconds - self.still_since
        times, looks = (TOUCHED_REST, TOUCHED_REST * REST_LOOKS) if touched else (1, LIES)
        return not self.in_hand(seconds) and self.still >= looks and lain >= times * REST_SECONDS

    def in_hand(self, seconds: float) -> bool:
        """Whether it lies in an open hand, or did a moment ago."""
        return 0 <= seconds - self.held < HAND_SECONDS

    def resting(self, seconds: float) -> bool:
        """Whether it will be at rest if the look now does not see it elsewhere."""
        return self.still >= LIES - 1 and seconds - self.still_since >= REST_SECONDS

    def found(self, score: float | None, closely: bool, looks: float = 1.0) -> None:
        """A look has found it; score: the chance which that look gives to there being a die, None where nobody has
        looked again; looks: of a fast camera that it is worth. A close look tells by itself; quick ones at one place
        make no more of a die than the last REST_LOOKS do, however many: they err alike, but for earlier ones, blurred
        while it still rolled."""
        self.hits, self.missed = self.hits + 1, 0
        if score is None:
            return
        odds = min(math.log(max(score, 1e-9) / max(1 - score, 1e-9)), SUREST)
        self.odds.append(odds)
        most = UNSEEN + REST_LOOKS * sum(self.odds) / len(self.odds)
        alike = len(self.odds) > 1 and not self.confirmed
        now = odds if closely else min(self.existence + FOUND * looks, most if alike else SUREST, SUREST)
        self.existence = max(self.existence, now)
        self.confirmed = self.confirmed or self.believed

    def not_found(self, apart: float) -> None:
        """A look has not found it, so many seconds after the look before."""
        self.missed, self.misses = self.missed + 1, self.misses + 1
        hits, misses = self.hits + SEEN_BEFORE[0], self.misses - 1 + SEEN_BEFORE[1]
        against = min(math.log((hits + misses) / misses), MOST_MISSED)
        self.existence -= against * worth(apart)

    def missed_closely(self) -> None:
        """A close look has not found it where it lay: what such looks saw of it before no longer counts."""
        self.close = None
        self.existence -= MOST_MISSED

    def refute(self) -> None:
        """Where it lay it no longer is."""
        self.existence, self.lay = min(self.existence, LOST), None

    @property
    def undecided(self) -> bool:
        """Close looks have not told what it shows, and more may: each is at another picture."""
        return bool(self.close) and max(self.probabilities) < SURE and self.close_looks < REST_LOOKS

    @property
    def bare(self) -> bool:
        """Out of sight, and a close look at its place as it is now has not seen it, nor have several quick ones."""
        closely = self.unchanged and self.close is None
        return self.hidden_since is not None and (closely or self.bare_looks >= REST_LOOKS)

    def fading(self, seconds: float) -> float:
        """The chance that it still lies where a hand has covered it so long; one that keeps still takes none."""
        return float(0.5 ** ((seconds - self.busy_since) / COVERED_SECONDS))

    @property
    def lost(self) -> bool:
        """No longer worth looking for where it was."""
        return self.existence <= (LOST if self.confirmed else -SUREST)

    @property
    def centre(self) -> tuple[float, float]:
        """Pixels."""
        return centre(self.box)

    @property
    def last_chance(self) -> float:
        """The chance that the last look alone gives to the likeliest face."""
        return math.exp(max(self.votes[-1][1])) if self.votes else 0.0

    def is_quiet(self, seconds: float, closely: bool) -> bool:
        """Whether no hand has been there for a moment, nor anything else moved, which a close look waits for itself."""
        lately = (self.touched,) if closely else (self.touched, self.stirred)
        return not any(0 <= seconds - moment < REST_SECONDS for moment in lately)

    def lain(self, seconds: float) -> None:
        """Nothing has moved there for as long as a die must lie to be at rest: seen now, it has lain there since."""
        if self.stirred <= seconds - REST_SECONDS:
            self.still, self.still_since = REST_LOOKS, self.stirred

    def vote(self, chances: Probabilities, fresh: bool = False, closely: bool = False, quiet: bool = True) -> None:
        """Count one more look; `fresh`: the die has just moved, earlier looks no longer count; quiet: nothing stirs
        there. Else something may cover a part of it: that look tells less, and nothing once one in quiet saw another.
        """
        if fresh:
            self.forget()
            self.before, self.quiet = [0.0] * 6, False
        if self.quiet and not quiet:
            return
        if quiet and not self.quiet and likeliest(chances) != self.value:
            self.forget()
        self.quiet = quiet
        weight = 1.0 if quiet or not any(self.before) else STIRRED  # what was known outweighs it; nothing else does
        logs = [weight * math.log(max(chance, LEAST_CHANCE)) for chance in chances]
        self.votes.append((likeliest(chances), logs))
        if closely:
            self._seen_closely(logs)
        self._elect()
        if not (self.close and self.unchanged):  # quick looks at one picture err alike, the close one saw it better
            self._mind_changed()
        if quiet and self.still >= REST_LOOKS:
            self.shown = self.probabilities

    def rolled_on(self, seconds: float) -> None:
        """A look has seen it rolling: what it showed before tells nothing any more."""
        self.rolls, self.first_roll = self.rolls + 1, self.first_roll or seconds
        self.shown, self.before = None, [0.0] * 6

    def _mind_changed(self) -> None:
        """Where the last looks agree on another face, only they count, if somebody may have turned the die."""
        if self._outvoted and not self.contested:
            last = list(self.votes)[-REST_LOOKS:]
            self.forget()
            self.votes.extend(last)
            self._elect()

    @property
    def _outvoted(self) -> bool:
        """Enough looks in a row agree on another face than all votes together."""
        values = {value for value, _ in list(self.votes)[-REST_LOOKS:]}
        return len(self.votes) > REST_LOOKS and len(values) == 1 and values != {self.value}

    @property
    def contested(self) -> bool:
        """The last looks agree on another face than the close look, since which its place has changed, but no hand has
        been there: nobody can have turned it, and another close look shall tell."""
        return bool(self.close) and not self.unchanged and self.touched == self.close_touched and self._outvoted

    @property
    def perhaps_turned(self) -> bool:
        """A hand has been at it since the close look, and its place is no longer as it was: quick looks are outvoted by
        that one, so another shall tell."""
        return bool(self.close) and not self.unchanged and self.touched > self.close_touched

    def _seen_closely(self, logs: list[float]) -> None:
        """The mean of all close looks since its place has changed."""
        if self.close is None or not self.unchanged:
            self.close, self.close_looks = logs, 0
        n = self.close_looks
        self.close = [(was * n + now) / (n + 1) for was, now in zip(self.close, logs, strict=True)]
        self.close_looks, self.unchanged = n + 1, True
        self.close_touched = self.touched

    def forget(self) -> None:
        """What was seen of it so far no longer counts."""
        self.votes.clear()
        self.odds.clear()
        self.close = None

    def doubt_faces(self) -> None:
        """It was out of sight: likely it shows what it showed, but whoever covered it may have turned it. What was seen
        of it with a hand over it may have been a finger."""
        known = self.shown or self.probabilities
        self.before = [math.log(UNTURNED * chance + (1 - UNTURNED) / 6) for chance in known]
        self.forget()
        self.quiet = False

    def _elect(self) -> None:
        self.probabilities = elected([logs for _, logs in self.votes], self.close, self.before)
        self.value = likeliest(self.probabilities)
