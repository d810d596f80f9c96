"""One die with an identity: its place, how long it has rested, and the face that recent passes read."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from vision.boxes import Matrix, centre, mapped, mapped_box, width
from vision.tracking.constants import (
    CONFIRMING_PASSES,
    COVERED_SECONDS,
    FOUND,
    HAND_SECONDS,
    LEAST_CHANCE,
    MOST_MISSED,
    MOTION_WEIGHT,
    REST_SECONDS,
    RESTING_PASSES,
    SEEN_BEFORE,
    STEADY,
    SURE,
    SUREST,
    TOUCHED_REST,
    TRAIL,
    UNSEEN,
    UNTURNED,
    VOTES,
)
from vision.tracking.likeness import Template
from vision.tracking.votes import Probabilities, elected, likeliest, pass_weight
from vision.types import Box, Image

# The existence of a die is a Bayes filter. A missed detection counts more, the more often passes have found the die.
# Errors in frames of the same place are correlated, so each pass counts less than an independent one.


@dataclass(slots=True, eq=False)
class TrackedDie:
    """One die, tracked from pass to pass.

    The tracker updates it. The scheduler sets `unchanged` and `surely_not_printed`, the focus sets `template`, and the
    reader sets `last_in_hand`. Times are in seconds of the film, chances are probabilities, log chances and log odds
    are natural logarithms.

    Attributes:
        hits, misses: Numbers of passes that found the die and that did not.
        missed: Number of the latest passes in a row that did not find it.
        existence: Log odds that the die is there.
        confirmed: `existence` has been positive at least once.
        proven: A refined pass has found the die. False if the latest refined pass found nothing where fast passes did;
            the next one decides. None before the first refined pass.
        still: Weight of the latest passes in a row that saw the die at rest (`votes.pass_weight`).
        still_since: Time of the first of them.
        touched: Time when a hand was last over the die.
        rested: Time when it came to rest.
        moved: Largest distance from `anchor` since `Tracker.settle`, die widths.
        rolling_passes: Number of passes since `Tracker.settle` that saw it rolling.
        hidden_since: Time since which the die is not visible.
        busy_since: The same, moved forward while nothing moves at its place.
        empty_passes: Weight of the latest passes in a row that saw its place empty.
        probabilities, value: Chances of the six faces, combined over recent passes, and the likeliest face.
        stepped: The latest pass saw the die elsewhere than the pass before it.
        drifted: The latest pass saw it elsewhere than DRIFT_SECONDS before.
        was_hidden: The die was hidden at some time since `Tracker.settle`.
        rest_box: Its box where it last rested.
        refined_logs: Mean log chances of the faces over `refined_passes` refined passes since its place last changed.
        touched_when_refined: Value of `touched` at the latest of these passes.
        unchanged: Its place looks as it did in the latest refined pass.
        last_motion: Time when something last moved at its place.
        read_since_motion: A pass has read the die since `last_motion`.
        surely_not_printed: The die appeared without a card around it, or was read as a real die.
        last_in_hand: Time when it was last seen in an open hand.
        template: Its image at rest.
        path: Seconds, box, and centre without camera jitter, of the last passes that found it.
        prior_logs: Log chances of its faces, known before `votes`.
        shown: Chances of its faces when it last rested uncovered; None if it has rolled since.
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
    rolling_passes: int = 0
    moved: float = 0.0
    anchor: tuple[float, float] = (0.0, 0.0)
    stepped: bool = False
    drifted: bool = False
    was_hidden: bool = False
    hidden_since: float | None = None
    busy_since: float = 0.0
    empty_passes: float = 0.0
    rest_box: Box | None = None
    probabilities: Probabilities = (1 / 6,) * 6
    value: int = 1
    refined_logs: list[float] | None = None
    refined_passes: int = 0
    touched_when_refined: float = -math.inf
    unchanged: bool = False
    last_motion: float = math.inf
    read_since_motion: bool = False
    surely_not_printed: bool = False
    last_in_hand: float = -math.inf
    template: Template | None = None
    prior_logs: list[float] = field(default_factory=lambda: [0.0] * 6)
    shown: Probabilities | None = None
    odds: deque[float] = field(default_factory=lambda: deque(maxlen=CONFIRMING_PASSES))
    votes: deque[tuple[int, list[float]]] = field(default_factory=lambda: deque(maxlen=VOTES))
    path: deque[tuple[float, Box, tuple[float, float]]] = field(default_factory=lambda: deque(maxlen=TRAIL))

    @property
    def believed(self) -> bool:
        """Whether the die is more likely there than not and no refined pass contradicts that."""
        return self.existence > 0 and self.proven is not False

    def move_along(self, matrix: Matrix) -> None:
        """Moves every remembered place with the frame (3×3, old pixels → new pixels)."""
        self.box, self.anchor = mapped_box(matrix, self.box), mapped(matrix, *self.anchor)
        moved = ((seconds, mapped_box(matrix, box), mapped(matrix, *place)) for seconds, box, place in self.path)
        self.path = deque(moved, TRAIL)
        self.template = self.template and self.template.moved(matrix)

    def blur_in(self, image: Image) -> float | None:
        """Blur of the die in its place, in die widths. None if the place shows something else or there is no
        template."""
        return self.template.blur_in(image) if self.template and self.is_at(self.template.box) else None

    def is_at(self, box: Box) -> bool:
        """Whether the die is in this box, up to jitter."""
        return math.dist(centre(box), self.centre) <= STEADY * width(self.box)

    def at_rest(self, seconds: float) -> bool:
        """Whether the die has rested long enough to be read; longer just after a hand, which may still cover a part."""
        touched, resting = seconds - self.touched < REST_SECONDS, seconds - self.still_since
        times, passes = (TOUCHED_REST, TOUCHED_REST * CONFIRMING_PASSES) if touched else (1, RESTING_PASSES)
        return not self.in_hand(seconds) and self.still >= passes and resting >= times * REST_SECONDS

    def in_hand(self, seconds: float) -> bool:
        """Whether the die rests in an open hand, or did within the last HAND_SECONDS."""
        return 0 <= seconds - self.last_in_hand < HAND_SECONDS

    def resting(self, seconds: float) -> bool:
        """Whether the die will be at rest after this pass, unless the pass sees it elsewhere."""
        return self.still >= RESTING_PASSES - 1 and seconds - self.still_since >= REST_SECONDS

    def found(self, score: float | None, refined: bool, weight: float = 1.0) -> None:
        """Updates the die after a pass that found it.

        Args:
            score: Probability of a die by that pass; None if the die was not read again.
            refined: The pass was a refined one, which suffices alone. Fast passes at one place make the same errors, so
                only the last CONFIRMING_PASSES count.
            weight: Weight of the pass, in fast-camera passes.
        """
        self.hits, self.missed = self.hits + 1, 0
        self.proven = refined or self.proven
        if score is None:
            return
        odds = min(math.log(max(score, 1e-9) / max(1 - score, 1e-9)), SUREST)
        self.odds.append(odds)
        most = UNSEEN + CONFIRMING_PASSES * sum(self.odds) / len(self.odds)
        alike = len(self.odds) > 1 and not self.confirmed
        now = odds if refined else min(self.existence + FOUND * weight, most if alike else SUREST, SUREST)
        self.existence = max(self.existence, now)
        self.confirmed = self.confirmed or self.believed

    def not_found(self, interval: float) -> None:
        """Updates the die after a pass that did not find it. interval: seconds since the pass before."""
        self.missed, self.misses = self.missed + 1, self.misses + 1
        hits, misses = self.hits + SEEN_BEFORE[0], self.misses - 1 + SEEN_BEFORE[1]
        against = min(math.log((hits + misses) / misses), MOST_MISSED)
        self.existence -= against * pass_weight(interval)

    def not_found_refined(self) -> None:
        """Updates the die after a refined pass found nothing in its place, and drops earlier refined readings."""
        self.refined_logs = None
        self.existence -= MOST_MISSED

    def refute(self) -> None:
        """Marks the die as no longer in its place."""
        self.existence, self.rest_box = min(self.existence, -FOUND), None

    @property
    def undecided(self) -> bool:
        """Whether refined passes have left its face in doubt and another one may help."""
        return bool(self.refined_logs) and max(self.probabilities) < SURE and self.refined_passes < CONFIRMING_PASSES

    @property
    def seen_empty(self) -> bool:
        """Whether a refined pass or several fast ones saw its place empty."""
        refined = self.unchanged and self.refined_logs is None
        return self.hidden_since is not None and (refined or self.empty_passes >= CONFIRMING_PASSES)

    def fading(self, seconds: float) -> float:
        """Probability that the die is still there under a hand. It falls only while the hand moves."""
        return float(0.5 ** ((seconds - self.busy_since) / COVERED_SECONDS))

    @property
    def lost(self) -> bool:
        """Whether the tracker should stop searching for the die."""
        return self.existence <= -(FOUND if self.confirmed else SUREST)

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of the die, pixels."""
        return centre(self.box)

    def without_motion(self, seconds: float, refined: bool) -> bool:
        """Whether no hand was at the die for REST_SECONDS and, for a fast pass, nothing moved there. Refined passes
        wait for that anyway."""
        recent = (self.touched,) if refined else (self.touched, self.last_motion)
        return not any(0 <= seconds - moment < REST_SECONDS for moment in recent)

    def confirm_rest(self, seconds: float) -> None:
        """Counts the die as resting since the last motion at its place, if that was at least REST_SECONDS ago."""
        if self.last_motion <= seconds - REST_SECONDS:
            self.still, self.still_since = CONFIRMING_PASSES, self.last_motion

    def vote(self, chances: Probabilities, fresh: bool = False, refined: bool = False, quiet: bool = True) -> None:
        """Adds the reading of one pass.

        Args:
            fresh: The die has just moved, so earlier readings are dropped.
            quiet: Nothing moves at the die. Otherwise something may cover a part of it: the reading gets less weight,
                and none after a quiet reading.
        """
        if fresh:
            self.forget()
            self.prior_logs, self.read_since_motion, self.proven = [0.0] * 6, False, self.proven or None
        if self.read_since_motion and not quiet:
            return
        if quiet and not self.read_since_motion and likeliest(chances) != self.value:
            self.forget()
        self.read_since_motion = quiet
        weight = 1.0 if quiet or not any(self.prior_logs) else MOTION_WEIGHT  # only beside earlier readings
        logs = [weight * math.log(max(chance, LEAST_CHANCE)) for chance in chances]
        self.votes.append((likeliest(chances), logs))
        if refined:
            self._add_refined(logs)
        self._elect()
        # A refined reading is better than several fast ones, whose errors are correlated.
        if not (self.refined_logs and self.unchanged):
            self._follow_new_face()
        if quiet and self.still >= CONFIRMING_PASSES:
            self.shown = self.probabilities

    def note_roll(self) -> None:
        """Records that a pass saw the die rolling, and drops what was known of its face."""
        self.rolling_passes += 1
        self.shown, self.prior_logs = None, [0.0] * 6

    def _follow_new_face(self) -> None:
        """Drops earlier readings if the latest passes agree on another face and the die may have been turned."""
        if self._outvoted and not self.contested:
            last = list(self.votes)[-CONFIRMING_PASSES:]
            self.forget()
            self.votes.extend(last)
            self._elect()

    @property
    def _outvoted(self) -> bool:
        """Whether the last CONFIRMING_PASSES passes agree on a face that differs from the combined one."""
        values = {value for value, _ in list(self.votes)[-CONFIRMING_PASSES:]}
        return len(self.votes) > CONFIRMING_PASSES and len(values) == 1 and values != {self.value}

    @property
    def contested(self) -> bool:
        """Whether recent fast passes contradict the refined pass although no hand was there. Another refined pass must
        decide."""
        changed = bool(self.refined_logs) and not self.unchanged
        return changed and self.touched == self.touched_when_refined and self._outvoted

    @property
    def perhaps_turned(self) -> bool:
        """Whether a hand was at the die after the refined pass and its place has changed. Another refined pass must
        decide."""
        return bool(self.refined_logs) and not self.unchanged and self.touched > self.touched_when_refined

    def _add_refined(self, logs: list[float]) -> None:
        """Adds a refined pass to the mean over all of them since the place changed."""
        if self.refined_logs is None or not self.unchanged:
            self.refined_logs, self.refined_passes = logs, 0
        n = self.refined_passes
        self.refined_logs = [(was * n + now) / (n + 1) for was, now in zip(self.refined_logs, logs, strict=True)]
        self.refined_passes, self.unchanged = n + 1, True
        self.touched_when_refined = self.touched

    def forget(self) -> None:
        """Drops all readings of the die."""
        self.votes.clear()
        self.odds.clear()
        self.refined_logs = None

    def doubt_faces(self) -> None:
        """Replaces the readings by a prior that favours the old face after the die was out of sight: a hand may have
        turned it, and readings beside a hand may be of a finger."""
        known = self.shown or self.probabilities
        self.prior_logs = [math.log(UNTURNED * chance + (1 - UNTURNED) / 6) for chance in known]
        self.forget()
        self.read_since_motion = False

    def _elect(self) -> None:
        self.probabilities = elected([logs for _, logs in self.votes], self.refined_logs, self.prior_logs)
        self.value = likeliest(self.probabilities)
