"""The loop of the vision side: frames in, readings out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision import messages
from vision.boxes import Matrix, width
from vision.dice.detections import Detections, boxes_of, chosen, joined
from vision.dice.detector_api import Detects
from vision.dice.parts import Parts
from vision.messages import Doubt, as_doubt
from vision.table.layout import Layout, TableZone, within
from vision.table.mat import Polygon
from vision.table.printed_mat import PrintedMat
from vision.tracking.camera_motion import CameraMotion
from vision.tracking.constants import (
    AGAIN_SECONDS,
    COVERED_SECONDS,
    MOVING_SECONDS,
    PASS_SECONDS,
    ROLL_SPEED,
    SAME_PLACE,
    TURNED_SECONDS,
)
from vision.tracking.frame_quality import FrameQuality
from vision.tracking.motion import Activity, MotionGate
from vision.tracking.partly_outside import PartlyOutside, without_halves
from vision.tracking.scheduler import Scheduler
from vision.tracking.small_picture import Small
from vision.tracking.table_reader import Reader, ReaderInput
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Frame, Image, Lost, Motion, Reading


class Pipeline:
    """Watches one table: `step` takes each frame and returns a reading.

    Args:
        layout: The zones; by default the printed mat when it is in the frame, else the whole frame.
        live: The frames come from a camera, so two equal ones mean that it is frozen.
        every_frame: Run the detector on every frame.
    """

    def __init__(
        self, detector: Detects, layout: Layout | None = None, *, live: bool = False, every_frame: bool = False
    ) -> None:
        self.layout = layout or PrintedMat()
        self.passes = 0  # number of passes of the detector
        self.picture: Image | None = None  # the newest frame, with camera motion undone
        self.cards: Sequence[Polygon] = ()  # zones of cards, in fractions of the frame: dice there are printed
        self.due: Callable[[], int] = int  # returns how many dice must be on the table if any are; set by the companion
        self._detector, self._every_frame = detector, every_frame
        self._check, self._camera = FrameQuality(live), CameraMotion()
        self._turned = -np.inf  # seconds when the camera was last turned
        self._restart()

    def _restart(self) -> None:
        """Forgets everything about the table."""
        self._gate = MotionGate()
        self._tracker = Tracker()
        self._scheduler = Scheduler(self._detector, self._gate, self._tracker, self._with_missing)
        self._reader = Reader(self._tracker, self._gate.hand_around)
        self._partly_outside = PartlyOutside(self._detector, self._counts)
        self._watched = self._last_pass = self._mat_searched = -np.inf  # seconds
        self._moving = False  # whether anything moved in the previous frame
        self._handled = False  # whether a hand was in the previous frame
        self._motion_since_mat = True  # whether anything has moved since the last search for the mat
        self._small: Small | None = None  # the small copy of the newest frame that was compared
        self._last: tuple[Image, Detections] | None = None
        self._reading: Reading | None = None
        # By track: the last zone of a die, its centre then, and the layout that assigned it.
        self._placed: dict[int, tuple[TableZone, tuple[float, float], tuple[object, ...] | None]] = {}

    def step(self, frame: Frame | Lost) -> Reading:
        """The reading after this frame."""
        # Dice cut by the edge are searched after the reading, so they never cause another pass.
        reading = self._step(frame)
        return self._partly_outside.checked(reading, self.picture, self._small, self._tracker.width)

    def _step(self, frame: Frame | Lost) -> Reading:
        if isinstance(frame, Lost):
            return self._lost(frame)
        if self._too_soon(frame):
            assert self._reading is not None
            self.picture = self._camera.back(frame.image)
            self._reading = replace(self._reading, frame=frame.number, seconds=frame.seconds)
            return self._reading
        small, self._watched, self.picture = Small.of(frame.image), frame.seconds, frame.image
        trouble = self._check.step(small.colour, frame.seconds)
        if trouble in messages.BLIND:
            return self._blind(Doubt(trouble), frame.seconds, frame.number)
        empty = self._table_empty and not self.layout.drawn
        self.picture, small = self._camera.step(
            frame.image, small, frame.seconds, self._handled, self._gate.table, self._scheduler.in_place, empty
        )
        if self._camera.other:
            self.layout.restart()
            self._restart()
        if self._camera.turned or self._camera.other:
            self._turned = frame.seconds
            self._reader.blinked(frame.seconds)
        if self._camera.new_view is not None:
            self._move_along(self._camera.new_view)
        if self._camera.moving or self._camera.turned:
            return self._as_it_was(None, frame.seconds, frame.number)
        frame = replace(frame, image=self.picture) if self.picture is not frame.image else frame
        if 0 <= frame.seconds - self._turned < TURNED_SECONDS:
            trouble = trouble or messages.TURNED
        self._small = small
        activity = self._gate.step(frame.image, frame.seconds, self._tracker.width, small)
        self._moving, self._handled = bool(activity.moving), bool(activity.hands)
        self._follow_mat(frame, activity)
        if self._pass_due(frame, activity):
            self._run_pass(frame, activity)
        size = (frame.image.shape[1], frame.image.shape[0])
        self._reading = self.conclude(activity, size, frame.number, frame.seconds, trouble)
        return self._reading

    def see(self, detections: Detections, seconds: float, hands: Sequence[Box] = ()) -> list[TrackedDie]:
        """Tracks the dice of one pass. Recorded detections enter here.

        Args:
            hands: Boxes that hands cover in this frame, pixels.
        """
        self._last_pass = seconds
        self.passes += 1
        return self._tracker.update(detections, seconds, hands)

    def conclude(
        self, activity: Activity, size: tuple[int, int], number: int, seconds: float, trouble: str | None = None
    ) -> Reading:
        """The reading after the latest pass.

        Args:
            activity: What moves around the dice.
            size: Width and height of the frame.
            number, seconds: Of the frame.
            trouble: A doubt about the frame, if any.
        """
        dice = [die for die in self._tracker.dice if die.believed]
        known = {die.track for die in (*self._tracker.dice, *self._tracker.hidden)}
        self._placed = {track: place for track, place in self._placed.items() if track in known}
        found = [(die, self._place(die, size)) for die in dice]
        places = tuple((die, place) for die, place in found if place is not TableZone.MARK)
        all_refined = self._scheduler.all_refined and not self._scheduler.hunting
        return self._reader.read(
            ReaderInput(places, activity, self.layout.has_kept_zone, size, number, seconds, trouble, all_refined)
        )

    def _place(self, die: TrackedDie, size: tuple[int, int]) -> TableZone:
        """The zone of a die. Hysteresis: the die keeps its first zone until it moves by more than SAME_PLACE."""
        x, y = die.centre
        place, at, under = self._placed.get(die.track, (TableZone.MARK, (x, y), None))
        now = self.layout, self.layout.has_kept_zone, self.cards
        if (
            not die.still
            or place is TableZone.MARK
            or under != now
            or math.dist((x, y), at) > SAME_PLACE * width(die.box)
        ):
            place = self._zone(die.box, size)
            self._placed[die.track] = place, (x, y), now
        return place

    def _too_soon(self, frame: Frame) -> bool:
        """Whether a frame comes too soon after the one before to be worth comparing. Every frame counts while dice come
        to rest; fewer are enough while something moves, or while all is read and nothing moves."""
        since = frame.seconds - self._watched
        if self._every_frame or since < 0 or self._reading is None or self._reading.doubt is not None:
            return False
        return since < (MOVING_SECONDS if self._moving or self._reading.settled else PASS_SECONDS)

    def _pass_due(self, frame: Frame, activity: Activity) -> bool:
        """Whether a pass could add anything: something changed, or faces still need more readings."""
        since = frame.seconds - self._last_pass
        if self._every_frame or since < 0:
            return True
        if since < (MOVING_SECONDS if activity.moving else PASS_SECONDS):
            return False
        undecided = self._reading is None or not self._reading.settled or self._reading.doubt is not None
        undecided = undecided or any(die.missed or not die.believed for die in self._tracker.dice)
        return undecided or activity.fresh or since >= AGAIN_SECONDS

    def _run_pass(self, frame: Frame, activity: Activity) -> None:
        """Runs a pass. A still that is shown for several frames gets only one."""
        if self._last is None or self._last[0] is not frame.image:  # a still is the same image object in each frame
            blurred = self._camera.speed > ROLL_SPEED * (self._tracker.width or math.inf)
            detections = self._scheduler.detections(frame.image, frame.seconds, activity, self._every_frame, blurred)
            size = frame.image.shape[1], frame.image.shape[0]
            known = [die.box for die in (*self._tracker.dice, *self._tracker.hidden)]
            self._last = frame.image, without_halves(detections, size, known)
        self.see(self._last[1], frame.seconds, activity.hands)
        self._scheduler.remember(frame.image, frame.seconds)
        new = [die for die in self._tracker.dice if die.hits == 1]
        for die in (*self._tracker.dice, *self._tracker.hidden):
            die.last_motion = self._gate.last_motion_in(die.box)
        for die in new:
            die.confirm_rest(frame.seconds)
        same = self._gate.unchanged_since_refined([die.box for die in new]) if new else ()
        for die, unchanged in zip(new, same, strict=True):
            die.unchanged = unchanged  # a refined pass has judged this place as it is now

    def _with_missing(self, image: Image, found: Detections, seconds: float) -> Parts[Detections]:
        """Adds the likeliest possible dice if fewer are found than must be there, or if that number is unknown."""
        inside, due = self._inside(found, image), self.due()
        if not inside or 0 < due <= len(inside):
            return found
        refined = self._scheduler.refined
        if not due:
            return joined(found, refined.likely_candidates(image, found, seconds))
        whole = yield from refined.whole(image, seconds)
        if len(self._inside(whole, image)) == due:
            return whole  # two touching dice may have looked like one
        possible = refined.possible_candidates(image, whole, found, seconds)
        rows = self._inside(possible, image)[: due - len(inside)]
        return joined(found, chosen(possible, np.array(rows, np.intp)))

    def _inside(self, found: Detections, image: Image) -> list[int]:
        """Rows of the detections in the zones where dice count."""
        size = image.shape[1], image.shape[0]
        return [row for row, box in enumerate(boxes_of(found)) if self._counts(box, size)]

    def _counts(self, box: Box, size: tuple[int, int]) -> bool:
        """Whether a die in this box is in a zone for rolling or for dice set aside."""
        return self._zone(box, size) in (TableZone.ROLLING, TableZone.KEPT)

    def _zone(self, box: Box, size: tuple[int, int]) -> TableZone:
        """The zone of a die in this box. Among the cards it is printed on one, unless a mat or drawn areas say where
        dice are."""
        x, y = (box[0] + box[2]) / 2 / size[0], (box[1] + box[3]) / 2 / size[1]
        if not self.layout.has_kept_zone and any(within(zone, x, y) >= 0 for zone in self.cards):
            return TableZone.MARK
        return self.layout.place(box, size)

    @property
    def _table_empty(self) -> bool:
        """Whether the table is visibly empty."""
        return self._reading is not None and self._reading.settled and self._reading.motion is Motion.EMPTY

    def _move_along(self, moved: Matrix) -> None:
        """Moves the layout with the camera (3×3, old pixels → new pixels); the frame now shows the table."""
        self._gate.restart()
        self._scheduler.give_up()
        self._tracker.shift(moved)
        self.layout.move_along(moved)

    def _follow_mat(self, frame: Frame, activity: Activity) -> None:
        """Searches for the mat after each motion, because the camera may have been knocked, and occasionally while
        something moves. A known mat is searched less often while hands are at work."""
        self._motion_since_mat = self._motion_since_mat or bool(activity.moving)
        came_to_rest = not activity.moving and self._reading is not None and self._reading.motion is Motion.MOVING
        wait = COVERED_SECONDS if activity.moving and self.layout.has_kept_zone else AGAIN_SECONDS
        again = self._motion_since_mat and frame.seconds - self._mat_searched >= wait
        if came_to_rest or again or frame.seconds < self._mat_searched:
            self._mat_searched, self._motion_since_mat = frame.seconds, False
            bump = self.layout.update(frame.image)
            if bump is not None:
                self._tracker.shift(bump)

    def _lost(self, lost: Lost) -> Reading:
        """The reading while the source has no frame."""
        return replace(self._blind(as_doubt(lost.why), lost.seconds), motion=Motion.LOST)

    def _blind(self, why: Doubt, seconds: float, number: int | None = None) -> Reading:
        """The reading of a frame in which nothing is visible; what happens meanwhile is unknown."""
        self._scheduler.blinded()
        self._camera.blinded()
        return self._as_it_was(why, seconds, number)

    def _as_it_was(self, why: Doubt | None, seconds: float, number: int | None) -> Reading:
        """The last reading with a doubt; it is no evidence about the table now."""
        last = self._reading or Reading((), False, 0, Motion.EMPTY, 0, seconds)
        number = last.frame if number is None else number
        return replace(last, settled=False, seconds=seconds, frame=number, doubt=why)


def readings(frames: Iterable[Frame | Lost], watch: Pipeline) -> Iterator[Reading]:
    """Yields the reading whenever the dice have settled into something new, including an empty table."""
    last: tuple[object, ...] | None = None
    for frame in frames:
        reading = watch.step(frame)
        new = (reading.rolls, reading.active, reading.kept)
        if reading.settled and new != last:
            last = new
            yield reading


__all__ = ["Detects", "Pipeline", "TableZone", "readings"]
