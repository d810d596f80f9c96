"""One die with an identity: where it is, how long it has rested, and what the last passes say it shows."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from vision.boxes import Matrix, centre, mapped, mapped_box, width
from vision.tracking.constants import (
    COVERED_SECONDS,
    FOUND,
    HAND_SECONDS,
    LEAST_CHANCE,
    LOST,
    MOST_MISSED,
    REST_LOOKS,
    REST_SECONDS,
    RESTING_PASSES,
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
from vision.tracking.likeness import Template
from vision.tracking.votes import Probabilities, elected, likeliest, worth
from vision.types import Box, Image

# Existence is a Bayes filter. The evidence of a pass that misses a die depends on how often passes have found it.
# Errors in frames of one place are correlated, so a pass counts less than an independent one would.


@dataclass(slots=True, eq=False)
class TrackedDie:
    """One die tracked from pass to pass. The tracker updates it, and so does each module that learns something about
    it: the scheduler sets `unchanged` and `alone`, the focus `template`, the reader `held`.

    Attributes:
        hits, misses: Numbers of passes that found it and that did not; missed: those in a row that did not.
        existence: Log odds that it is there.
        confirmed: It was believed once.
        proven: A refined pass found it once; False while the last one found nothing where fast passes did, and the next
            one decides; None before the first.
        still: What the passes in a row are worth in which it rested, camera jitter aside; the first at `still_since`.
        touched: Seconds when a hand was last over it.
        rested: Seconds when it came to rest.
        moved: Largest distance since `settle` was called, die widths.
        rolls: Number of passes since then that saw it rolling, the first at `first_roll`.
        hidden_since: Seconds since when it is not seen; busy_since: without the time in which nothing moved there.
        bare_looks: What the passes in a row since then are worth that saw its place empty.
        probabilities, value: Chances of the six faces, voted over the last passes, and the likeliest.
        stepped, drifted: The last pass saw it elsewhere than the one before, or than a moment ago.
        away: It was hidden since `settle` was called.
        rest_box: Its box where it last rested.
        close: Mean log chances from `close_looks` refined passes at it as it rests now; close_touched: `touched` then.
        unchanged: Its place has not changed since.
        stirred: Seconds when something last moved there; quiet: a pass has read it since.
        alone: Nothing arrived around it with it, or it is surely not a print.
        held: Seconds when it was last seen in an open hand.
        template: Its template.
        before: Log chances of its faces known before the votes.
        shown: The chances when it last rested uncovered; None if it has rolled since.
    """

    track: int
    box: Box
    hits: int = 0
    missed: int = 0
    misses: int = 0
    existence: float = UNSEEN
    confirmed: bool = False
    proven: bool | None = None
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
    rest_box: Box | None = None
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
    template: Template | None = None
    before: list[float] = field(default_factory=lambda: [0.0] * 6)
    shown: Probabilities | None = None
    odds: deque[float] = field(default_factory=lambda: deque(maxlen=REST_LOOKS))
    votes: deque[tuple[int, list[float]]] = field(default_factory=lambda: deque(maxlen=VOTES))
    trail: deque[tuple[float, float, float]] = field(
        default_factory=lambda: deque(maxlen=TRAIL)
    )  # seconds, x and y without camera jitter
    path: deque[Box] = field(default_factory=lambda: deque(maxlen=TRAIL))  # boxes at these times, as seen

    @property
    def believed(self) -> bool:
        """Whether it is more likely there than not, and no refined pass contradicts the fast ones."""
        return self.existence > 0 and self.proven is not False

    def move_along(self, matrix: Matrix) -> None:
        """Moves every remembered place with the frame (3×3, old pixels → new pixels)."""
        self.box, self.anchor = mapped_box(matrix, self.box), mapped(matrix, *self.anchor)
        self.trail = deque(((t, *mapped(matrix, x, y)) for t, x, y in self.trail), TRAIL)
        self.path = deque((mapped_box(matrix, box) for box in self.path), TRAIL)
        self.template = self.template and self.template.moved(matrix)

    def blur_in(self, image: Image) -> float | None:
        """How blurred it is in its place, in die widths; None where something else is seen or nothing is known."""
        return self.template.blur_in(image) if self.template and self.is_at(self.template.box) else None

    def is_at(self, box: Box) -> bool:
        """Whether it is in this box, allowing for jitter."""
        return math.dist(centre(box), self.centre) <= STEADY * width(self.box)

    def at_rest(self, seconds: float) -> bool:
        """Whether it has rested long enough to be read; longer where a hand may still cover a part of it."""
        touched, resting = seconds - self.touched < REST_SECONDS, seconds - self.still_since
        times, looks = (TOUCHED_REST, TOUCHED_REST * REST_LOOKS) if touched else (1, RESTING_PASSES)
        return not self.in_hand(seconds) and self.still >= looks and resting >= times * REST_SECONDS

    def in_hand(self, seconds: float) -> bool:
        """Whether it rests in an open hand, or did a moment ago."""
        return 0 <= seconds - self.held < HAND_SECONDS

    def resting(self, seconds: float) -> bool:
        """Whether it will be at rest unless this pass sees it elsewhere."""
        return self.still >= RESTING_PASSES - 1 and seconds - self.still_since >= REST_SECONDS

    def found(self, score: float | None, closely: bool, looks: float = 1.0) -> None:
        """Updates the die after a pass that found it.

        Args:
            score: Chance of a die by that pass; None where nothing was read again.
            closely: A refined pass, which is enough by itself. Fast passes at one place err alike, so only the last
                REST_LOOKS of them count.
            looks: Number of fast-camera passes that it is worth.
        """
        self.hits, self.missed = self.hits + 1, 0
        self.proven = closely or self.proven
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
        """Updates the die after a pass, `apart` seconds after the one before, that did not find it."""
        self.missed, self.misses = self.missed + 1, self.misses + 1
        hits, misses = self.hits + SEEN_BEFORE[0], self.misses - 1 + SEEN_BEFORE[1]
        against = min(math.log((hits + misses) / misses), MOST_MISSED)
        self.existence -= against * worth(apart)

    def missed_closely(self) -> None:
        """Updates the die after a refined pass that did not find it in its place, so what earlier refined passes saw no
        longer counts."""
        self.close = None
        self.existence -= MOST_MISSED

    def refute(self) -> None:
        """Marks the die as no longer in its place."""
        self.existence, self.rest_box = min(self.existence, LOST), None

    @property
    def undecided(self) -> bool:
        """Whether refined passes have left its face in doubt, and another one may help."""
        return bool(self.close) and max(self.probabilities) < SURE and self.close_looks < REST_LOOKS

    @property
    def bare(self) -> bool:
        """Whether its place is seen to be empty, by a refined pass or several fast ones."""
        closely = self.unchanged and self.close is None
        return self.hidden_since is not None and (closely or self.bare_looks >= REST_LOOKS)

    def fading(self, seconds: float) -> float:
        """The chance that it is still there under a hand. A still hand takes no die."""
        return float(0.5 ** ((seconds - self.busy_since) / COVERED_SECONDS))

    @property
    def lost(self) -> bool:
        """Whether it is no longer worth looking for."""
        return self.existence <= (LOST if self.confirmed else -SUREST)

    @property
    def centre(self) -> tuple[float, float]:
        """Its centre, pixels."""
        return centre(self.box)

    @property
    def last_chance(self) -> float:
        """The chance of the likeliest face by the last pass alone."""
        return math.exp(max(self.votes[-1][1])) if self.votes else 0.0

    def is_quiet(self, seconds: float, closely: bool) -> bool:
        """Whether no hand was there for a moment, and nothing moved; a refined pass waits for that itself."""
        recent = (self.touched,) if closely else (self.touched, self.stirred)
        return not any(0 <= seconds - moment < REST_SECONDS for moment in recent)

    def confirm_rest(self, seconds: float) -> None:
        """Notes that nothing has moved there for as long as a die must rest, so it has rested there since then."""
        if self.stirred <= seconds - REST_SECONDS:
            self.still, self.still_since = REST_LOOKS, self.stirred

    def vote(self, chances: Probabilities, fresh: bool = False, closely: bool = False, quiet: bool = True) -> None:
        """Counts one more pass.

        Args:
            fresh: The die has just moved; earlier passes no longer count.
            quiet: Nothing moves there. Otherwise something may cover a part of the die, and the pass counts less, or
                not at all against one in quiet that saw another face.
        """
        if fresh:
            self.forget()
            self.before, self.quiet, self.proven = [0.0] * 6, False, self.proven or None
        if self.quiet and not quiet:
            return
        if quiet and not self.quiet and likeliest(chances) != self.value:
            self.forget()
        self.quiet = quiet
        weight = 1.0 if quiet or not any(self.before) else STIRRED  # only if there are earlier votes, which outweigh it
        logs = [weight * math.log(max(chance, LEAST_CHANCE)) for chance in chances]
        self.votes.append((likeliest(chances), logs))
        if closely:
            self._seen_closely(logs)
        self._elect()
        if not (self.close and self.unchanged):  # fast passes err alike; the refined one saw it better
            self._mind_changed()
        if quiet and self.still >= REST_LOOKS:
            self.shown = self.probabilities

    def rolled_on(self, seconds: float) -> None:
        """Discards earlier votes after a pass that has seen the die rolling."""
        self.rolls, self.first_roll = self.rolls + 1, self.first_roll or seconds
        self.shown, self.before = None, [0.0] * 6

    def _mind_changed(self) -> None:
        """If the last passes agree on another face and the die may have been turned, counts only these."""
        if self._outvoted and not self.contested:
            last = list(self.votes)[-REST_LOOKS:]
            self.forget()
            self.votes.extend(last)
            self._elect()

    @property
    def _outvoted(self) -> bool:
        """Whether enough passes in a row agree on another face than all votes together."""
        values = {value for value, _ in list(self.votes)[-REST_LOOKS:]}
        return len(self.votes) > REST_LOOKS and len(values) == 1 and values != {self.value}

    @property
    def contested(self) -> bool:
        """Whether the last passes agree on a face other than the refined pass's, although no hand was there. Another
        refined pass must decide."""
        return bool(self.close) and not self.unchanged and self.touched == self.close_touched and self._outvoted

    @property
    def perhaps_turned(self) -> bool:
        """Whether a hand was at the die since the refined pass and its place has changed. Another refined pass must
        decide, because it outvotes fast ones."""
        return bool(self.close) and not self.unchanged and self.touched > self.close_touched

    def _seen_closely(self, logs: list[float]) -> None:
        """The mean over all refined passes since its place has changed."""
        if self.close is None or not self.unchanged:
            self.close, self.close_looks = logs, 0
        n = self.close_looks
        self.close = [(was * n + now) / (n + 1) for was, now in zip(self.close, logs, strict=True)]
        self.close_looks, self.unchanged = n + 1, True
        self.close_touched = self.touched

    def forget(self) -> None:
        """Discards all observations of the die."""
        self.votes.clear()
        self.odds.clear()
        self.close = None

    def doubt_faces(self) -> None:
        """Weakens its votes after it was out of sight: it probably shows its old face, but the hand may have turned it.
        A pass with a hand over it may have seen a finger."""
        known = self.shown or self.probabilities
        self.before = [math.log(UNTURNED * chance + (1 - UNTURNED) / 6) for chance in known]
        self.forget()
        self.quiet = False

    def _elect(self) -> None:
        self.probabilities = elected([logs for _, logs in self.votes], self.close, self.before)
        self.value = likeliest(self.probabilities)
