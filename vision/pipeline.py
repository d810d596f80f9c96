"""The loop: frames in, readings out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision import messages
from vision.dice.detections import Detections, chosen, joined
from vision.dice.detector_api import Detects
from vision.dice.parts import Parts
from vision.messages import Doubt, as_doubt
from vision.table.layout import Layout, Place
from vision.table.printed_mat import PrintedMat
from vision.tracking.boxes import Matrix, boxes_of, width
from vision.tracking.camera_motion import CameraMotion
from vision.tracking.constants import (
    AGAIN_SECONDS,
    COVERED_SECONDS,
    LOOK_SECONDS,
    MOVING_SECONDS,
    ROLL_SPEED,
    SAME_PLACE,
    TURNED_SECONDS,
)
from vision.tracking.frame_quality import FrameQuality
from vision.tracking.motion import MotionGate, Scene
from vision.tracking.partly_outside import PartlyOutside
from vision.tracking.reading import Reader, Seen
from vision.tracking.scheduler import Scheduler
from vision.tracking.small_picture import shrunk
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Frame, Image, Lost, Motion, Reading


class Pipeline:
    """Watches one table. `step` takes each frame and says what lies there; it changes with every frame.

    layout: where things lie (default: the printed mat when it is in the picture, else the whole picture). live: the
    frames come from a camera, so two alike mean it is frozen. every_frame: let the detector look at every frame.
    """

    def __init__(
        self, detector: Detects, layout: Layout | None = None, *, live: bool = False, every_frame: bool = False
    ) -> None:
        self.layout = layout or PrintedMat()
        self.looks = 0  # how often the detector has looked
        self.picture: Image | None = None  # the newest, as a steady camera would have taken it
        self.due: Callable[[], int] = int  # how many dice must lie there, if some do, as far as a companion knows
        self._detector, self._every_frame = detector, every_frame
        self._check, self._camera = FrameQuality(live), CameraMotion()
        self._turned = -np.inf  # seconds when the camera was last turned
        self._restart()

    def _restart(self) -> None:
        """Nothing is known of the table."""
        self._gate = MotionGate()
        self._tracker = Tracker()
        self._scheduler = Scheduler(self._detector, self._gate, self._tracker, self._with_missing)
        self._reader = Reader(self._tracker, self._gate.hand_around)
        self._partly_outside = PartlyOutside(self._detector, self._counts)
        self._watched = self._looked = self._mat_looked = -np.inf  # seconds
        self._moving = False  # whether anything did in the picture before
        self._handled = False  # … and whether a hand was in it
        self._stirred = True  # … in one since the mat was looked for
        self._last: tuple[Image, Detections] | None = None
        self._reading: Reading | None = None
        # By track: where a die was last said to lie, its middle then, and by which layout.
        self._placed: dict[int, tuple[Place, tuple[float, float], tuple[Layout, bool] | None]] = {}

    def step(self, frame: Frame | Lost) -> Reading:
        """What lies on the table, as far as this frame tells."""
        # The look for cut dice comes after the reading: nothing has to be looked at again because of it.
        return self._partly_outside.checked(self._step(frame), self.picture, self._tracker.width)

    def _step(self, frame: Frame | Lost) -> Reading:
        if isinstance(frame, Lost):
            return self._lost(frame)
        if self._too_soon(frame):
            assert self._reading is not None
            self.picture = self._camera.back(frame.image)
            self._reading = replace(self._reading, frame=frame.number, seconds=frame.seconds)
            return self._reading
        small, self._watched, self.picture = shrunk(frame.image), frame.seconds, frame.image
        trouble = self._check.step(small, frame.seconds)
        if trouble in messages.BLIND:
            return self._blind(Doubt(trouble), frame.seconds, frame.number)
        bare = self._bare and not self.layout.drawn
        self.picture, small = self._camera.step(
            frame.image, small, frame.seconds, self._handled, self._gate.table, self._scheduler.in_place, bare
        )
        if self._camera.other:
            self.layout.restart()
            self._restart()
        if self._camera.turned or self._camera.other:
            self._turned = frame.seconds
            self._reader.blinked(frame.seconds)
        if self._camera.carried is not None:
            self._carried(self._camera.carried)
        if self._camera.moving or self._camera.turned:
            return self._as_it_was(None, frame.seconds, frame.number)
        frame = replace(frame, image=self.picture) if self.picture is not frame.image else frame
        if 0 <= frame.seconds - self._turned < TURNED_SECONDS:
            trouble = trouble or messages.TURNED
        scene = self._gate.step(frame.image, frame.seconds, self._tracker.width, small)
        self._moving, self._handled = bool(scene.moving), bool(scene.hands)
        self._follow_mat(frame, scene)
        if self._worth_a_look(frame, scene):
            self._look(frame, scene)
        size = (frame.image.shape[1], frame.image.shape[0])
        self._reading = self.conclude(scene, size, frame.number, frame.seconds, trouble)
        return self._reading

    def see(self, detections: Detections, seconds: float, hands: Sequence[Box] = ()) -> list[TrackedDie]:
        """Follow the dice of one look; what `step` does once it has detections (recorded ones come in here).

        hands: what they cover in this picture (pixels).
        """
        self._looked = seconds
        self.looks += 1
        return self._tracker.update(detections, seconds, hands)

    def conclude(
        self, scene: Scene, size: tuple[int, int], number: int, seconds: float, trouble: str | None = None
    ) -> Reading:
        """The reading after the latest look, given the scene around it and the picture's (width, height)."""
        dice = [die for die in self._tracker.dice if die.believed]
        known = {die.track for die in (*self._tracker.dice, *self._tracker.hidden)}
        self._placed = {track: place for track, place in self._placed.items() if track in known}
        found = [(die, self._place(die, size)) for die in dice]
        places = tuple((die, place) for die, place in found if place is not Place.MARK)
        looked = self._scheduler.looked and not self._scheduler.hunting
        return self._reader.read(Seen(places, scene, self.layout.knows_kept, size, number, seconds, trouble, looked))

    def _place(self, die: TrackedDie, size: tuple[int, int]) -> Place:
        """Where a die lies. On the edge of an area it stays where it first seemed to lie, however its box trembles."""
        x, y = die.centre
        place, at, under = self._placed.get(die.track, (Place.MARK, (x, y), None))
        now = self.layout, self.layout.knows_kept
        if not die.still or place is Place.MARK or under != now or math.dist((x, y), at) > SAME_PLACE * width(die.box):
            place = self.layout.place(die.box, size)
            self._placed[die.track] = place, (x, y), now
        return place

    def _too_soon(self, frame: Frame) -> bool:
        """Whether a picture comes so soon after the one before that it need not even be compared with it: all of them
        are wanted while dice come to rest, but while something moves, or all is read and nothing does, so many as the
        detector would look at."""
        since = frame.seconds - self._watched
        if self._every_frame or since < 0 or self._reading is None or self._reading.doubt is not None:
            return False
        return since < (MOVING_SECONDS if self._moving or self._reading.settled else LOOK_SECONDS)

    def _worth_a_look(self, frame: Frame, scene: Scene) -> bool:
        """Whether the detector could learn anything: something changed, or values are still being voted."""
        since = frame.seconds - self._looked
        if self._every_frame or since < 0:
            return True
        if since < (MOVING_SECONDS if scene.moving else LOOK_SECONDS):
            return False
        undecided = self._reading is None or not self._reading.settled or self._reading.doubt is not None
        undecided = undecided or any(die.missed or not die.believed for die in self._tracker.dice)
        return undecided or scene.fresh or since >= AGAIN_SECONDS

    def _look(self, frame: Frame, scene: Scene) -> None:
        """Ask the detector, once for a still that is held up."""
        if self._last is None or self._last[0] is not frame.image:  # a still is held up as the same image
            blurred = self._camera.speed > ROLL_SPEED * (self._tracker.width or math.inf)
            detections = self._scheduler.detections(frame.image, frame.seconds, scene, self._every_frame, blurred)
            self._last = frame.image, detections
        self.see(self._last[1], frame.seconds, scene.hands)
        self._scheduler.remember(frame.image, frame.seconds)
        new = [die for die in self._tracker.dice if die.hits == 1]
        for die in (*self._tracker.dice, *self._tracker.hidden):
            die.stirred = self._gate.stirred_at(die.box)
        for die in new:
            die.lain(frame.seconds)
        for die, unchanged in zip(new, self._gate.as_looked_at([die.box for die in new]) if new else (), strict=True):
            die.unchanged = unchanged  # a close look has judged this place as it is now

    def _with_missing(self, image: Image, found: Detections, seconds: float) -> Parts[Detections]:
        """Also the likeliest of what may be dice, if fewer are found than must lie there, or nobody knows how many."""
        inside, due = self._inside(found, image), self.due()
        if not inside or 0 < due <= len(inside):
            return found
        look = self._scheduler.close_look
        if not due:
            return joined(found, look.rather(image, found, seconds))
        whole = yield from look.whole(image, seconds)
        if len(self._inside(whole, image)) == due:
            return whole  # two that touch may have seemed to be one
        rows = self._inside(perhaps := look.perhaps(image, whole, found, seconds), image)[: due - len(inside)]
        return joined(found, chosen(perhaps, np.array(rows, np.intp)))

    def _inside(self, found: Detections, image: Image) -> list[int]:
        """The rows of dice that lie where dice are thrown or set aside."""
        size = image.shape[1], image.shape[0]
        return [row for row, box in enumerate(boxes_of(found)) if self._counts(box, size)]

    def _counts(self, box: Box, size: tuple[int, int]) -> bool:
        """Whether a die in this box rests where dice are rolled or set aside."""
        return self.layout.place(box, size) in (Place.ROLLING, Place.KEPT)

    @property
    def _bare(self) -> bool:
        """Whether the table is seen to be empty."""
        return self._reading is not None and self._reading.settled and self._reading.motion is Motion.EMPTY

    def _carried(self, moved: Matrix) -> None:
        """The camera stands elsewhere (3×3, old pixels → new pixels): what it shows there is the table."""
        self._gate.restart()
        self._scheduler.give_up()
        self._tracker.shift(moved)
        self.layout.carried(moved)

    def _follow_mat(self, frame: Frame, scene: Scene) -> None:
        """Look for the mat now and then where anything has moved, and whenever motion has just ended: the camera may
        have been bumped. A known mat is looked for less often while hands are at work."""
        self._stirred = self._stirred or bool(scene.moving)
        came_to_rest = not scene.moving and self._reading is not None and self._reading.motion is Motion.MOVING
        wait = COVERED_SECONDS if scene.moving and self.layout.knows_kept else AGAIN_SECONDS
        again = self._stirred and frame.seconds - self._mat_looked >= wait
        if came_to_rest or again or frame.seconds < self._mat_looked:
            self._mat_looked, self._stirred = frame.seconds, False
            bump = self.layout.look(frame.image)
            if bump is not None:
                self._tracker.shift(bump)

    def _lost(self, lost: Lost) -> Reading:
        """No picture."""
        return replace(self._blind(as_doubt(lost.why), lost.seconds), motion=Motion.LOST)

    def _blind(self, why: Doubt, seconds: float, number: int | None = None) -> Reading:
        """Nothing is to be seen, and nobody knows what happens meanwhile."""
        self._scheduler.blinded()
        self._camera.blinded()
        return self._as_it_was(why, seconds, number)

    def _as_it_was(self, why: Doubt | None, seconds: float, number: int | None) -> Reading:
        """What was seen last still stands, but proves nothing."""
        last = self._reading or Reading((), False, 0, Motion.EMPTY, 0, seconds)
        number = last.frame if number is None else number
        return replace(last, settled=False, seconds=seconds, frame=number, doubt=why)


def readings(frames: Iterable[Frame | Lost], watch: Pipeline) -> Iterator[Reading]:
    """Each time the dice have settled into something new (an empty table included), what lies there."""
    last: tuple[object, ...] | None = None
    for frame in frames:
        reading = watch.step(frame)
        new = (reading.throws, reading.active, reading.kept)
        if reading.settled and new != last:
            last = new
            yield reading


__all__ = ["Detects", "Pipeline", "Place", "readings"]
