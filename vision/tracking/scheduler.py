"""Decides which passes the detector runs: a search, known dice read again, or a refined pass over what has come to
rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.boxes import Piece, among, areas_of_groups, width
from vision.dice.detections import Detections, chosen, joined, kept_as_it_is
from vision.dice.detector_api import Detects, DetectsOnce, Reads, Searches
from vision.dice.parts import Parts
from vision.dice.print_memory import CAME_WITH_IT
from vision.dice.tiling import search_grid, uncut
from vision.tracking.constants import (
    AGAIN_SECONDS,
    CONFIRMING_PASSES,
    MOSTLY,
    RESTING_PASSES,
    SMALLEST_FLYING,
    SURE,
    SURE_CHANGE,
)
from vision.tracking.focus import Focus
from vision.tracking.motion import Activity, MotionGate
from vision.tracking.refined_pass import RefinedPass
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Image

BUSY = 0.58  # share of the time between two passes that a refined one may take: 58 ms at 10 frames a second (tried)
# Seconds: the minimum time of a refined pass per frame, so a fast camera loses one frame and dice are read soon
# (tried).
BUSY_SECONDS = 0.05
Missing = Callable[[Image, Detections, float], Parts[Detections]]


class Refining:
    """A refined pass over one frame that runs in parts during the next frames, so that no frame waits for all of it."""

    def __init__(self, image: Image, parts: Parts[Detections]) -> None:
        self._image, self._parts = image, parts
        self._begun = False
        self._next = 0.0  # seconds that the next part will take

    def due_now(self, image: Image, activity: Activity) -> bool:
        """Whether all remaining parts must run in this frame, because it is a still or a hand may soon take the dice.
        The first frame of a pass never runs all of it."""
        begun, self._begun = self._begun, True
        return begun and (image is self._image or bool(activity.hands))

    def go_on(self, interval: float | None) -> Detections | None:
        """Runs the parts that are due `interval` seconds after the frame before, or all if None. Returns the detections
        after the last part."""
        spent = 0.0
        while interval is None or spent == 0.0 or spent + self._next <= max(BUSY * interval, BUSY_SECONDS):
            spent += self._next
            try:
                self._next = next(self._parts)
            except StopIteration as done:
                found: Detections = done.value
                return found
        return None


class Scheduler:
    """Runs the detector no more than needed.

    A search takes several times as long as reading known dice, and a refined pass ten times as long. So the frame is
    searched only while it differs from the last search, and during motion only where it differs. Known dice are read in
    their places. Where the frame has changed and come to rest, one refined pass runs (`RefinedPass`).
    """

    def __init__(self, detector: Detects, gate: MotionGate, tracker: Tracker, missing: Missing | None = None) -> None:
        """Prepares the scheduler. missing: finds dice that must be there, given the detections of a refined pass."""
        self._reads = detector if isinstance(detector, Reads) else None  # asked once, as it takes long
        self._searches = detector if isinstance(detector, Searches) else None
        self._once = detector if isinstance(detector, DetectsOnce) else None
        self._detector = detector
        self._gate = gate
        self._tracker = tracker
        self.refined = RefinedPass(detector, gate, tracker)
        self._refined_tracks: set[int] = set()  # tracks of dice that a refined pass has read
        self._refined_at = -np.inf  # seconds of the last refined pass
        self._rechecking = False  # the refined pass in progress covers dice that an earlier one has read
        self._quiet_passes = 0  # passes in a row without motion
        self._searched = -np.inf  # seconds of the last search; the next one covers the whole frame if infinite
        self._focus = Focus()
        self._missing = missing
        self._refining: Refining | None = None  # the refined pass in progress
        self._seconds = -np.inf  # of the last frame
        self.all_refined = True  # refined passes have covered everything at rest, as far as possible

    def detections(
        self, image: Image, seconds: float, activity: Activity, always: bool = False, blurred: bool = False
    ) -> Detections:
        """The dice of the newest frame.

        Args:
            always: Search even if nothing has changed.
            blurred: The camera moves fast, so no refined pass is run.
        """
        if self._reads is None:
            self._gate.was_searched()
            return self._detector.detect(image)
        known = [*self._tracker.dice, *self._tracker.hidden]
        for die, unchanged in zip(known, self._gate.unchanged_since_refined([die.box for die in known]), strict=True):
            die.unchanged = unchanged
        self._focus.step(image, self._tracker.dice, activity.hands, seconds)
        interval, self._seconds = seconds - self._seconds, seconds
        if self._focus.hunting:  # dice are remembered, not read
            self._refining, self._searched, there = None, -np.inf, self._focus.unproven
            return kept_as_it_is([die.box for die in there], [die.probabilities for die in there])
        self._without_printed(image, seconds)
        due = self._at_rest(seconds, activity, blurred)
        searched = self._to_search(image, seconds, activity, always)
        unsearched = self._unsearched(image, searched)
        found = Detections.none()
        if searched:
            found = self._tracker.single(self._found(image, searched, unsearched))
            found = self.refined.without_rejected(self.refined.print_memory.without_printed(found, seconds))
            self._searched = seconds
            self._gate.was_searched()
        if due:
            parts = self._refined_detections(image, found, unsearched, seconds, activity)
            self._refining = Refining(image, parts)
        if self._refining is not None:
            now = always or self._refining.due_now(image, activity)
            # The search has used the time of this frame, at usual frame rates. A hand does not wait.
            wait = due and bool(searched) and not activity.hands and BUSY * interval < BUSY_SECONDS
            refined = None if wait and not now else self._refining.go_on(None if now else interval)
            self.all_refined = (refined is not None or self._rechecking) and not self.refined.doubted
            if refined is not None:
                self._refining = None
                return refined
        return self._with_the_known(image, found, unsearched, seconds, activity, self._refining is not None)

    def _refined_detections(
        self, image: Image, found: Detections, unsearched: Sequence[TrackedDie], seconds: float, activity: Activity
    ) -> Parts[Detections]:
        """Detections of a refined pass over this frame, in parts."""
        found = yield from self.refined.add_to(image, found, seconds, judge=not activity.hands)
        found = self._with_the_known(image, found, unsearched, seconds, activity)
        if not activity.hands and self._missing is not None:
            found = yield from self._missing(image, found, seconds)
        return found

    @property
    def hunting(self) -> bool:
        """Whether the last frame was out of focus."""
        return self._focus.hunting

    def remember(self, image: Image, seconds: float) -> None:
        """Notes that the tracker has processed this frame."""
        self._focus.remember(image, self._tracker.dice, seconds)

    def in_place(self, image: Image) -> bool:
        """Whether the resting dice are seen in their places."""
        return self._focus.in_place(image, self._tracker.dice)

    def blinded(self) -> None:
        """Notes that frames were lost, so the next search covers the whole frame."""
        self._searched = -np.inf
        self.give_up()
        self.refined.print_memory.forget()

    def give_up(self) -> None:
        """Drops the refined pass in progress, because its frame is out of date."""
        if self._refining is not None:
            self._refining, self._refined_at = None, -np.inf
            self._refined_tracks.clear()

    def _without_printed(self, image: Image, seconds: float) -> None:
        """Rejects dice that turn out to be printed on a new card, once nothing moves there."""
        dice = [die for die in self._tracker.dice if die.believed and not die.surely_not_printed]
        boxes, all_boxes = (
            np.array([die.box for die in some], np.float32).reshape(-1, 4) for some in (dice, self._tracker.dice)
        )
        for die, box, around, hand in zip(dice, boxes, *self._gate.new_around(boxes, all_boxes), strict=True):
            if around >= CAME_WITH_IT and not hand and self.refined.print_memory.printed(image, box[None], seconds)[0]:
                self.refined.reject(die)
            die.surely_not_printed = not (np.isnan(around) or hand)

    def _to_search(self, image: Image, seconds: float, activity: Activity, always: bool) -> list[Piece]:
        """The regions to search: the changed ones, and the whole frame AGAIN_SECONDS after the last search."""
        again = not 0 <= seconds - self._searched < (np.inf if activity.moving else AGAIN_SECONDS)
        if always or again or (activity.fresh and self._searches is None):
            return [(0, 0, image.shape[1], image.shape[0])]
        return self._gate.to_search(self._tracker.width, *search_grid(image))

    def _unsearched(self, image: Image, searched: Sequence[Piece]) -> list[TrackedDie]:
        """Tracked dice that this search did not cover, because nothing changed there or no region contains them."""
        dice = self._tracker.dice
        if not searched:
            return [*dice]
        whole = _is_whole(searched, image)
        same = self._gate.unchanged_since_search([die.box for die in dice])
        return [
            die
            for die, unchanged in zip(dice, same, strict=True)
            if is_settled(die)
            or (not whole and ((die.still and unchanged) or not _within_any(die.box, searched, image)))
        ]

    def _found(self, image: Image, searched: Sequence[Piece], unsearched: Sequence[TrackedDie]) -> Detections:
        """Dice found in these regions, without `unsearched` ones at rest, which are known."""
        resting = np.array([die.box for die in unsearched if die.still], np.float32).reshape(-1, 4)
        if self._searches is not None:
            return self._searches.search(image, searched, self._tracker.width or 0.0, resting)
        found = self._detector.detect(image)
        return chosen(found, ~among(found.xyxy, resting))

    def _with_the_known(
        self,
        image: Image,
        found: Detections,
        unsearched: Sequence[TrackedDie],
        seconds: float,
        activity: Activity,
        refining: bool = False,
    ) -> Detections:
        """Adds known dice that the search missed or did not cover. They are read in their places, unless a refined pass
        has read them, left no face in doubt, and nothing has changed, or one is `refining` them."""
        assert self._reads is not None
        missed = self._tracker.missing(found, unsearched)
        rests = [die for die in missed if die in unsearched and die.still >= RESTING_PASSES and die.believed]
        known = [die for die in rests if refining or is_settled(die)]
        doubtful = [die for die in known if die.undecided] if self._once else []
        known, new = [die for die in known if die not in doubtful], [die for die in missed if die not in known]
        if known:
            found = joined(found, kept_as_it_is([die.box for die in known], [die.probabilities for die in known]))
        if doubtful and self._once:
            boxes = np.array([die.box for die in doubtful], np.float32)
            found = joined(found, self._once.read(image, boxes, thorough=True))
        # A hand has left, and the place looks as it did in the last refined pass.
        back = [die for die in self._tracker.hidden if die.refined_logs and die.unchanged]
        if new or back:
            boxes = np.array([die.box for die in (*new, *back)], np.float32)
            again = self._reads.read(image, boxes)
            believed = np.array([die.believed for die in new] + [True] * len(back))
            there = again.scores >= np.where(believed, MOSTLY, SURE_CHANGE)
            refined_before = np.array([bool(die.refined_logs) for die in (*new, *back)])
            if not refined_before.all():
                there &= refined_before | ~self.refined.print_memory.printed(image, boxes, seconds)
            found = joined(found, self.refined.no_sides(image, found, chosen(again, there)))
            for die, found_there in zip(back, there[len(new) :], strict=True):
                if not found_there and not self.refined.out_of_focus(image, die):
                    die.not_found_refined()
        if not refining:
            self._check_hidden(image, activity)
        return found

    def _check_hidden(self, image: Image, activity: Activity) -> None:
        """Checks whether the places of hidden dice are empty, once no hand covers them."""
        assert self._reads is not None
        hidden = [die for die in self._tracker.hidden if not die.seen_empty]
        if not hidden or activity.hands:
            return
        if max(areas_of_groups(activity.moving), default=0.0) < SMALLEST_FLYING * width(hidden[0].box) ** 2:
            there = self._reads.read(image, np.array([die.box for die in hidden], np.float32)).scores
            for die, found_there in zip(hidden, there >= 1 - SURE_CHANGE, strict=True):
                seen = found_there or self.refined.out_of_focus(image, die)
                die.empty_passes = 0 if seen else die.empty_passes + self._tracker.pass_weight

    def _at_rest(self, seconds: float, activity: Activity, blurred: bool) -> bool:
        """Whether something has come to rest that needs a refined pass."""
        dice = [die for die in self._tracker.dice if die.believed]
        again = not 0 <= seconds - self._refined_at < AGAIN_SECONDS
        self._refined_tracks &= {
            die.track for die in dice if die.still and (die.refined_logs or not again) and not die.perhaps_turned
        }
        self._quiet_passes = 0 if activity.moving or activity.hands else self._quiet_passes + 1
        unclear = [die for die in self._tracker.dice if not die.believed and not die.missed]
        # In a quiet frame, a missed die has not rolled on, so a refined pass can check its place.
        arriving = [*unclear, *(die for die in dice if activity.moving or not die.missed)]
        if blurred or not all(die.resting(seconds) for die in arriving):
            self.give_up()
            self.all_refined = False
            return False
        if self._refining is not None:
            return False
        self.all_refined = True
        # While something moves, fast passes prove neither that a die is gone nor that it shows another face.
        unproven = not (dice or activity.hands or self._quiet_passes) or any(die.contested for die in dice)
        doubted = self.refined.doubted and not activity.hands
        late = doubted or (unproven and again)
        known = self._refined_tracks.issuperset(die.track for die in dice)
        if known and self._quiet_passes != CONFIRMING_PASSES and not late:
            return False
        self._rechecking = known and bool(dice)
        self._refined_tracks, self._refined_at = {die.track for die in dice}, seconds
        return True


def is_settled(die: TrackedDie) -> bool:
    """Whether refined passes have read the die without surely seeing another face, and nothing has changed since."""
    if not (die.refined_logs and die.unchanged and die.still >= RESTING_PASSES and die.believed):
        return False
    return bool(max(die.refined_logs) < np.log(SURE)) or die.refined_logs.index(max(die.refined_logs)) + 1 == die.value


def _is_whole(pieces: Sequence[Piece], image: Image) -> bool:
    """Whether the pieces are the whole frame."""
    return any(piece == (0, 0, image.shape[1], image.shape[0]) for piece in pieces)


def _within_any(box: Box, pieces: Sequence[Piece], image: Image) -> bool:
    """Whether the box is inside one of the pieces and not cut by its edge."""
    row, size = np.array([box], np.float32), (image.shape[1], image.shape[0])
    return any(among(row, np.array([piece]))[0] and uncut(row, piece, size)[0] for piece in pieces)
